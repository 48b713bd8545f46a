import { insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { PortalSession } from './portal_session.ts';

/** Without `last_used`, which is written beside the commits. */
export const portalSessionsTable: Table<PortalSession> = table('portal_sessions', {
  int4: 'tenant version',
  text: 'id customer return_url flow subject',
  bytea: 'hash',
  timestamptz: 'link_ends begun_at ended_at',
});

const columns = portalSessionsTable.columns.join(', ');

export const addPortalSession = (session: PortalSession): Write => insert(portalSessionsTable, session);
/** Guarded: of two who use a link at the same moment, one succeeds. */
export const replacePortalSession = (session: PortalSession): Write => update(portalSessionsTable, session);

export type SeenPortalSession = PortalSession & { last_used: Date | null };

export async function findByCookie(reads: Reads, tenant: Tenant, hash: Buffer): Promise<SeenPortalSession | undefined> {
  const [row] = await reads.rows<SeenPortalSession>(
    `select ${columns}, last_used from portal_sessions where tenant = $1 and hash = $2`,
    [tenant, hash],
  );
  return row;
}

/** Those of a customer that have begun and not ended, as many as one commit ends. */
export function findBegun(reads: Reads, tenant: Tenant, customer: string, limit: number): Promise<PortalSession[]> {
  return reads.rows<PortalSession>(
    `select ${columns} from portal_sessions where tenant = $1 and customer = $2 and hash is not null and ended_at is null
      order by id limit $3`,
    [tenant, customer, limit],
  );
}

export async function noteUsed(pool: Pool, { tenant, id }: PortalSession, now: number): Promise<void> {
  await query(pool, 'update portal_sessions set last_used = $3 where tenant = $1 and id = $2', [
    tenant,
    id,
    new Date(now),
  ]);
}

/** A session lives for eight hours at most, and a link for minutes. */
export async function sweepPortalSessions(pool: Pool): Promise<void> {
  await query(pool, "delete from portal_sessions where coalesce(begun_at, link_ends) < now() - interval '1 day'", []);
}
