import type { Write } from '../../../base/commit/index.ts';
import type { Context, Outcome } from '../../../operations/operation.ts';
import { beginClosing, saveBill, voidBill } from '../invoices/bill.ts';
import { findOpenOf } from '../invoices/descriptor.ts';
import type { Invoice } from '../invoices/invoice.ts';
import { readBill } from '../invoices/read_bill.ts';
import { type SubscriptionChange, saveChange } from '../subscription_state/change.ts';
import { cancel, type Subscription } from '../subscription_state/subscription.ts';
import { answerWith } from './apply_plan.ts';

/**
 * Ends a subscription whose first invoice is not paid, and the invoice with it: otherwise its payment could still succeed, for a
 * subscription that never begins.
 */
export async function endIncomplete(
  context: Context,
  stored: Subscription,
  at: number,
  writes: readonly Write[] = [],
): Promise<Outcome> {
  const change: SubscriptionChange = { before: stored, after: cancel(stored, at), events: [] };
  const [invoice] = await findOpenOf(context, stored.id, 1);
  const ended =
    invoice === undefined ? saveChange(change, context.now) : await endInvoice(context, invoice, change, at);
  return {
    ...answerWith(ended.subscription),
    writes: [...ended.writes, ...writes],
    events: ended.events,
    due: context.now,
  };
}

/** Voids the invoice: immediately, or when its payment is over. A payment that succeeds after all is refunded. */
async function endInvoice(context: Context, invoice: Invoice, subscription: SubscriptionChange, at: number) {
  const bill = { ...(await readBill(context, invoice)), subscription };
  const after = invoice.is_charging ? beginClosing(bill, context.now) : voidBill(bill, at, context.now);
  const { writes, events, bill: stored } = saveBill(after, at, context.now);
  return { writes, events, subscription: stored.subscription!.after };
}
