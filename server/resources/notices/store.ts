import { remove, type Table, table, update, type Write } from '../../base/commit/index.ts';
import { newId } from '../../base/id.ts';
import { type Pool, query, type Sql } from '../../base/sql.ts';
import type { Notice } from '../../connectors/contract.ts';
import { type FailedNotice, failuresMax, noticePause, storedReason } from './failed_notice.ts';

export const failedNoticesTable: Table<FailedNotice> = table('failed_notices', {
  int4: 'tenant version failures',
  text: 'id connector notice_id kind reason',
  json: 'notice',
  timestamptz: 'due_at lease_until',
});

export const replaceFailedNotice = (notice: FailedNotice): Write => update(failedNoticesTable, notice);
export const removeFailedNotice = (notice: FailedNotice): Write => remove(failedNoticesTable, notice);

/** Keeps a notice that could not be recorded. Another instance may have kept it at the same moment. */
export async function keepNotice(
  pool: Pool,
  connector: string,
  notice: Notice,
  error: unknown,
  now: number,
): Promise<void> {
  const due = new Date(now + noticePause(failuresMax));
  await query(
    pool,
    `insert into failed_notices (tenant, id, version, connector, notice_id, kind, notice, reason, failures, due_at)
     values ($1, $2, 1, $3, $4, $5, $6, $7, $8, $9) on conflict (tenant, connector, notice_id) do nothing`,
    [
      ...[notice.tenant, newId('ntc', now), connector, notice.id, notice.kind, JSON.stringify(notice)],
      ...[storedReason(error), failuresMax, due],
    ],
  );
}

/** The oldest ones, of everybody. */
export function findFailedNotices(sql: Sql): Promise<FailedNotice[]> {
  return query<FailedNotice>(
    sql,
    `select ${failedNoticesTable.columns.join(', ')} from failed_notices order by id limit 1000`,
    [],
  );
}

export async function findFailedNotice(sql: Sql, id: string): Promise<FailedNotice | undefined> {
  const [found] = await query<FailedNotice>(
    sql,
    `select ${failedNoticesTable.columns.join(', ')} from failed_notices where id = $1`,
    [id],
  );
  return found;
}

export async function countFailedNotices(pool: Pool): Promise<number> {
  const [row] = await query<{ count: number }>(pool, 'select count(*)::int as count from failed_notices', []);
  return row!.count;
}
