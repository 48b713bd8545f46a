import type { Table } from '../base/commit/index.ts';
import { firstIdAt } from '../base/id.ts';
import { type Pool, query, type Sql } from '../base/sql.ts';
import type { TenantsThere } from './job.ts';

const dayMs = 86_400_000;
export const rowsPerStep = 5_000; // small steps: no long locks, no long transactions

/** The table to purge, the column whose ids begin with the time that counts, and which rows are purged at all. */
export type Aged = { table: Pick<Table, 'name'>; id: string; prefix: string; where?: string };

/**
 * Deletes the rows that are older than this many days, by the clock of the database. Ids begin with a time and every key begins with the
 * tenant, so the old rows of a tenant are the start of its key range.
 */
export async function purgeOlderThan(pool: Pool, days: number, aged: Aged, tenants: TenantsThere): Promise<void> {
  const [clock] = await query<{ ms: number }>(pool, 'select extract(epoch from now())::int8 * 1000 as ms', []);
  const oldestKept = firstIdAt(aged.prefix, clock!.ms - days * dayMs);
  for (const { tenant } of await tenantsWithOlder(pool, aged, oldestKept, await tenants()))
    await purge(pool, aged, tenant, oldestKept);
}

/** Reads one row at the start of each tenant's key range. The limit keeps the planner from reading the whole table for it. */
function tenantsWithOlder(
  pool: Pool,
  { table, id, where = 'true' }: Aged,
  oldestKept: string,
  tenants: readonly number[],
): Promise<{ tenant: number }[]> {
  return query<{ tenant: number }>(
    pool,
    `select t.tenant from unnest($2::int4[]) as t (tenant)
      cross join lateral (
        select from ${table.name} x where x.tenant = t.tenant and x.${id} < $1 and (${where}) order by x.${id} limit 1) old`,
    [oldestKept, tenants],
  );
}

/** Locked rows are skipped and left to the next sweep. */
function purge(pool: Pool, { table, id, where = 'true' }: Aged, tenant: number, oldestKept: string): Promise<void> {
  return inSteps(
    pool,
    `delete from ${table.name} where tenant = $1 and ctid = any (array(
       select ctid from ${table.name} where tenant = $1 and ${id} < $2 and (${where}) order by ${id} limit ${rowsPerStep}
          for update skip locked))`,
    [tenant, oldestKept],
  );
}

/** Repeats a statement that changes up to `rowsPerStep` rows until it finds fewer. */
export async function inSteps(pool: Sql | Pool, statement: string, values: unknown[]): Promise<void> {
  const text = `with step as (${statement} returning 1) select count(*) as rows from step`;
  for (let rows = rowsPerStep; rows === rowsPerStep; )
    rows = (await query<{ rows: number }>(pool, text, values))[0]!.rows;
}
