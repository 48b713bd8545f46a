import type { Socket } from 'node:net';
import { Batcher } from '../../base/batcher.ts';
import { BriefCache } from '../../base/brief_cache.ts';
import type { Clock } from '../../base/clock.ts';
import { assert, type Refusal } from '../../base/errors.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Pool } from '../../base/sql.ts';
import { type KeyWithAccount, looksLikeKey } from '../../resources/api_keys/api_key.ts';
import { findKeysByHash, noteKeysUsed } from '../../resources/api_keys/store.ts';
import { refusal } from '../errors.ts';

// A revoked key must be refused within a second on every instance; the margin is for the read itself.
const keptMs = 800;
const entriesMax = 10_000;
const batchMax = 500;

/** Finds the API key that a request carries. */
export class Authenticator {
  readonly #keyring: Keyring;
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #cache: BriefCache<string, KeyWithAccount | undefined>;
  readonly #used = new Map<string, { key: KeyWithAccount; at: number }>();
  /** Hashing a key costs 14 µs and clients keep their connections: a socket remembers what it last proved. */
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
    if (key === undefined) throw challenged(refusal('api_key_invalid', { param: 'Authorization' }));
    if (key.revoked)
      throw challenged(refusal('api_key_revoked', { param: 'Authorization', at: isoSeconds(key.revoked_at) }));
    if (key.expired)
      throw challenged(refusal('api_key_expired', { param: 'Authorization', at: isoSeconds(key.expires_at) }));
    this.#used.set(key.id, { key, at: this.#clock.now() });
    return key;
  }

  #hash(header: string | undefined, socket: Socket): string {
    if (header === undefined) throw challenged(refusal('api_key_missing', { param: 'Authorization' }));
    const proved = this.#proved.get(socket);
    if (proved?.header === header) return proved.hash;
    const key = keyIn(header);
    if (key === undefined) throw challenged(refusal('api_key_missing', { param: 'Authorization' }));
    if (!looksLikeKey(key)) throw challenged(refusal('api_key_invalid', { param: 'Authorization' }));
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

  /** Called every few seconds and at the end: `last_used` is exact to a minute without a write per request. */
  async flushUses(): Promise<void> {
    if (this.#used.size === 0) return;
    const uses = [...this.#used.values()].map(({ key, at }) => ({ tenant: key.tenant, id: key.id, at: new Date(at) }));
    this.#used.clear();
    await noteKeysUsed(this.#pool, uses);
  }
}

/** The key in `Authorization: Bearer …`; undefined when the header is not of that form. */
export function keyIn(header: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header)?.[1];
}

/** Every 401 says how to authenticate (RFC 9110, 11.6.1). */
export function challenged(refused: Refusal): Refusal {
  refused.headers['WWW-Authenticate'] = 'Bearer';
  return refused;
}

function isoSeconds(moment: Date | null): string {
  assert(moment, 'a key that is revoked or expired has the time of it');
  return `${moment.toISOString().slice(0, 19)}Z`;
}
