import { insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import { firstIdAt } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import { codeMs, type PortalCode } from './code.ts';

export const portalCodesTable: Table<PortalCode> = table('portal_codes', {
  int4: 'tenant version tries',
  text: 'id',
  bytea: 'sealed email_hash hash',
  timestamptz: 'expires_at proved_at used_at due_at lease_until',
});

export const addCode = (code: PortalCode): Write => insert(portalCodesTable, code);
/** Guarded: of several tries at the same moment, each is counted. */
export const replaceCode = (code: PortalCode): Write => update(portalCodesTable, code);

/** Those that can still be entered, the newest first. */
export function findWaiting(reads: Reads, tenant: Tenant, now: number, limit: number): Promise<PortalCode[]> {
  return reads.rows<PortalCode>(
    `select ${portalCodesTable.columns.join(', ')} from portal_codes
      where tenant = $1 and id > $2 and expires_at > $3 and due_at is null order by id desc limit $4`,
    [tenant, firstIdAt('pc', now - codeMs), new Date(now), limit],
  );
}

/** How many codes an address was asked for in an hour, this one included. */
export async function countForAddress(
  reads: Reads,
  { tenant, email_hash, id }: PortalCode,
  since: string,
): Promise<number> {
  const [row] = await reads.rows<{ count: number }>(
    'select count(*)::int4 as count from portal_codes where tenant = $1 and email_hash = $2 and id > $3 and id <= $4',
    [tenant, email_hash, since, id],
  );
  return row!.count;
}

/** Takes one of the codes that a network has in an hour. Gives how many it has taken, and when the hour is over. */
export async function takeCode(pool: Pool, network: Buffer): Promise<{ codes: number; seconds_left: number }> {
  const [row] = await query<{ codes: number; seconds_left: number }>(
    pool,
    `insert into portal_code_counts as c (network, codes, since) values ($1, 1, now())
     on conflict (network) do update
        set codes = case when c.since <= now() - interval '1 hour' then 1 else least(c.codes + 1, 1000000) end,
            since = case when c.since <= now() - interval '1 hour' then now() else c.since end
     returning codes, ceil(extract(epoch from since + interval '1 hour' - now()))::int4 as seconds_left`,
    [network],
  );
  return row!;
}

/** A code is of no use after minutes; it is kept for an hour, to count what an address was sent. */
export async function sweepCodes(pool: Pool): Promise<void> {
  await query(pool, "delete from portal_codes where expires_at < now() - interval '1 hour'", []);
}

export async function sweepCodeCounts(pool: Pool): Promise<void> {
  await query(pool, "delete from portal_code_counts where since < now() - interval '1 hour'", []);
}
