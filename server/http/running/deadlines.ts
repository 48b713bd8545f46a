import type { Clock } from '../../base/clock.ts';
import { Unavailable } from '../../base/errors.ts';
import { every, type Timer } from '../../base/timers.ts';

const sweepEveryMs = 250;

type WaitingAnswer = { due: number; late: (error: Unavailable) => void };

/**
 * Ends the wait for an answer at its deadline. One periodic sweep checks all waiting requests: a timer for each would cost more than the
 * rest of the deadline, and would almost never fire.
 */
export class Deadlines {
  readonly #clock: Clock;
  readonly #waiting = new Set<WaitingAnswer>();
  readonly #timer: Timer;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#timer = every(sweepEveryMs, () => this.#sweep());
  }

  /** Resolves with the work, or rejects with `Unavailable` at `due` (monotonic). The work itself goes on. */
  wait<T>(work: Promise<T>, due: number): Promise<T> {
    return new Promise((resolve, reject) => {
      const waiting: WaitingAnswer = { due, late: reject };
      this.#waiting.add(waiting);
      work.then(
        (result) => {
          this.#waiting.delete(waiting);
          resolve(result);
        },
        (error: unknown) => {
          this.#waiting.delete(waiting);
          reject(error as Error);
        },
      );
    });
  }

  stop(): void {
    this.#timer.cancel();
  }

  #sweep(): void {
    const now = this.#clock.monotonic();
    for (const waiting of this.#waiting) {
      if (waiting.due > now) continue;
      this.#waiting.delete(waiting);
      waiting.late(new Unavailable('the answer deadline passed'));
    }
  }
}
