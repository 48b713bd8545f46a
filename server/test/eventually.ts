import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';

const patienceMs = 60_000;
const gapMinMs = 5;
const gapMaxMs = 50;

/** Sleeps between two looks: a tenth of the time waited so far, because each look takes processor time from the work waited for. */
export async function untilNextLook(since: number): Promise<void> {
  const waited = performance.now() - since;
  await sleep(Math.min(gapMaxMs, Math.max(gapMinMs, waited / 10)));
}

/** Repeats the check until it passes. The limit ends a hang: a busy machine takes longer, and that is no fault of the code. */
export async function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  const since = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() - since > patienceMs) throw error;
    }
    await untilNextLook(since);
  }
}

/** The same for an assertion on a value: `await becomes(() => answers.length).toBe(3)`. */
export function becomes<T>(current: () => T) {
  return expect.poll(current, { interval: 5 });
}
