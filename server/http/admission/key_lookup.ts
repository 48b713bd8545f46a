import { Batcher } from '../../base/batcher.ts';
import { BriefCache } from '../../base/brief_cache.ts';
import type { Clock } from '../../base/clock.ts';
import { isUnavailable, type Pool } from '../../base/sql.ts';
import type { KeyWithAccount } from '../../operations/caller.ts';
import { findKeysByHash, findRecentHashes } from '../../resources/people/api_keys/store.ts';
import type { AddressLimiter } from './address_limit.ts';
import { Guesses } from './guesses.ts';
import type { LastSeenKeys } from './last_seen.ts';
import type { Granted } from './rate_limit.ts';

// Every instance must refuse a revoked key within a second; the margin is for the read itself.
const keptMs = 800;
const keysMax = 10_000;
const missesMax = 1_000;
const batchMax = 500;

/** `counted`: the key was not found, and the request has been counted against its address. */
export type FoundKey = { key: KeyWithAccount } | { counted: Granted };

/**
 * Finds keys by their hashes. A key that is known to exist is read from the database as often as its cache needs. Any other key may be a
 * guess: it is read only while its address has lookups left, and it cannot push a key that exists out of the cache.
 */
export class KeyLookup {
  readonly #pool: Pool;
  /** The hashes of keys that exist. They outlive the cached keys, so that a failed read does not make a key a guess again. */
  readonly #existing = new Set<string>();
  readonly #keys: BriefCache<string, KeyWithAccount | undefined>;
  readonly #misses: BriefCache<string, KeyWithAccount | undefined>;
  readonly #reader: Batcher<string, KeyWithAccount | undefined>;
  readonly #guesses: Guesses<KeyWithAccount>;
  readonly #lastSeen: LastSeenKeys;

  constructor(pool: Pool, clock: Clock, addresses: AddressLimiter, lastSeen: LastSeenKeys) {
    this.#pool = pool;
    this.#lastSeen = lastSeen;
    this.#keys = new BriefCache({ clock, keptMs, entriesMax: keysMax });
    this.#misses = new BriefCache({ clock, keptMs, entriesMax: missesMax });
    this.#reader = new Batcher({ itemsMax: batchMax, run: (hashes) => this.#read(hashes) });
    this.#guesses = new Guesses({
      addresses,
      isKnown: (hash) => this.#existing.has(hash),
      read: (hash) => this.#get(hash),
    });
  }

  /** Learns which keys exist: after a start, too, nobody can keep them out by guessing from their address. */
  async learnExisting(): Promise<void> {
    for (const hash of await findRecentHashes(this.#pool, keysMax)) this.#remember(hash.toString('base64'));
  }

  async find(hash: string, address: string): Promise<FoundKey> {
    const key = this.#existing.has(hash) ? await this.#get(hash) : undefined;
    if (key !== undefined) return { key };
    const looked = await this.#guesses.find(hash, address);
    return 'found' in looked ? { key: looked.found } : looked;
  }

  /** A key that was found before: it is no guess. */
  check(hash: string): Promise<KeyWithAccount | undefined> {
    return this.#get(hash);
  }

  /** Reads again the keys that would be valid without the directory. */
  async renewSeen(): Promise<void> {
    const hashes = this.#lastSeen.inUse();
    for (let from = 0; from < hashes.length; from += batchMax) {
      const some = hashes.slice(from, from + batchMax);
      for (const [at, key] of (await this.#read(some)).entries()) this.#lastSeen.renew(some[at]!, key);
    }
  }

  #get(hash: string): Promise<KeyWithAccount | undefined> {
    const cache = this.#existing.has(hash) ? this.#keys : this.#misses;
    return cache.get(hash, () => this.#readOne(hash));
  }

  async #readOne(hash: string): Promise<KeyWithAccount | undefined> {
    try {
      const key = await this.#reader.add(hash);
      this.#lastSeen.note(hash, key);
      return key;
    } catch (error) {
      const seen = isUnavailable(error) ? this.#lastSeen.find(hash) : undefined;
      if (seen === undefined) throw error;
      return seen;
    }
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
