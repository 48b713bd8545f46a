import type { Socket } from 'node:net';
import { Batcher } from '../../base/batcher.ts';
import { BriefCache } from '../../base/brief_cache.ts';
import type { Clock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Pool } from '../../base/sql.ts';
import { type KeyWithAccount, looksLikeKey } from '../../resources/api_keys/api_key.ts';
import { findKeysByHash, noteKeysUsed } from '../../resources/api_keys/store.ts';
import { refusal } from '../errors.ts';

// Every instance must refuse a revoked key within a second; the margin is for the read itself.
const keptMs = 800;
const entriesMax = 10_000;
const batchMax = 500;

/** Finds and checks the API key of a request. */
export class Authenticator {
  readonly #keyring: Keyring;
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #cache: BriefCache<string, KeyWithAccount | undefined>;
  readonly #used = new Map<string, { key: KeyWithAccount; at: number }>();
  /** Hashing a key takes 14 µs, and most requests of a connection carry the same key: its last hash is kept. */
  readonly #proved = new WeakMap<Socket, { header: string; hash: string }>();
  readonly #reader: Batcher<string, KeyWithAccount | undefined>;

  constructor(keyring: Keyring, pool: Pool, clock: Clock) {
    this.#keyring = keyring;
    this.#pool = pool;
    this.#clock = clock;
    this.#cache = new BriefCache({ clock, keptMs, entriesMax });
    this.#reader = new Batcher({ itemsMax: batchMax, run: (hashes) => this.#read(hashes) });
  }

  async authenticate(header: string | undefined, socket: Socket): Promise<KeyWithAccount> {
    const hash = this.#hash(header, socket);
    return this.#use(await this.#cache.get(hash, () => this.#reader.add(hash)));
  }

  #use(key: KeyWithAccount | undefined): KeyWithAccount {
    if (key === undefined) throw refusal('api_key_invalid', { param: 'Authorization' });
    if (key.revoked) throw refusal('api_key_revoked', { param: 'Authorization', at: isoSeconds(key.revoked_at) });
    if (key.expired) throw refusal('api_key_expired', { param: 'Authorization', at: isoSeconds(key.expires_at) });
    this.#used.set(key.id, { key, at: this.#clock.now() });
    return key;
  }

  #hash(header: string | undefined, socket: Socket): string {
    if (header === undefined) throw refusal('api_key_missing', { param: 'Authorization' });
    const proved = this.#proved.get(socket);
    if (proved?.header === header) return proved.hash;
    const key = keyIn(header);
    if (key === undefined) throw refusal('api_key_missing', { param: 'Authorization' });
    if (!looksLikeKey(key)) throw refusal('api_key_invalid', { param: 'Authorization' });
    const hash = this.#keyring.hmac('api_key', key).toString('base64');
    this.#proved.set(socket, { header, hash });
    return hash;
  }

  async #read(hashes: string[]): Promise<(KeyWithAccount | undefined)[]> {
    const found = await findKeysByHash(
      this.#pool,
      hashes.map((hash) => Buffer.from(hash, 'base64')),
    );
    return hashes.map((hash) => found.get(hash));
  }

  /** Writes `last_used` of all keys used since the last call. Called every few seconds, so that a request needs no write of its own. */
  async flushUses(): Promise<void> {
    if (this.#used.size === 0) return;
    const uses = [...this.#used.values()].map(({ key, at }) => ({ tenant: key.tenant, id: key.id, at: new Date(at) }));
    this.#used.clear();
    await noteKeysUsed(this.#pool, uses);
  }
}

/** The key in `Authorization: Bearer …`; undefined for a header of any other form. */
export function keyIn(header: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header)?.[1];
}

function isoSeconds(moment: Date | null): string {
  assert(moment, 'a key that is revoked or expired has the time when that happened');
  return `${moment.toISOString().slice(0, 19)}Z`;
}
