import { after } from './timers.ts';

/** One holder per key at a time, first come, first served, within this process. The database's guards hold across processes. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /**
   * Waits for the key and returns the function that gives it back, or undefined when `patience` milliseconds were not enough.
   */
  async acquire(key: string, patience: number): Promise<(() => void) | undefined> {
    const previous = this.#tails.get(key);
    const { promise: turn, resolve: release } = Promise.withResolvers<void>();
    const tail = previous === undefined ? turn : previous.then(() => turn);
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    if (previous !== undefined && !(await settlesWithin(previous, patience))) {
      release(); // those behind wait for the holder, not for the one who gave up
      return undefined;
    }
    return release;
  }
}

/** Whether a promise settles in time. It is not cancelled when it does not. */
export async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = after(milliseconds, () => resolve(false));
  try {
    return await Promise.race([
      promise.then(
        () => true,
        () => true,
      ),
      late,
    ]);
  } finally {
    timer.cancel();
  }
}
