import type { Leasable } from '../../../base/lease.ts';
import type { PaymentId } from '../../payments/payments/payment.ts';
import type { Bill } from '../invoices/bill.ts';
import type { Invoice } from '../invoices/invoice.ts';
import type { Subscription } from '../subscription_state/subscription.ts';

/** The change of a subscription that is applied once its payment is made. */
export type PendingPlan = {
  /** The version of the subscription that it was planned on; null for a new subscription. */
  version: number | null;
  /** The subscription as it becomes. */
  subscription: Subscription;
  /** The draft of the invoice that is paid. */
  invoice: Invoice;
  /** The ids of the waiting invoice items that the invoice takes. */
  items: readonly string[];
};

/** A plan that waits for the answer of a processor. Its id is that of the payment. */
export type PendingChange = Leasable & { id: PaymentId; plan: PendingPlan };

/** The plan of a bill that is not stored. Times at which something is due follow from the rest. */
export function pendingPlan({ invoice, subscription }: Bill, items: readonly { id: string }[]): PendingPlan {
  const { before, after } = subscription!;
  const undue = { due_at: null, lease_until: null, clock_due_at: null };
  return {
    version: before?.version ?? null,
    subscription: { ...after, ...undue },
    invoice,
    items: items.map(({ id }) => id),
  };
}
