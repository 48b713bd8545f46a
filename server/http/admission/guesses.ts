import { Batcher } from '../../base/batcher.ts';
import { getOrMake } from '../../base/get_or_make.ts';
import { networkOf } from '../../base/ip_range.ts';
import type { AddressLimiter } from './address_limit.ts';
import type { Granted } from './rate_limit.ts';

const batchMax = 500;

/** `counted`: nothing was found, and the request has been counted against its address. */
export type FoundOrCounted<T> = { found: T } | { counted: Granted };

type GuessOptions<T> = {
  addresses: AddressLimiter;
  /** Whether this was found before: then it is no guess, whatever else came from its address. */
  isKnown: (secret: string) => boolean;
  read: (secret: string) => Promise<T | undefined>;
};

/** Looks up secrets that may be guesses. Only as many are read as their address has requests left, and a few more. */
export class Guesses<T> {
  readonly #options: GuessOptions<T>;
  readonly #queues = new Map<string, { batcher: Batcher<string, FoundOrCounted<T>>; waiting: number }>();

  constructor(options: GuessOptions<T>) {
    this.#options = options;
  }

  /** One batch at a time for each network, so that a batch knows how many guesses the one before it has counted. */
  async find(secret: string, address: string): Promise<FoundOrCounted<T>> {
    const network = networkOf(address);
    const queue = getOrMake(this.#queues, network, () => ({
      batcher: new Batcher({ itemsMax: batchMax, run: (secrets: string[]) => this.#findAll(secrets, address) }),
      waiting: 0,
    }));
    queue.waiting++;
    try {
      return await queue.batcher.add(secret);
    } finally {
      if (--queue.waiting === 0) this.#queues.delete(network);
    }
  }

  /** Reads as many at a time as the address has lookups left: all of them may turn out to be guesses. */
  async #findAll(secrets: string[], address: string): Promise<FoundOrCounted<T>[]> {
    const { addresses, isKnown, read } = this.#options;
    const looked: FoundOrCounted<T>[] = [];
    while (looked.length < secrets.length) {
      const left = addresses.lookupsLeft(address);
      const next = secrets.slice(looked.length, left === 0 ? undefined : looked.length + left);
      const rows = await Promise.all(next.map((secret) => (left > 0 || isKnown(secret) ? read(secret) : undefined)));
      for (const found of rows)
        looked.push(found === undefined ? { counted: this.#countMiss(address, left > 0) } : { found });
    }
    return looked;
  }

  #countMiss(address: string, wasLookedUp: boolean): Granted {
    const granted = this.#options.addresses.take(address);
    if (!granted.admitted && wasLookedUp) this.#options.addresses.countLookup(address);
    return granted;
  }
}
