import { setImmediate } from 'node:timers/promises';

/** How long requests wait at most, if no single step takes longer. */
const sliceMs = 5;

/** Runs a long computation to its end, with a turn of the event loop for everything else whenever it has run for a while. */
export async function inSlices<Result>(steps: Generator<unknown, Result>): Promise<Result> {
  for (;;) {
    const end = performance.now() + sliceMs;
    do {
      const { done, value } = steps.next();
      if (done) return value;
    } while (performance.now() < end);
    await setImmediate();
  }
}

/** Runs the same computation without a break. */
export function inOneTurn<Result>(steps: Generator<unknown, Result>): Result {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}
