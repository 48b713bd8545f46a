import { type Pool, query } from '../../../base/sql.ts';
import type { UserId } from '../users/user.ts';
import { apiError } from './errors.ts';

const triesMax = 10;
const windowMinutes = 60;

/**
 * Counts the codes of authenticators that are tried for a user, exactly over all instances and whatever the address: with the password,
 * somebody could otherwise go through all codes from many addresses. A try is counted before the code is compared, and uncounted if it
 * was right.
 */
export class CodeTries {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Throws if the user has no tries left in this hour, which began with the first one. */
  async count(user: UserId): Promise<void> {
    const [row] = await query<{ tries: number; seconds_left: number }>(
      this.#pool,
      `insert into code_tries as t (user_id, tries, since) values ($1, 1, now())
       on conflict (user_id) do update
          set tries = case when t.since <= now() - make_interval(mins => $2) then 1 else least(t.tries + 1, $3 + 1) end,
              since = case when t.since <= now() - make_interval(mins => $2) then now() else t.since end
       returning tries, ceil(extract(epoch from since + make_interval(mins => $2) - now()))::int4 as seconds_left`,
      [user, windowMinutes, triesMax],
    );
    if (row!.tries <= triesMax) return;
    const seconds = Math.max(1, row!.seconds_left);
    throw apiError('sign_in_locked', {
      minutes: Math.ceil(seconds / 60),
      headers: { 'Retry-After': String(seconds) },
    });
  }

  async uncount(user: UserId): Promise<void> {
    await query(this.#pool, 'update code_tries set tries = greatest(tries - 1, 0) where user_id = $1', [user]);
  }
}

export async function sweepCodeTries(pool: Pool): Promise<void> {
  await query(pool, 'delete from code_tries where since < now() - make_interval(mins => $1)', [windowMinutes]);
}
