import { insert, save, table, update, type Write } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { Sql } from '../../base/sql.ts';
import { tenantsTable } from '../accounts/tenants.ts';
import type { Refund, RefundId } from './refund.ts';

export const refundsTable = table<Refund>(
  'refunds',
  {
    tenant: 'int4',
    id: 'text',
    version: 'int4',
    payment: 'text',
    amount: 'int8',
    currency: 'text',
    status: 'text',
    reason: 'text',
    metadata: 'json',
    failure_reason: 'text',
    attempt: 'text',
    inquiries: 'int4',
    flagged_at: 'timestamptz',
    due_at: 'timestamptz',
    lease_until: 'timestamptz',
  },
  { key: ['tenant', 'id'] },
);

export function findRefund(reads: Reads, tenant: Tenant, id: RefundId): Promise<Refund | undefined> {
  return reads.one(refundsTable, tenant, id);
}

export const addRefund = (refund: Refund): Write => insert(refundsTable, refund);
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
