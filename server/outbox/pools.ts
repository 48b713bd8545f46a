import Pool from 'undici/lib/dispatcher/pool.js';
import { after, type Timer } from '../base/timers.ts';

type PoolEntry = { pool: Pool; busy: number; idle: Timer | undefined };

/** A pool while a request uses it. */
export type Lent = { pool: Pool; busy: number; release: () => void };

/**
 * One pool of connections per origin, destroyed when it has been idle for a while. Not undici's Agent, which never drops the pool of an
 * origin whose last request was aborted, as requests to receivers that hang are.
 */
export class Pools {
  readonly #entries = new Map<string, PoolEntry>();
  readonly #options: Pool.Options;
  readonly #idleMs: number;
  #isClosed = false;

  constructor(options: Pool.Options, idleMs: number) {
    this.#options = options;
    this.#idleMs = idleMs;
  }

  get size(): number {
    return this.#entries.size;
  }

  /** @throws once closed. */
  lend(origin: string): Lent {
    if (this.#isClosed) throw new Error('closed');
    let entry = this.#entries.get(origin);
    if (entry === undefined) {
      entry = { pool: new Pool(origin, this.#options), busy: 0, idle: undefined };
      this.#entries.set(origin, entry);
    }
    const lent = entry;
    lent.idle?.cancel();
    lent.busy++;
    return { pool: lent.pool, busy: lent.busy, release: () => this.#release(origin, lent) };
  }

  #release(origin: string, entry: PoolEntry): void {
    entry.busy--;
    if (entry.busy > 0 || this.#isClosed) return;
    entry.idle = after(this.#idleMs, () => {
      this.#entries.delete(origin);
      void entry.pool.destroy(); // no request is in flight
    });
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const entries = [...this.#entries.values()];
    this.#entries.clear();
    for (const { idle } of entries) idle?.cancel();
    await Promise.all(entries.map(({ pool }) => pool.close()));
  }
}
