import { networkOf } from '../../../base/ip_range.ts';
import type { Keyring } from '../../../base/keyring.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { UserId } from '../users/user.ts';
import { CodeTries } from './code_tries.ts';
import { apiError } from './errors.ts';
import { MailRequests } from './mail_requests.ts';

const perNetworkMax = 10;
const perUserMax = 100; // from networks that the user never signed in from
const lockMinutes = 15;

/** One try to sign in, and the users whose passwords it is compared with: those of the email, or none. */
export type SignInTry = { email: string; address: string; users: readonly UserId[] };

/** `user`: of whose failures it is the count; undefined for the count of an email. */
type Bucket = { hash: Buffer; max: number; user?: UserId };

/**
 * Counts tries to sign in, exactly over all instances. A try is counted before the password is checked, so that many concurrent ones find no more
 * than the limit, and uncounted when it succeeds. Emails that no user has are counted alike.
 *
 * Users who have the same email may be strangers, and one may guess at the password of another: each has a count and known networks of
 * their own, and a success of one forgets nothing.
 */
export class SignInGuesses {
  readonly #pool: Pool;
  readonly #keyring: Keyring;
  readonly codes: CodeTries;
  readonly mails: MailRequests;

  /** `pool` must be durable enough that a restart does not open a lock: that of the rate limits is. */
  constructor(pool: Pool, keyring: Keyring) {
    this.#pool = pool;
    this.#keyring = keyring;
    this.codes = new CodeTries(pool);
    this.mails = new MailRequests(pool, keyring);
  }

  /** Throws when the email is locked for this address. Returns the users who are not. */
  async count(tried: SignInTry): Promise<ReadonlySet<UserId>> {
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
    const locked = rows.filter((row) => row.failures > bucketOf(buckets, row.bucket).max);
    const lockedUsers = new Set(locked.map((row) => bucketOf(buckets, row.bucket).user));
    const open = new Set(tried.users.filter((user) => !lockedUsers.has(user)));
    if (locked.length === 0 || (open.size > 0 && !lockedUsers.has(undefined))) return open;
    const seconds = Math.max(1, ...locked.map((row) => row.seconds_left));
    throw apiError('sign_in_locked', {
      minutes: Math.ceil(seconds / 60),
      headers: { 'Retry-After': String(seconds) },
    });
  }

  /** The try was none: the password was right, and a code has yet to be sent. */
  async uncount(tried: SignInTry): Promise<void> {
    const hashes = (await this.#bucketsOf(tried)).map(({ hash }) => hash);
    await query(
      this.#pool,
      // Locked in the order of `count`: in any other, two concurrent tries could wait for each other.
      `with counted as materialized (select bucket from sign_in_failures where bucket = any($1::bytea[]) order by bucket for update)
       update sign_in_failures f set failures = greatest(f.failures - 1, 0) from counted c where f.bucket = c.bucket`,
      [hashes],
    );
  }

  /** The person has signed in: what was tried from the address is forgotten, unless others have the email. */
  async succeeded(tried: SignInTry): Promise<void> {
    await this.uncount(tried);
    if (tried.users.length !== 1) return;
    const bucket = this.#narrow(tried.email, networkOf(tried.address));
    await query(this.#pool, 'delete from sign_in_failures where bucket = $1', [bucket]);
  }

  async #bucketsOf({ email, address, users }: SignInTry): Promise<Bucket[]> {
    const network = networkOf(address);
    const narrow = { hash: this.#narrow(email, network), max: perNetworkMax };
    const rows = await query<{ user_id: UserId }>(
      this.#pool,
      'select user_id from sign_in_networks where user_id = any($1) and network = $2',
      [users, network],
    );
    if (users.length === 0) return [narrow, { hash: this.#keyring.hmac('sign_in', email), max: perUserMax }];
    const known = new Set(rows.map(({ user_id }) => user_id));
    const strangers = users.filter((user) => !known.has(user));
    const wide = strangers.map((user) => ({ hash: this.#keyring.hmac('sign_in', user), max: perUserMax, user }));
    return [narrow, ...wide];
  }

  #narrow(email: string, network: string): Buffer {
    return this.#keyring.hmac('sign_in', `${email}\n${network}`);
  }
}

function bucketOf(buckets: readonly Bucket[], hash: Buffer): Bucket {
  return buckets.find((one) => one.hash.equals(hash))!;
}

export async function sweepFailures(pool: Pool): Promise<void> {
  const text = `delete from sign_in_failures where last_at < now() - make_interval(mins => $1)`;
  await query(pool, text, [lockMinutes]);
}
