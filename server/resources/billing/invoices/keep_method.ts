import type { Part } from '../../../operations/operation.ts';
import type { Reader } from '../../payments/attempts/topic.ts';
import { canBeKept } from '../../payments/payment_methods/of_checkout.ts';
import type { Settled } from '../../payments/payments/settle.ts';
import { type Bill, saveBill } from './bill.ts';
import { findOpenOf } from './descriptor.ts';
import { retriedMax, retryAll } from './retry.ts';

/** What is known of the payment by which an invoice is settled. */
export type SettledBy = Pick<Settled, 'payment' | 'becomesDefault' | 'named'>;

/**
 * The rows and events of an invoice whose payment has an outcome. A method that its customer has chosen to keep becomes that of the
 * subscription: what has failed would fail again with the next renewal. Like any change of the method, it is tried at once for other
 * open invoices.
 */
export async function savePaid(reader: Reader & { now: number }, bill: Bill, by: SettledBy, at: number): Promise<Part> {
  const kept = await withKeptMethod(reader, bill, by);
  const saved = saveBill(kept, at, reader.now);
  const subscription = kept.subscription?.after;
  if (kept === bill || subscription === undefined) return saved;
  const open = await findOpenOf(reader, subscription.id, retriedMax);
  const others = open.filter(({ id }) => id !== bill.invoice.id);
  const retries = retryAll(reader, others, at);
  return { writes: [...saved.writes, ...retries.writes], events: [...saved.events, ...retries.events] };
}

async function withKeptMethod(
  reader: Reader,
  bill: Bill,
  { payment, becomesDefault, named }: SettledBy,
): Promise<Bill> {
  const { invoice, subscription, customer } = bill;
  const { payment_method: method } = payment;
  const isWanted = becomesDefault === true && invoice.status === 'paid' && method !== null;
  if (!isWanted || customer === undefined || subscription === undefined) return bill;
  const { after } = subscription;
  if (after.status === 'canceled' || after.default_payment_method === method) return bill;
  if (!(await canBeKept(reader, method, named))) return bill;
  return { ...bill, subscription: { ...subscription, after: { ...after, default_payment_method: method } } };
}
