import { pause } from './timers.ts';

type BatcherOptions<Item, Result> = {
  itemsMax: number;
  run: (items: Item[]) => Promise<Result[]>;
  /** How long a batch waits for more calls: for calls that nobody is in a hurry for. */
  lingerMs?: number;
};

/**
 * Calls that arrive close together become one call. Unless it is told to, a batch never lingers: it is the calls of one turn of the event
 * loop, or those that arrived while the previous batch was in flight.
 */
export class Batcher<Item, Result> {
  readonly #options: BatcherOptions<Item, Result>;
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  #busy = false;

  constructor(options: BatcherOptions<Item, Result>) {
    this.#options = options;
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
    const { itemsMax, run, lingerMs } = this.#options;
    while (this.#waiting.length > 0) {
      if (lingerMs !== undefined && this.#waiting.length < itemsMax) await pause(lingerMs);
      const batch = this.#waiting.splice(0, itemsMax);
      try {
        const results = await run(batch.map((entry) => entry.item));
        for (const [at, entry] of batch.entries()) entry.resolve(results[at]!);
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
    }
    this.#busy = false;
  }
}
