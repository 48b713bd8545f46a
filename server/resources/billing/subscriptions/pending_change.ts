import { findByExternalId } from '../../../operations/external_id.ts';
import type { Part } from '../../../operations/operation.ts';
import { findCustomerById } from '../../payments/customers/operations.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import { takeItem, waitingItems } from '../invoice_items/waiting.ts';
import {
  type Bill,
  beginCharge,
  beginClosing,
  beginRefund,
  draftBill,
  finalizeBill,
  standaloneBill,
  voidBill,
} from '../invoices/bill.ts';
import { findOpenOf } from '../invoices/descriptor.ts';
import { hostedPages } from '../invoices/hosted_pages.ts';
import { partiesOf } from '../invoices/parties.ts';
import type { BillReader } from '../invoices/read_bill.ts';
import { retriedMax, retryAll } from '../invoices/retry.ts';
import { subscriptionsTable } from '../subscription_state/store.ts';
import type { Subscription } from '../subscription_state/subscription.ts';
import type { PendingChange } from './pending_plan.ts';
import { findWaitingLines, takeWaitingLine } from './store.ts';

/**
 * The bill of a stored plan. Undefined when the plan can no longer be applied: the subscription has changed, or something that the
 * invoice was made from, so that another amount would be due than was asked for.
 */
export async function restoreBill(
  reader: BillReader & { now: number },
  { plan }: PendingChange,
  payment: Payment,
  at: number,
): Promise<Bill | undefined> {
  const { reads, tenant, now } = reader;
  const { id, customer: customerId, currency } = plan.subscription;
  const [stored, customer, waiting, items, dunning, seller, isTaken] = await Promise.all([
    reads.one(subscriptionsTable, tenant, id),
    findCustomerById(reader, customerId),
    findWaitingLines(reads, tenant, id),
    waitingItems(reads, tenant, customerId, currency, id, plan.items.length), // they were the oldest ones
    reader.dunningOf(tenant),
    reader.sellerOf(tenant),
    isExternalIdTaken(reader, plan.subscription),
  ]);
  if ((stored?.version ?? null) !== plan.version || customer === undefined || isTaken) return undefined;
  const taken = items.filter((item) => plan.items.includes(item.id));
  if (taken.length !== plan.items.length) return undefined;
  const retries = await retriesOf(reader, stored, plan.subscription, at);
  const bill = draftBill({
    invoice: plan.invoice,
    subscription: { before: stored, after: plan.subscription, events: retries.events },
    customer,
    holdsCustomer: stored === undefined,
    dunning,
    parties: partiesOf(seller, customer),
    hostedUrl: hostedPages.urlOf(reader, plan.invoice.id),
    writes: [
      ...waiting.map(takeWaitingLine),
      ...taken.map((item) => takeItem(item, plan.invoice.id)),
      ...retries.writes,
    ],
    events: [],
  });
  return finalizeBill(bill, 1, at, now).invoice.amount_due === payment.amount ? bill : undefined;
}

/** Whether another subscription has got the external id since the plan was made. */
async function isExternalIdTaken(reader: BillReader, { id, external_id }: Subscription): Promise<boolean> {
  if (external_id == null) return false;
  const [holder] = await findByExternalId({ table: subscriptionsTable })(reader, { text: external_id });
  return holder !== undefined && holder.id !== id;
}

/** Open invoices that have failed are retried immediately with another method. */
export async function retriesOf(
  reader: Pick<BillReader, 'reads' | 'tenant'> & { now: number },
  stored: Subscription | undefined,
  after: Subscription,
  at: number,
): Promise<Part> {
  if (stored === undefined || stored.default_payment_method === after.default_payment_method)
    return { writes: [], events: [] };
  return retryAll(reader, await findOpenOf(reader, stored.id, retriedMax), at);
}

/**
 * The bill of a plan that cannot be carried out, whose payment was made or may still be: a void invoice without a number, whose payment is
 * refunded. While the payment is not over, the invoice waits for that.
 */
export function abandonBill({ plan }: PendingChange, payment: Payment, at: number, now: number): Bill {
  const { version, invoice } = plan;
  // A new subscription does not exist, and never will.
  const draft = draftBill(standaloneBill(version === null ? { ...invoice, subscription: null } : invoice));
  return payment.status === 'succeeded'
    ? beginRefund(voidBill(draft, at, now), payment, now)
    : beginClosing(beginCharge(draft, payment, at), now);
}
