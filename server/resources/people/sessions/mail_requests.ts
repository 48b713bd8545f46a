import { type DirectoryWrite, remove, type Table, table } from '../../../base/commit/index.ts';
import type { Keyring } from '../../../base/keyring.ts';
import type { Leasable } from '../../../base/lease.ts';
import { type Pool, query } from '../../../base/sql.ts';
import { installation } from '../../../operations/caller.ts';
import { apiError } from './errors.ts';

const windowMinutes = 60;

/** What is counted, such as an email, and how many mails can be asked for in an hour. */
export type MailRequest = { kind: 'reset of' | 'reset from' | 'code'; of: string; max: number };

/**
 * Counts the mails that somebody asks for, exactly over all instances: a stranger could otherwise fill a mailbox. What nobody has is counted
 * alike.
 */
export class MailRequests {
  readonly #pool: Pool;
  readonly #keyring: Keyring;

  constructor(pool: Pool, keyring: Keyring) {
    this.#pool = pool;
    this.#keyring = keyring;
  }

  /** Throws if there were as many in this hour, which began with the first one. */
  async count({ kind, of, max }: MailRequest): Promise<void> {
    const [row] = await query<{ requests: number; seconds_left: number }>(
      this.#pool,
      `insert into mail_requests as m (bucket, requests, since) values ($1, 1, now())
       on conflict (bucket) do update
          set requests = case when m.since <= now() - make_interval(mins => $2) then 1 else least(m.requests + 1, $3 + 1) end,
              since = case when m.since <= now() - make_interval(mins => $2) then now() else m.since end
       returning requests, ceil(extract(epoch from since + make_interval(mins => $2) - now()))::int4 as seconds_left`,
      [this.#keyring.hmac('sign_in', `${kind}\n${of}`), windowMinutes, max],
    );
    if (row!.requests <= max) return;
    const seconds = Math.max(1, row!.seconds_left);
    throw apiError('mail_limit', { minutes: Math.ceil(seconds / 60), headers: { 'Retry-After': String(seconds) } });
  }

  /**
   * Keeps a request for a link until a job has looked whose it is: beside the commits, because a visitor is in no audit log. Somebody whose
   * request is lost in a crash of the database asks again.
   */
  async keep({ id, request, due_at }: Pick<ResetRequest, 'id' | 'request' | 'due_at'>): Promise<void> {
    const text = 'insert into reset_requests (tenant, id, version, request, due_at) values ($1, $2, 1, $3, $4)';
    await query(this.#pool, text, [installation, id, request, due_at]);
  }
}

/** A visitor has forgotten a password. The email and the address are sealed. */
export type ResetRequest = Leasable & { request: Buffer };

export const requestsTable: Table<ResetRequest, 'directory'> = table('reset_requests', {
  home: 'directory',
  int4: 'tenant version',
  text: 'id',
  bytea: 'request',
  timestamptz: 'due_at lease_until',
});

export const dropResetRequest = (request: ResetRequest): DirectoryWrite => remove(requestsTable, request);

export async function sweepMailRequests(pool: Pool): Promise<void> {
  await query(pool, 'delete from mail_requests where since < now() - make_interval(mins => $1)', [windowMinutes]);
}
