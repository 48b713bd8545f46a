import { vi } from 'vitest';

/** Until it holds. As long as that takes on a machine that is busy with something else, which says nothing about the thing itself. */
export function eventually<T>(check: () => T | Promise<T>): Promise<T> {
  return vi.waitFor(check, { timeout: 60_000, interval: 10 });
}
