import { insert, remove, save, type Table, table, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Reader } from '../../payments/attempts/topic.ts';
import type { PaymentId } from '../../payments/payments/payment.ts';
import type { Line } from '../invoices/line.ts';
import type { SubscriptionId } from '../subscription_state/subscription.ts';
import type { PendingChange } from './pending_plan.ts';

/** A line that waits for the next invoice of its subscription. */
export type WaitingLine = { tenant: Tenant; id: string; version: number; subscription: SubscriptionId; line: Line };

export const waitingLinesTable: Table<WaitingLine> = table('waiting_lines', {
  int4: 'tenant version',
  text: 'id subscription',
  json: 'line',
});

export const addWaitingLine = (waiting: WaitingLine): Write => insert(waitingLinesTable, waiting);
export const takeWaitingLine = (waiting: WaitingLine): Write => remove(waitingLinesTable, waiting);

export const pendingChangesTable: Table<PendingChange> = table('pending_changes', {
  int4: 'tenant version',
  text: 'id',
  json: 'plan',
  timestamptz: 'due_at lease_until',
});

export const savePendingChange = (change: PendingChange): Write => save(pendingChangesTable, change);
export const removePendingChange = (change: PendingChange): Write => remove(pendingChangesTable, change);

/** Whether a change waits for a payment: then a challenge of the payment is a decline. */
export async function hasPendingChange({ reads, tenant }: Reader, payment: PaymentId): Promise<boolean> {
  return (await reads.one(pendingChangesTable, tenant, payment)) !== undefined;
}

export function findWaitingLines(reads: Reads, tenant: Tenant, subscription: SubscriptionId): Promise<WaitingLine[]> {
  return reads.rows(
    `select ${waitingLinesTable.columns.join(', ')} from waiting_lines
      where tenant = $1 and subscription = $2 order by id`,
    [tenant, subscription],
  );
}
