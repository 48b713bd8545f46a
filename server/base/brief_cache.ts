import type { Clock } from './clock.ts';

export type BriefCacheOptions<Value> = {
  clock: Pick<Clock, 'monotonic'>;
  /** How long a value is used, counted from the start of its read. */
  keptMs: number;
  entriesMax: number;
  /** Values for which this is false are not cached: the next caller reads again. */
  isKept?: (value: Value) => boolean;
};

/** Caches values for a short time, so that many callers share one read. Failed reads are not cached. */
export class BriefCache<Key, Value> {
  readonly #options: BriefCacheOptions<Value>;
  readonly #entries = new Map<Key, { value: Promise<Value>; readAt: number }>();

  constructor(options: BriefCacheOptions<Value>) {
    this.#options = options;
  }

  get(key: Key, read: () => Promise<Value>): Promise<Value> {
    const { clock, keptMs, entriesMax, isKept = () => true } = this.#options;
    const now = clock.monotonic();
    const known = this.#entries.get(key);
    if (known !== undefined && now - known.readAt < keptMs) return known.value;
    if (this.#entries.size >= entriesMax) this.#entries.clear();
    const entry = { value: read(), readAt: now };
    this.#entries.set(key, entry);
    const forget = () => this.#entries.get(key) === entry && this.#entries.delete(key);
    entry.value.then((value) => isKept(value) || forget(), forget);
    return entry.value;
  }

  delete(key: Key): void {
    this.#entries.delete(key);
  }
}
