import { type Pool, query } from '../base/sql.ts';
import type { Chore } from '../resources/duty.ts';

const requestLogDays = 30;
const partitionsAhead = 2; // days: the log goes on through two days in which this cannot run
const dayMs = 86_400_000;
const lockTimeoutMs = 200;
const rowsPerStep = 5_000; // small steps: no long locks, no long transactions

export const httpChores: readonly Chore[] = [
  { name: 'partitions of the request log', run: keepPartitions },
  { name: 'expired idempotency keys', run: (pool) => deleteExpired(pool, 'idempotency') },
  { name: 'used signatures', run: (pool) => deleteExpired(pool, 'used_signatures') },
];

/** One partition of the request log a day, from yesterday (clocks differ) to the day after tomorrow. */
export async function keepPartitions(pool: Pool): Promise<void> {
  const [today] = await query<{ ms: number }>(
    pool,
    `select extract(epoch from date_trunc('day', now() at time zone 'utc'))::int8 * 1000 as ms`,
    [],
  );
  const found = await query<{ name: string }>(
    pool,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'requests'::regclass`,
    [],
  );
  const existing = new Set(found.map((row) => row.name));
  for (let day = -1; day <= partitionsAhead; day++) {
    const start = new Date(today!.ms + day * dayMs);
    if (!existing.has(partitionName(start))) await createPartition(pool, start);
  }
  const oldest = partitionName(new Date(today!.ms - requestLogDays * dayMs));
  for (const name of existing) if (name < oldest) await withLockTimeout(pool, `drop table if exists ${name}`);
}

async function createPartition(pool: Pool, start: Date): Promise<void> {
  const end = new Date(start.getTime() + dayMs);
  await withLockTimeout(
    pool,
    `create table if not exists ${partitionName(start)} partition of requests
       for values from ('${start.toISOString()}') to ('${end.toISOString()}')`,
  );
}

/**
 * Changing partitions needs an exclusive lock on the log. While it is being read (by a backup, for hours), waiting for the lock would hold
 * up every request that is logged, so the statement gives up quickly and the next sweep tries again. Another instance may be doing the
 * same.
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
function partitionName(day: Date): string {
  return `requests_${day.toISOString().slice(0, 10).replaceAll('-', '')}`;
}

/** Locked rows are skipped and left to the next sweep. */
async function deleteExpired(pool: Pool, name: 'idempotency' | 'used_signatures'): Promise<void> {
  for (;;) {
    const [step] = await query<{ rows: number }>(
      pool,
      `with gone as (
         delete from ${name} where ctid = any (array(select ctid from ${name} where expires_at <= now() limit ${rowsPerStep}
                                                     for update skip locked)) returning 1)
       select count(*) as rows from gone`,
      [],
    );
    if (step!.rows < rowsPerStep) return;
  }
}
