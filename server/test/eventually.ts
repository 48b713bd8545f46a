import { expect, vi } from 'vitest';

/** Until it holds. As long as that takes on a machine that is busy with something else, which says nothing about the thing itself. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 10 });
}

/** The same for what is told by an assertion: `await becomes(() => answers.length).toBe(3)`. */
export function becomes<T>(current: () => T) {
  return expect.poll(current, { interval: 5 });
}
