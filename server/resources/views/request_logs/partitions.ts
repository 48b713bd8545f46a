import type { SqlAt } from '../../../base/places/sql_at.ts';
import { type Pool, query } from '../../../base/sql.ts';
import type { Retention } from '../../../operations/retention.ts';
import { bodyDays } from './bodies.ts';

const partitionsAhead = 2; // days: the log can be written even if this maintenance task fails for two days
const dayMs = 86_400_000;
const lockTimeoutMs = 200;

/** Anybody can send requests without a key: an attack is looked into soon, or never. */
const anonymousDays = 3;

/**
 * Keeps one partition of the request log per day, from yesterday (because clocks differ) to the day after tomorrow. Requests of no tenant are
 * in the directory.
 */
export async function keepPartitions(relaxed: SqlAt, retention: Days): Promise<void> {
  for (const { sql } of relaxed.places('tenant')) await keepTenantPartitions(sql, retention);
  await keepAnonymousPartitions(relaxed.directory);
}

type Days = Pick<Retention, 'requestLogDays'>;

export async function keepTenantPartitions(pool: Pool, { requestLogDays }: Days): Promise<void> {
  const today = await todayOf(pool);
  await keepPartitionsOf(pool, 'requests', today, requestLogDays);
  await keepPartitionsOf(pool, 'request_bodies', today, Math.min(bodyDays, requestLogDays));
}

export async function keepAnonymousPartitions(pool: Pool): Promise<void> {
  await keepPartitionsOf(pool, 'anonymous_requests', await todayOf(pool), anonymousDays);
}

/** In epoch milliseconds, by the clock of the database. */
async function todayOf(pool: Pool): Promise<number> {
  const [today] = await query<{ ms: number }>(
    pool,
    `select extract(epoch from date_trunc('day', now() at time zone 'utc'))::int8 * 1000 as ms`,
    [],
  );
  return today!.ms;
}

type PartitionedTable = 'requests' | 'request_bodies' | 'anonymous_requests';

/** `today` in epoch milliseconds. */
async function keepPartitionsOf(pool: Pool, table: PartitionedTable, today: number, days: number): Promise<void> {
  const found = await query<{ name: string }>(
    pool,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = $1::regclass`,
    [table],
  );
  const existing = new Set(found.map((row) => row.name));
  for (let day = -1; day <= partitionsAhead; day++) {
    const start = new Date(today + day * dayMs);
    if (!existing.has(partitionName(table, start))) await createPartition(pool, table, start);
  }
  const oldest = partitionName(table, new Date(today - days * dayMs));
  for (const name of existing) if (name < oldest) await withLockTimeout(pool, `drop table if exists ${name}`);
}

async function createPartition(pool: Pool, table: PartitionedTable, start: Date): Promise<void> {
  const end = new Date(start.getTime() + dayMs);
  await withLockTimeout(
    pool,
    `create table if not exists ${partitionName(table, start)} partition of ${table}
       for values from ('${start.toISOString()}') to ('${end.toISOString()}') ${storage[table] ?? ''}`,
  );
}

/** Bodies stay in their rows, as they are: to compress those of more than 2 kB took longer than to write them. */
const storage: Partial<Record<PartitionedTable, string>> = { request_bodies: 'with (toast_tuple_target = 8160)' };

/**
 * Changing partitions needs an exclusive lock on the log. While a backup reads the log, for hours, waiting for that lock would block every
 * write to the log, so the statement gives up quickly and is retried by the next sweep. Another instance may do the same at the same time.
 */
async function withLockTimeout(pool: Pool, statement: string): Promise<void> {
  await query(
    pool,
    `do $$ begin
       perform set_config('lock_timeout', '${lockTimeoutMs}ms', true);
       ${statement};
     exception when lock_not_available or duplicate_table or invalid_object_definition or unique_violation then null; end $$`,
    [],
  );
}

/** Names sort like dates. */
function partitionName(table: PartitionedTable, day: Date): string {
  return `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}
