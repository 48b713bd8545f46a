import { save, type Table, table, type Write } from '../../base/commit/index.ts';
import type { Refund } from './refund.ts';

export const refundsTable: Table<Refund> = table('refunds', {
  int4: 'tenant version inquiries',
  text: 'id payment currency status reason failure_reason attempt',
  int8: 'amount',
  json: 'metadata',
  timestamptz: 'flagged_at due_at lease_until',
});

export const saveRefund = (refund: Refund): Write => save(refundsTable, refund);
