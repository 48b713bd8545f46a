import { networkOf } from '../../../base/ip_range.ts';
import type { Keyring } from '../../../base/keyring.ts';
import { type Pool, query } from '../../../base/sql.ts';
import { CodeTries } from './code_tries.ts';
import { refusal } from './errors.ts';

const perNetworkMax = 10;
const perEmailMax = 100; // from networks that the user never signed in from
const lockMinutes = 15;

/** One try to sign in. */
export type SignInTry = { email: string; address: string };

type Bucket = { hash: Buffer; max: number };

/**
 * Counts tries to sign in, exactly over all instances. A try is counted before the password is checked, so that many at once find no more
 * than the limit, and uncounted when it succeeds. Emails that no user has are counted alike.
 */
export class SignInGuesses {
  readonly #pool: Pool;
  readonly #keyring: Keyring;
  readonly codes: CodeTries;

  /** `pool` must be durable enough that a restart does not open a lock: that of the rate limits is. */
  constructor(pool: Pool, keyring: Keyring) {
    this.#pool = pool;
    this.#keyring = keyring;
    this.codes = new CodeTries(pool);
  }

  /** Throws when the email is locked for this address. */
  async count(tried: SignInTry): Promise<void> {
    const buckets = await this.#bucketsOf(tried);
    const rows = await query<{ bucket: Buffer; failures: number; seconds_left: number }>(
      this.#pool,
      `insert into sign_in_failures as f (bucket, failures, last_at)
       select x.bucket, 1, now() from unnest($1::bytea[], $2::int4[]) as x (bucket, max) order by x.bucket
       on conflict (bucket) do update
          set failures = case when f.last_at <= now() - make_interval(mins => $3) then 1 else f.failures + 1 end,
              last_at = case when f.last_at > now() - make_interval(mins => $3) and f.failures >= (
                select y.max from unnest($1::bytea[], $2::int4[]) as y (bucket, max) where y.bucket = f.bucket)
                then f.last_at else now() end
       returning bucket, failures,
                 ceil(extract(epoch from last_at + make_interval(mins => $3) - now()))::int4 as seconds_left`,
      [buckets.map(({ hash }) => hash), buckets.map(({ max }) => max), lockMinutes],
    );
    const locked = rows.filter((row) => row.failures > maxOf(buckets, row.bucket));
    if (locked.length === 0) return;
    const seconds = Math.max(1, ...locked.map((row) => row.seconds_left));
    throw refusal('sign_in_locked', {
      minutes: Math.ceil(seconds / 60),
      headers: { 'Retry-After': String(seconds) },
    });
  }

  /** The try was none: the password was right, and a code has yet to be sent. */
  async uncount(tried: SignInTry): Promise<void> {
    const hashes = (await this.#bucketsOf(tried)).map(({ hash }) => hash);
    const text = 'update sign_in_failures set failures = greatest(failures - 1, 0) where bucket = any($1::bytea[])';
    await query(this.#pool, text, [hashes]);
  }

  /** The person has signed in: the address is known from now on, and what was tried from it is forgotten. */
  async succeeded(tried: SignInTry, user: string): Promise<void> {
    await this.uncount(tried);
    const network = networkOf(tried.address);
    await query(this.#pool, 'delete from sign_in_failures where bucket = $1', [this.#narrow(tried.email, network)]);
    const text = 'insert into sign_in_networks (user_id, network) values ($1, $2) on conflict do nothing';
    await query(this.#pool, text, [user, network]);
  }

  async #bucketsOf({ email, address }: SignInTry): Promise<Bucket[]> {
    const network = networkOf(address);
    const narrow = { hash: this.#narrow(email, network), max: perNetworkMax };
    const known = await query(
      this.#pool,
      // Others who claim an email that is verified must not make their networks known for it.
      `select 1 from sign_in_networks n join users u on u.id = n.user_id
        where u.email = $1 and n.network = $2
          and coalesce((select v.user_id from verified_emails v where v.email = $1), u.id) = u.id`,
      [email, network],
    );
    return known.length > 0 ? [narrow] : [narrow, { hash: this.#keyring.hmac('sign_in', email), max: perEmailMax }];
  }

  #narrow(email: string, network: string): Buffer {
    return this.#keyring.hmac('sign_in', `${email}\n${network}`);
  }
}

function maxOf(buckets: readonly Bucket[], hash: Buffer): number {
  return buckets.find((one) => one.hash.equals(hash))!.max;
}

export async function sweepFailures(pool: Pool): Promise<void> {
  const text = `delete from sign_in_failures where last_at < now() - make_interval(mins => $1)`;
  await query(pool, text, [lockMinutes]);
}
