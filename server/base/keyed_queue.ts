import { after } from './timers.ts';

/** One holder per key at a time, first come, first served, within this process. Across processes, the database's guards decide. */
export class KeyedQueue {
  readonly #tails = new Map<string, Promise<void>>();

  /** Whether the key is taken or waited for. */
  isTaken(key: string): boolean {
    return this.#tails.has(key);
  }

  /** Waits for the key and returns the function that releases it, or undefined after `patience` milliseconds. */
  async acquire(key: string, patience: number): Promise<(() => void) | undefined> {
    const previous = this.#tails.get(key);
    const { promise: turn, resolve: release } = Promise.withResolvers<void>();
    const tail = previous === undefined ? turn : previous.then(() => turn);
    this.#tails.set(key, tail);
    void tail.then(() => {
      if (this.#tails.get(key) === tail) this.#tails.delete(key);
    });
    if (previous !== undefined && !(await settlesWithin(previous, patience))) {
      release(); // later callers wait for the holder, not for this one
      return undefined;
    }
    return release;
  }
}

/** Whether a promise settles in time. A late one is not cancelled. */
export async function settlesWithin(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<false>();
  const timer = after(milliseconds, () => resolve(false));
  try {
    return await Promise.race([Promise.allSettled([promise]).then(() => true), late]);
  } finally {
    timer.cancel();
  }
}

const awakeSteps = 8;

/**
 * Whether a promise settles in a time during which this process runs. However long the process stands still, it counts as one step: what
 * has arrived meanwhile is read before the last one.
 */
export async function settlesAwake(promise: Promise<unknown>, milliseconds: number): Promise<boolean> {
  for (let step = 0; step < awakeSteps; step++)
    if (await settlesWithin(promise, milliseconds / awakeSteps)) return true;
  return false;
}

/** The result of a promise that settles in time. @throws when it does not. The promise goes on, and what becomes of it is dropped. */
export async function inTime<T>(promise: Promise<T>, milliseconds: number, late: string): Promise<T> {
  if (await settlesWithin(promise, milliseconds)) return promise;
  throw new Error(late);
}
