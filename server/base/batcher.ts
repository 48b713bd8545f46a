/**
 * Calls that arrive close together become one call. A batch never lingers: it is the calls of one turn of the event loop, or those that
 * arrived while the previous batch was in flight.
 */
export class Batcher<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>;
  readonly #itemsMax: number;
  #waiting: { item: Item; resolve: (result: Result) => void; reject: (error: unknown) => void }[] = [];
  #busy = false;

  constructor(options: { itemsMax: number; run: (items: Item[]) => Promise<Result[]> }) {
    this.#run = options.run;
    this.#itemsMax = options.itemsMax;
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
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.#itemsMax);
      try {
        const results = await this.#run(batch.map((entry) => entry.item));
        for (const [at, entry] of batch.entries()) entry.resolve(results[at]!);
      } catch (error) {
        for (const entry of batch) entry.reject(error);
      }
    }
    this.#busy = false;
  }
}
