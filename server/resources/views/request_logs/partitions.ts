import type { Log } from '../../../base/log.ts';
import { type Pool, query, reasonOf } from '../../../base/sql.ts';
import type { Retention } from '../../../operations/retention.ts';
import { bodyDays } from './bodies.ts';

const partitionsAhead = 2; // days: the log can be written even if this maintenance task fails for two days
const dayMs = 86_400_000;
const lockTimeoutMs = 200;

/** Anybody can send requests without a key: an attack is looked into soon, or never. */
const anonymousDays = 3;

type Days = Pick<Retention, 'requestLogDays'>;

/**
 * Keeps one partition of the request log per day, from yesterday (because clocks differ) to the day after tomorrow. On a cluster, the
 * coordinator makes those of all places.
 */
export async function keepPartitions(directory: Pool, { requestLogDays }: Days): Promise<void> {
  const [today] = await query<{ ms: number }>(
    directory,
    `select extract(epoch from date_trunc('day', now() at time zone 'utc'))::int8 * 1000 as ms`,
    [],
  );
  await keepPartitionsOf(directory, 'requests', today!.ms, requestLogDays);
  await keepPartitionsOf(directory, 'request_bodies', today!.ms, Math.min(bodyDays, requestLogDays));
  await keepPartitionsOf(directory, 'anonymous_requests', today!.ms, anonymousDays);
}

/**
 * At the start of a server. With a log, which is that of a cluster, it may fail: all servers of the cluster have to answer for it, and while one
 * does not, the places of the others are served. Maintenance tries again.
 */
export async function makeFirstPartitions(directory: Pool, retention: Days, log: Log | undefined): Promise<void> {
  try {
    await keepPartitions(directory, retention);
  } catch (error) {
    if (log === undefined) throw error;
    log.warn(
      { error: reasonOf(error) },
      'could not make the next partitions of the request log; it is tried again in a minute',
    );
  }
}

type PartitionedTable = 'requests' | 'request_bodies' | 'anonymous_requests';

/** `today` in epoch milliseconds. */
async function keepPartitionsOf(pool: Pool, table: PartitionedTable, today: number, days: number): Promise<void> {
  const [found] = await query<{ schema: string; names: string[] }>(
    pool,
    `select quote_ident(n.nspname) as schema,
            array(select c.relname::text from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = t.oid) as names
       from pg_class t join pg_namespace n on n.oid = t.relnamespace where t.oid = $1::regclass`,
    [table],
  );
  const { schema, names } = found!;
  const existing = new Set(names);
  for (let day = -1; day <= partitionsAhead; day++) {
    const start = new Date(today + day * dayMs);
    if (!existing.has(partitionName(table, start))) await createPartition(pool, schema, table, start);
  }
  const oldest = partitionName(table, new Date(today - days * dayMs));
  for (const name of existing) if (name < oldest) await withLockTimeout(pool, `drop table if exists ${schema}.${name}`);
}

async function createPartition(pool: Pool, schema: string, table: PartitionedTable, start: Date): Promise<void> {
  const end = new Date(start.getTime() + dayMs);
  await withLockTimeout(
    pool,
    `create table if not exists ${schema}.${partitionName(table, start)} partition of ${schema}.${table}
       for values from ('${start.toISOString()}') to ('${end.toISOString()}') ${storage[table] ?? ''}`,
  );
}

/** Bodies stay in their rows, as they are: to compress those of more than 2 kB took longer than to write them. */
const storage: Partial<Record<PartitionedTable, string>> = { request_bodies: 'with (toast_tuple_target = 8160)' };

/**
 * Changing partitions needs an exclusive lock on the log. While a backup reads the log, for hours, waiting for that lock would block every
 * write to the log, so the statement gives up quickly and is retried by the next sweep. Another instance may do the same at the same time.
 * A coordinator passes on what is set after its own setting.
 */
async function withLockTimeout(pool: Pool, statement: string): Promise<void> {
  await query(
    pool,
    `do $$ begin
       set local citus.propagate_set_commands = 'local';
       set local lock_timeout = '${lockTimeoutMs}ms';
       ${statement};
     exception when lock_not_available or duplicate_table or invalid_object_definition or unique_violation then null; end $$`,
    [],
  );
}

/** Names sort like dates. */
function partitionName(table: PartitionedTable, day: Date): string {
  return `${table}_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}
