import { expect, vi } from 'vitest';

/** Waits until the condition holds. The limit is generous, because a busy machine is not a failure. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 10 });
}

/** The same with an assertion: `await becomes(() => answers.length).toBe(3)`. */
export function becomes<T>(current: () => T) {
  return expect.poll(current, { interval: 5 });
}
