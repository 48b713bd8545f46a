import { pause } from './timers.ts';

type BatcherOptions<Item, Result> = {
  itemsMax: number;
  /** The weight limit of a batch. A heavier item goes alone. */
  weight?: { of: (item: Item) => number; max: number };
  run: (items: Item[]) => Promise<readonly Result[]>;
  /**
   * For calls that may wait: the least time between the starts of two batches, unless the second is full. The first call
   * after a pause goes immediately.
   */
  spacedMs?: number;
};

/**
 * Calls that arrive close together become one call. Unless batches are spaced, none lingers: it is the calls of one turn of the event loop,
 * or those that arrived while the previous batch was in flight.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  #busy = false;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
  }

  get isIdle(): boolean {
    return !this.#busy;
  }

  add(item: Item): Promise<Result> {
    const { promise, resolve, reject } = Promise.withResolvers<Result>();
    this.#waiting.push({ item, resolve, reject });
    if (!this.#busy) {
      this.#busy = true;
      setImmediate(() => this.#drain());
    }
    return promise;
  }

  async #drain(): Promise<void> {
    const { itemsMax, run, spacedMs } = this.#options;
    while (this.#waiting.length > 0) {
      const space = spacedMs === undefined ? undefined : pause(spacedMs);
      const batch = this.#waiting.splice(0, this.#nextSize());
      try {
        const results = await run(batch.map((entry) => entry.item));
        for (const [at, entry] of batch.entries()) entry.resolve(results[at]!);
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
      if (space !== undefined && this.#waiting.length < itemsMax) await space;
    }
    this.#busy = false;
  }

  /** How many of those that wait go into the next batch. */
  #nextSize(): number {
    const { itemsMax, weight } = this.#options;
    if (weight === undefined) return itemsMax;
    let [items, sum] = [0, 0];
    for (const { item } of this.#waiting) {
      sum += weight.of(item);
      if (items === itemsMax || (items > 0 && sum > weight.max)) break;
      items++;
    }
    return items;
  }
}
