import type { Clock } from './clock.ts';
import { type Pool, query } from './sql.ts';
import { every, type Timer } from './timers.ts';

const syncEveryMs = 5_000;
const samples = 3;

/**
 * The database's time, carried on by a clock that only ever grows. All instances on one database then agree on what time it is,
 * due times are written by the clock they are compared with, and a wall clock of this machine that jumps changes nothing.
 */
export class DatabaseClock implements Clock {
  readonly #pool: Pool;
  #timer: Timer | undefined;
  /** What to add to the monotonic time. */
  #offset = 0;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  now(): number {
    return Math.floor(performance.now() + this.#offset);
  }

  monotonic(): number {
    return performance.now();
  }

  ahead(): number {
    return 0;
  }

  async start(): Promise<void> {
    await this.#sync();
    // Without the database the time goes on by itself.
    this.#timer = every(syncEveryMs, () => void this.#sync().catch(() => {}));
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** Of a few answers the quickest is believed: its time can be off by half of what it took at most. */
  async #sync(): Promise<void> {
    let best = { took: Number.POSITIVE_INFINITY, offset: 0 };
    for (let sample = 0; sample < samples; sample++) {
      const asked = performance.now();
      const [row] = await query<{ ms: number }>(
        this.#pool,
        'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
        [],
        'clock',
      );
      const took = performance.now() - asked;
      if (took < best.took) best = { took, offset: row!.ms - asked - took / 2 };
    }
    this.#offset = best.offset;
  }
}
