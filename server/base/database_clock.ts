import type { Clock } from './clock.ts';
import { type Pool, query } from './sql.ts';
import { every, type Timer } from './timers.ts';

const syncEveryMs = 5_000;
const samples = 3;
const clockText = 'select extract(epoch from clock_timestamp())::float8 * 1000 as ms';

/**
 * The database's time, advanced by the monotonic clock between two readings. All instances on one database then agree on the time, due
 * times are written by the clock they are compared with, and jumps of this machine's wall clock have no effect.
 */
export class DatabaseClock implements Clock {
  readonly #pool: Pool;
  #timer: Timer | undefined;
  /** Database time minus monotonic time. */
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
    // Without the database, the monotonic clock goes on alone.
    this.#timer = every(syncEveryMs, () => void this.#sync().catch(() => {}));
  }

  stop(): void {
    this.#timer?.cancel();
  }

  /** Of a few readings the quickest is used: its error is at most half of the time that it took. */
  async #sync(): Promise<void> {
    let best = { took: Number.POSITIVE_INFINITY, offset: 0 };
    for (let sample = 0; sample < samples; sample++) {
      const asked = performance.now();
      const [row] = await query<{ ms: number }>(this.#pool, clockText, [], 'clock');
      const took = performance.now() - asked;
      if (took < best.took) best = { took, offset: row!.ms - asked - took / 2 };
    }
    this.#offset = best.offset;
  }
}
