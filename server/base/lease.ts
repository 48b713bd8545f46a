import { Batcher } from './batcher.ts';
import type { Table } from './commit/index.ts';
import type { Tenant } from './reads.ts';
import { type Pool, query, type Row } from './sql.ts';

/** A row that the worker leases when it is due. */
export type Leasable = { tenant: Tenant; id: string; version: number; due_at: Date | null; lease_until: Date | null };

/**
 * Rows leased by a killed instance must be leased by another one within 15 s. The lease may have been renewed just before, and the other
 * instance polls, so a lease is shorter than that.
 */
export const leaseSeconds = 12;
export const renewLeaseEveryMs = 4_000;

const looksMax = 50;

type Look = { table: string; aheadMs: number };

/** By pool. Every instance looks twice a second for each duty, so an idle one would mostly be busy with that. */
const looks = new WeakMap<Pool, Batcher<Look, boolean>>();

/** Whether a table has rows to lease. Duties look at the same moment, and share one statement. */
function hasDue(pool: Pool, look: Look): Promise<boolean> {
  let batcher = looks.get(pool);
  if (batcher === undefined) {
    batcher = new Batcher({ itemsMax: looksMax, run: (wanted) => lookFor(pool, wanted) });
    looks.set(pool, batcher);
  }
  return batcher.add(look);
}

async function lookFor(pool: Pool, wanted: readonly Look[]): Promise<boolean[]> {
  const parts = wanted.map(({ table }, at) => `exists (select from ${table} where ${isDue(`$${at + 1}`)}) as is_${at}`);
  const [row] = await query<Record<string, boolean>>(
    pool,
    `select ${parts.join(', ')}`,
    wanted.map(({ aheadMs }) => aheadMs / 1_000),
  );
  return wanted.map((_, at) => row![`is_${at}`]!);
}

function isDue(ahead: string): string {
  return `due_at <= now() + make_interval(secs => ${ahead}) and (lease_until is null or lease_until <= now())`;
}

/**
 * Leases rows that are due, by the database's clock. A lease changes the version of the row: a decision on the previous version, or under
 * an earlier lease, can no longer commit. `aheadMs` is how far a test's clock is ahead of the database's.
 */
export async function leaseDue<T extends Leasable>(
  pool: Pool,
  table: Table<T>,
  limit: number,
  aheadMs: number,
): Promise<T[]> {
  const { name, columns } = table;
  if (!(await hasDue(pool, { table: name, aheadMs }))) return [];
  return query<T & Row>(
    pool,
    `update ${name} t set lease_until = now() + interval '${leaseSeconds} seconds', version = t.version + 1
       from (select tenant, id from ${name}
              where ${isDue('$2')}
              order by due_at limit $1 for update skip locked) due
      where t.tenant = due.tenant and t.id = due.id
      returning ${columns.map((column) => `t.${column}`).join(', ')}`,
    [limit, aheadMs / 1_000],
    `lease_${name}`,
  );
}

/** Renews a lease if the caller still holds it. */
export async function renewLease(pool: Pool, table: Table<never>, row: Leasable): Promise<void> {
  await query(
    pool,
    `update ${table.name} set lease_until = now() + interval '${leaseSeconds} seconds'
      where tenant = $1 and id = $2 and version = $3`,
    [row.tenant, row.id, row.version],
  );
}
