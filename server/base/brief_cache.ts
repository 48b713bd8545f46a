import type { Clock } from './clock.ts';
import { isUnavailable } from './sql.ts';

export type BriefCacheOptions<Value> = {
  clock: Pick<Clock, 'monotonic'>;
  /** How long a value is used, counted from the start of its read. */
  keptMs: number;
  entriesMax: number;
  /** For how long the value of an earlier read is used while reads fail because the database is unavailable. Without it, not at all. */
  staleMs?: number;
  /** Values for which this is false are not cached: the next caller reads again. */
  isKept?: (value: Value) => boolean;
};

type CachedValue<Value> = { value: Promise<Value>; readAt: number /** When it was new. */; from: number };

/** Caches values for a short time, so that many callers share one read. Failed reads are not cached. */
export class BriefCache<Key, Value> {
  readonly #options: BriefCacheOptions<Value>;
  readonly #entries = new Map<Key, CachedValue<Value>>();

  constructor(options: BriefCacheOptions<Value>) {
    this.#options = options;
  }

  get(key: Key, read: () => Promise<Value>): Promise<Value> {
    const { clock, keptMs, entriesMax, isKept = () => true } = this.#options;
    const now = clock.monotonic();
    const known = this.#entries.get(key);
    if (known !== undefined && now - known.readAt < keptMs) return known.value;
    if (this.#entries.size >= entriesMax) this.#entries.clear();
    const reading = read();
    const entry: CachedValue<Value> = { value: reading, readAt: now, from: now };
    if (known !== undefined) entry.value = this.#orStale(reading, entry, known);
    this.#entries.set(key, entry);
    const forget = () => this.#entries.get(key) === entry && this.#entries.delete(key);
    entry.value.then((value) => isKept(value) || forget(), forget);
    return entry.value;
  }

  /** The database is asked again each time that a new value would be read. */
  async #orStale(reading: Promise<Value>, entry: CachedValue<Value>, known: CachedValue<Value>): Promise<Value> {
    try {
      return await reading;
    } catch (error) {
      const { staleMs = 0 } = this.#options;
      if (!isUnavailable(error) || entry.readAt - known.from >= staleMs) throw error;
      entry.from = known.from;
      return known.value;
    }
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
