import { insert, table, update, type Write } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
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
export const replaceRefund = (refund: Refund): Write => update(refundsTable, refund);
