import type { Socket } from 'node:net';
import type { Clock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { getOrMake } from '../../base/get_or_make.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Pool } from '../../base/sql.ts';
import type { KeyWithAccount } from '../../operations/caller.ts';
import type { Scope } from '../../operations/scope.ts';
import { looksLikeKey } from '../../resources/people/api_keys/api_key.ts';
import { noteKeysUsed, noteScopesUsed } from '../../resources/people/api_keys/store.ts';
import { apiError } from '../errors.ts';
import type { AddressLimiter } from './address_limit.ts';
import { type FoundKey, KeyLookup } from './key_lookup.ts';
import type { LastSeenKeys } from './last_seen.ts';

/** What a key was used for since the last flush. */
type NotedUse = Pick<KeyWithAccount, 'tenant' | 'id'> & { at: number; scopes: Set<Scope> };

/** Finds and checks the API key of a request. */
export class Authenticator {
  readonly #keyring: Keyring;
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #lookup: KeyLookup;
  readonly #used = new Map<string, NotedUse>();
  /** Hashing a key takes 14 µs, and most requests of a connection carry the same key: its last hash is kept. */
  readonly #proved = new WeakMap<Socket, { header: string; hash: string }>();

  constructor(
    keyring: Keyring,
    pool: Pool,
    clock: Clock,
    { addresses, lastSeen }: { addresses: AddressLimiter; lastSeen: LastSeenKeys },
  ) {
    this.#keyring = keyring;
    this.#pool = pool;
    this.#clock = clock;
    this.#lookup = new KeyLookup(pool, clock, addresses, lastSeen);
  }

  learnExisting(): Promise<void> {
    return this.#lookup.learnExisting();
  }

  renewSeen(): Promise<void> {
    return this.#lookup.renewSeen();
  }

  async authenticate(header: string | undefined, socket: Socket, address: string): Promise<FoundKey> {
    const found = await this.#lookup.find(this.#hash(header, socket), address);
    if ('key' in found) this.#use(found.key);
    return found;
  }

  /** The key of a request that was admitted before, if it still works. This is no use of it. */
  async check(header: string | undefined, socket: Socket): Promise<KeyWithAccount | undefined> {
    const key = await this.#lookup.check(this.#hash(header, socket));
    return key === undefined || key.revoked || key.expired ? undefined : key;
  }

  #use(key: KeyWithAccount): void {
    if (key.revoked) throw apiError('api_key_revoked', { param: 'Authorization', at: isoSeconds(key.revoked_at) });
    if (key.expired) throw apiError('api_key_expired', { param: 'Authorization', at: isoSeconds(key.expires_at) });
    this.#useOf(key);
  }

  /** Notes that a request of the key needs a scope: who manages keys sees which of its scopes a key can do without. */
  noteScope(key: KeyWithAccount, scope: Scope): void {
    this.#useOf(key).scopes.add(scope);
  }

  #useOf(key: KeyWithAccount): NotedUse {
    const use = getOrMake(this.#used, key.id, () => ({
      tenant: key.tenant,
      id: key.id,
      at: 0,
      scopes: new Set<Scope>(),
    }));
    use.at = this.#clock.now();
    return use;
  }

  #hash(header: string | undefined, socket: Socket): string {
    if (header === undefined) throw apiError('api_key_missing', { param: 'Authorization' });
    const proved = this.#proved.get(socket);
    if (proved?.header === header) return proved.hash;
    const key = keyIn(header);
    if (key === undefined) throw apiError('api_key_missing', { param: 'Authorization' });
    if (!looksLikeKey(key)) throw unknownKey();
    const hash = this.#keyring.hmac('api_key', key).toString('base64');
    this.#proved.set(socket, { header, hash });
    return hash;
  }

  /** Writes which keys were used since the last call, and what for. Called every few seconds, so that a request needs no write. */
  async flushUses(): Promise<void> {
    if (this.#used.size === 0) return;
    const uses = [...this.#used.values()].map((use) => ({ ...use, at: new Date(use.at) }));
    this.#used.clear();
    await noteKeysUsed(this.#pool, uses);
    await noteScopesUsed(
      this.#pool,
      uses.flatMap(({ scopes, ...use }) => [...scopes].map((scope) => ({ ...use, scope }))),
    );
  }
}

export function unknownKey() {
  return apiError('api_key_invalid', { param: 'Authorization' });
}

/** The key in `Authorization: Bearer …`; undefined for a header of any other form. */
export function keyIn(header: string): string | undefined {
  return /^Bearer +(\S+)$/i.exec(header)?.[1];
}

function isoSeconds(moment: Date | null): string {
  assert(moment, 'a key that is revoked or expired has the time when that happened');
  return `${moment.toISOString().slice(0, 19)}Z`;
}
