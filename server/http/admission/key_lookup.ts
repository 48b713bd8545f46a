import { Batcher } from '../../base/batcher.ts';
import { BriefCache } from '../../base/brief_cache.ts';
import type { Clock } from '../../base/clock.ts';
import { getOrMake } from '../../base/get_or_make.ts';
import { networkOf } from '../../base/ip_range.ts';
import type { Pool } from '../../base/sql.ts';
import type { KeyWithAccount } from '../../resources/api_keys/api_key.ts';
import { findKeysByHash } from '../../resources/api_keys/store.ts';
import type { AddressLimiter } from './address_limit.ts';
import type { Granted } from './rate_limit.ts';

// Every instance must refuse a revoked key within a second; the margin is for the read itself.
const keptMs = 800;
const keysMax = 10_000;
const missesMax = 1_000;
const batchMax = 500;

/** `counted`: the key was not found, and the request has been counted against its address. */
export type FoundKey = { key: KeyWithAccount } | { counted: Granted };

/**
 * Finds keys by their hashes. A key that was found before is read from the database as often as its cache needs. Any other key may be a
 * guess: it is read only while its address is below its limit, and it cannot push a key that exists out of the cache.
 */
export class KeyLookup {
  readonly #pool: Pool;
  readonly #addresses: AddressLimiter;
  /** The hashes of keys that exist. They outlive the cached keys, so that a failed read does not make a key a guess again. */
  readonly #existing = new Set<string>();
  readonly #keys: BriefCache<string, KeyWithAccount | undefined>;
  readonly #misses: BriefCache<string, KeyWithAccount | undefined>;
  readonly #reader: Batcher<string, KeyWithAccount | undefined>;
  readonly #queues = new Map<string, { batcher: Batcher<string, FoundKey>; waiting: number }>();

  constructor(pool: Pool, clock: Clock, addresses: AddressLimiter) {
    this.#pool = pool;
    this.#addresses = addresses;
    this.#keys = new BriefCache({ clock, keptMs, entriesMax: keysMax });
    this.#misses = new BriefCache({ clock, keptMs, entriesMax: missesMax });
    this.#reader = new Batcher({ itemsMax: batchMax, run: (hashes) => this.#read(hashes) });
  }

  async find(hash: string, address: string): Promise<FoundKey> {
    const key = this.#existing.has(hash) ? await this.#get(hash) : undefined;
    return key === undefined ? this.#queued(hash, address) : { key };
  }

  /** One batch at a time for each network, so that a batch knows how many guesses the one before it has counted. */
  async #queued(hash: string, address: string): Promise<FoundKey> {
    const network = networkOf(address);
    const queue = getOrMake(this.#queues, network, () => ({
      batcher: new Batcher({ itemsMax: batchMax, run: (hashes: string[]) => this.#findAll(hashes, address) }),
      waiting: 0,
    }));
    queue.waiting++;
    try {
      return await queue.batcher.add(hash);
    } finally {
      if (--queue.waiting === 0) this.#queues.delete(network);
    }
  }

  /** Reads as many keys at a time as the address has requests left: all of them may turn out to be guesses. */
  async #findAll(hashes: string[], address: string): Promise<FoundKey[]> {
    const found: FoundKey[] = [];
    while (found.length < hashes.length) {
      const { remaining } = this.#addresses.peek(address);
      const next = hashes.slice(found.length, remaining === 0 ? undefined : found.length + remaining);
      const keys = await Promise.all(
        next.map((hash) => (remaining > 0 || this.#existing.has(hash) ? this.#get(hash) : undefined)),
      );
      for (const key of keys) found.push(key === undefined ? { counted: this.#addresses.take(address) } : { key });
    }
    return found;
  }

  #get(hash: string): Promise<KeyWithAccount | undefined> {
    const cache = this.#existing.has(hash) ? this.#keys : this.#misses;
    return cache.get(hash, () => this.#reader.add(hash));
  }

  async #read(hashes: string[]): Promise<(KeyWithAccount | undefined)[]> {
    const found = await findKeysByHash(
      this.#pool,
      hashes.map((hash) => Buffer.from(hash, 'base64')),
    );
    for (const hash of found.keys()) this.#remember(hash);
    return hashes.map((hash) => found.get(hash));
  }

  #remember(hash: string): void {
    this.#existing.delete(hash); // so that it is the newest
    this.#existing.add(hash);
    if (this.#existing.size <= keysMax) return;
    const [oldest = ''] = this.#existing;
    this.#existing.delete(oldest);
  }
}
