import { BriefCache } from '../../base/brief_cache.ts';
import type { Clock } from '../../base/clock.ts';
import type { Keyring } from '../../base/keyring.ts';
import type { Pool } from '../../base/sql.ts';
import type { SignedIn } from '../../operations/caller.ts';
import { csrfTokenOf, looksLikeToken, type SessionId, tokenHash } from '../../resources/people/sessions/session.ts';
import { findMemberAccounts, findSessionByHash, noteSessionsUsed } from '../../resources/people/sessions/store.ts';
import type { AddressLimiter } from './address_limit.ts';
import { type FoundOrCounted, Guesses } from './guesses.ts';

// Another role, or a session that was ended on another instance, takes effect within a second.
const keptMs = 800;
const sessionsMax = 10_000;

/** `over`: the session exists, and has ended. */
export type FoundSession = SignedIn & { over: boolean };

/** Finds the person who belongs to the token in a cookie. */
export class SessionLookup {
  readonly #keyring: Keyring;
  readonly #pool: Pool;
  readonly #addresses: AddressLimiter;
  readonly #clock: Clock;
  #found: BriefCache<string, FoundSession | undefined>;
  /** Tokens that were found before, the newest last: they are no guesses, whatever else came from their address. */
  readonly #known = new Set<string>();
  readonly #used = new Set<SessionId>();
  readonly #guesses: Guesses<FoundSession>;

  constructor(keyring: Keyring, pool: Pool, clock: Clock, addresses: AddressLimiter) {
    this.#keyring = keyring;
    this.#pool = pool;
    this.#clock = clock;
    this.#addresses = addresses;
    this.#found = this.#emptyCache();
    this.#guesses = new Guesses({
      addresses,
      isKnown: (token) => this.#known.has(token),
      read: (token) => this.#get(token),
    });
  }

  /** A token that nobody has is counted by address. An address that has guessed too often is not looked up for. */
  async find(token: string, address: string): Promise<FoundOrCounted<FoundSession>> {
    if (!looksLikeToken(token)) return { counted: this.#addresses.take(address) };
    const known = this.#known.has(token) ? await this.#get(token) : undefined;
    const looked = known === undefined ? await this.#guesses.find(token, address) : { found: known };
    if ('found' in looked && !looked.found.over) this.#used.add(looked.found.session);
    return looked;
  }

  /** A session that lasts, by a token that was found before. This is no use of it: a page that is merely open keeps nobody signed in. */
  async check(token: string): Promise<SignedIn | undefined> {
    const found = await this.#get(token);
    return found?.over === false ? found : undefined;
  }

  /** For what was changed on this instance: it takes effect with the next request. */
  forget(): void {
    this.#found = this.#emptyCache();
  }

  /** Writes when sessions were used, which ends those that nobody uses. Called every few seconds. */
  async flushUses(): Promise<void> {
    if (this.#used.size === 0) return;
    const used = [...this.#used];
    this.#used.clear();
    await noteSessionsUsed(this.#pool, used);
  }

  #remember(token: string): void {
    this.#known.delete(token);
    this.#known.add(token);
    if (this.#known.size <= sessionsMax) return;
    const [oldest = ''] = this.#known;
    this.#known.delete(oldest);
  }

  #get(token: string): Promise<FoundSession | undefined> {
    return this.#found.get(token, () => this.#read(token));
  }

  async #read(token: string): Promise<FoundSession | undefined> {
    const row = await findSessionByHash(this.#pool, tokenHash(this.#keyring, token));
    if (row === undefined) return undefined;
    this.#remember(token);
    return {
      session: row.id,
      user: row.user_id,
      email: row.email,
      emailVerified: row.email_verified,
      totpEnabled: row.totp_enabled,
      expiresAt: row.expires_at.getTime(),
      accounts: await findMemberAccounts(this.#pool, row.user_id),
      csrfToken: csrfTokenOf(this.#keyring, token),
      over: row.over,
    };
  }

  #emptyCache(): BriefCache<string, FoundSession | undefined> {
    return new BriefCache({
      clock: this.#clock,
      keptMs,
      entriesMax: sessionsMax,
      isKept: (found) => found !== undefined,
    });
  }
}

export const sessionCookie = '__Host-tollgate';

/** The token in the cookies of a request. */
export function tokenIn(cookies: string | undefined): string | undefined {
  return cookieIn(cookies, sessionCookie);
}

export function cookieIn(cookies: string | undefined, name: string): string | undefined {
  const prefix = `${name}=`;
  const found = cookies?.split(';').find((cookie) => cookie.trim().startsWith(prefix));
  return found?.trim().slice(prefix.length);
}
