import { insert, rowSource, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import { firstIdAt } from '../../../base/id.ts';
import { leaseSeconds } from '../../../base/lease.ts';
import { type ConnectionsAt, firstRowsEverywhere } from '../../../base/places/connections.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query, type Sql } from '../../../base/sql.ts';
import type { ProcessorAccountId } from '../../../connectors/contract.ts';
import type { TenantsThere } from '../../../operations/job.ts';
import { purgeOlderThan } from '../../../operations/purge.ts';
import type { Retention } from '../../../operations/retention.ts';
import type { NoticeState, StoredNotice } from './stored_notice.ts';

const daysKept = 30;

const stateColumns = {
  int4: 'tenant version failures',
  text: 'id connector processor_account event_id reason',
  json: 'reported',
  timestamptz: 'flagged_at due_at lease_until',
} as const;

export const noticesTable: Table<StoredNotice> = table('notices', { ...stateColumns, bytea: 'request' });

/** Without the request, which can be large and never changes. */
export const noticeStatesTable: Table<NoticeState> = table('notices', stateColumns);

export const replaceNotice = (notice: NoticeState): Write => update(noticeStatesTable, notice);

const shownColumns = noticeStatesTable.columns.join(', ');
const newRows = rowSource(noticesTable.columns, noticesTable.types, 1);
const changedRows = rowSource(noticeStatesTable.columns, noticeStatesTable.types, 1);

/**
 * Stores notices, many in one statement. Gives the ids of those that were not stored before. Those with a lease get it by the clock of the
 * database.
 */
export async function addNotices(pool: Sql | Pool, notices: readonly StoredNotice[]): Promise<Set<string>> {
  const cell = newRows.expression;
  const rows = await query<{ id: string }>(
    pool,
    `insert into notices (tenant, id, version, connector, processor_account, event_id, request, reported, failures, due_at,
                          lease_until)
     select x.tenant, x.id, x.version, x.connector, x.processor_account, x.event_id, ${cell('request')}, ${cell('reported')},
            x.failures, x.due_at, case when x.lease_until is not null then now() + interval '${leaseSeconds} seconds' end
       from ${newRows.from} on conflict do nothing returning id`,
    newRows.values(notices.map((notice) => insert(noticesTable, notice))),
    'add_notices',
  );
  return new Set(rows.map(({ id }) => id));
}

/** Writes what became of notices, many in one statement. One that another instance has leased meanwhile is left to that instance. */
export async function settleNotices(pool: Sql | Pool, notices: readonly NoticeState[]): Promise<void> {
  await query(
    pool,
    `update notices t set version = x.version, failures = x.failures, reason = x.reason,
            reported = ${changedRows.expression('reported')}, flagged_at = x.flagged_at, due_at = x.due_at, lease_until = null
       from ${changedRows.from} where t.tenant = x.tenant and t.id = x.id and t.version = x.version - 1`,
    changedRows.values(notices.map(replaceNotice)),
    'settle_notices',
  );
}

const flaggedMax = 1_000;

/** The oldest ones that need a person, of all tenants. */
export function findFlaggedNotices(at: ConnectionsAt): Promise<NoticeState[]> {
  const text = `select ${shownColumns} from notices where flagged_at is not null order by flagged_at, id`;
  return firstRowsEverywhere<NoticeState>(at, text, [], {
    order: (one, other) => Number(one.flagged_at) - Number(other.flagged_at) || (one.id < other.id ? -1 : 1),
    limit: flaggedMax,
  });
}

/** The same of a tenant. */
export function findFlaggedNoticesOf(reads: Reads, tenant: Tenant, limit: number): Promise<NoticeState[]> {
  return reads.rows<NoticeState>(
    `select ${shownColumns} from notices where tenant = $1 and flagged_at is not null order by flagged_at, id limit $2`,
    [tenant, limit],
  );
}

export function findFlaggedNotice(at: ConnectionsAt, id: string): Promise<NoticeState | undefined> {
  const text = `select ${shownColumns} from notices where id = $1 and flagged_at is not null`;
  return at.find(async ({ sql }) => (await query<NoticeState>(sql, text, [id]))[0]);
}

export async function countFlaggedNotices(pool: Pool): Promise<number> {
  const [row] = await query<{ count: number }>(
    pool,
    'select count(*)::int as count from notices where flagged_at is not null',
    [],
  );
  return row!.count;
}

/** For how long the notice that has waited longest should have been handled. */
export async function oldestDueSeconds(pool: Pool): Promise<number> {
  const [row] = await query<{ seconds: string | null }>(
    pool,
    'select greatest(extract(epoch from now() - min(due_at)), 0) as seconds from notices where due_at is not null',
    [],
  );
  return Number(row!.seconds ?? 0);
}

/** The notices that are replayed: those of a processor account from a moment on, or one of them. */
export type ReplayRange = { account: ProcessorAccountId; since: number; event: string | null; after: string };

/** Notices that no instance is about to handle, oldest first. */
export function findReplayable(reads: Reads, tenant: Tenant, range: ReplayRange, limit: number) {
  const { account, since, event, after } = range;
  const first = firstIdAt('ntc', since);
  return reads.rows<NoticeState>(
    `select ${shownColumns} from notices
      where tenant = $1 and processor_account = $2 and ($3::text is null or event_id = $3) and id >= $4 and id > $5
        and (due_at is null or flagged_at is not null)
      order by id limit $6`,
    [tenant, account, event, first, after, limit],
  );
}

/** Deletes what was recorded or dismissed. What still waits is kept. */
export function sweepNotices(pool: Pool, _: Retention, tenants: TenantsThere): Promise<void> {
  const done = 'due_at is null and flagged_at is null';
  return purgeOlderThan(pool, daysKept, { table: noticesTable, id: 'id', prefix: 'ntc', where: done }, tenants);
}
