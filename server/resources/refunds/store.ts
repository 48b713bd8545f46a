import { save, type Table, table, type Write } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
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
