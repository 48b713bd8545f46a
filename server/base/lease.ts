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

/**
 * Leases rows that are due, by the database's clock. A lease changes the version of the row: a decision on the previous version, or under
 * an earlier lease, can no longer commit. `aheadMs` is how far a test's clock is ahead of the database's.
 */
export function leaseDue<T extends Leasable>(
  pool: Pool,
  table: Table<T>,
  limit: number,
  aheadMs: number,
): Promise<T[]> {
  const { name, columns } = table;
  return query<T & Row>(
    pool,
    `update ${name} t set lease_until = now() + interval '${leaseSeconds} seconds', version = t.version + 1
       from (select tenant, id from ${name}
              where due_at <= now() + make_interval(secs => $2) and (lease_until is null or lease_until <= now())
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
