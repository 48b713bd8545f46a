import { save, type Table, table, update, type Write } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { Sql } from '../../base/sql.ts';
import { tenantsTable } from '../accounts/tenants.ts';
import type { Refund, RefundId } from './refund.ts';

export const refundsTable: Table<Refund> = table('refunds', {
  int4: 'tenant version inquiries',
  text: 'id payment currency status reason failure_reason attempt',
  int8: 'amount',
  json: 'metadata',
  timestamptz: 'flagged_at due_at lease_until',
});

export function findRefund(reads: Reads, tenant: Tenant, id: RefundId): Promise<Refund | undefined> {
  return reads.one(refundsTable, tenant, id);
}

export const saveRefund = (refund: Refund): Write => save(refundsTable, refund);
export const replaceRefund = (refund: Refund): Write => update(refundsTable, refund);

/** For a person at the command line, who has an id and no tenant. */
export async function findRefundById(sql: Sql, id: string): Promise<Refund | undefined> {
  const result = await sql.query<Refund>(
    `select ${refundsTable.columns.join(', ')} from refunds where tenant in (select tenant from ${tenantsTable}) and id = $1`,
    [id],
  );
  return result.rows[0];
}

/** Refunds that nobody but a person can settle any more. */
export async function listFlaggedRefunds(sql: Sql): Promise<Refund[]> {
  const result = await sql.query<Refund>(
    `select ${refundsTable.columns.join(', ')} from refunds
      where tenant in (select tenant from ${tenantsTable}) and flagged_at is not null order by flagged_at limit 1000`,
  );
  return result.rows;
}
