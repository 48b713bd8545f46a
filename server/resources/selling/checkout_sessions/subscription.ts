import { assert } from '../../../base/errors.ts';
import type { Part } from '../../../operations/operation.ts';
import type { Services } from '../../../operations/services.ts';
import { findCoupons } from '../../billing/coupons/operations.ts';
import { findPrices } from '../../billing/prices/operations.ts';
import { isRecurring } from '../../billing/prices/price.ts';
import type { SubscriptionId } from '../../billing/subscription_state/subscription.ts';
import { type Bought, dueAtStart, startBought } from '../../billing/subscriptions/bought.ts';
import { checkItems } from '../../billing/subscriptions/read_input.ts';
import type { Reader } from '../../payments/attempts/topic.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import type { Payment } from '../../payments/payments/payment.ts';
import type { CheckoutLine, CheckoutSession } from './checkout_session.ts';
import { apiError } from './errors.ts';

type SubscriptionTerms = Pick<CheckoutSession, 'tenant' | 'line_items' | 'subscription_data' | 'coupon' | 'test_clock'>;

const isRepeated = ({ recurring }: CheckoutLine) => recurring !== undefined;

/** Refuses lines that no subscription can be made of. */
export async function checkSubscription(reader: Reader, lines: readonly CheckoutLine[]): Promise<void> {
  const items = lines.filter(isRepeated).map(({ price, quantity }) => ({ price: price!, quantity }));
  const reason = 'mode subscription needs a price that recurs';
  if (items.length === 0) throw apiError('parameter_invalid', { param: 'line_items', reason });
  const prices = await findPrices(
    reader,
    items.map(({ price }) => price),
  );
  checkItems(items, prices, 'line_items');
}

/** What is sold, as subscriptions know it. Prices never change, and a coupon that is deleted stays with those who have it. */
async function boughtBy(reader: Reader, { line_items, subscription_data, coupon }: SubscriptionTerms): Promise<Bought> {
  const lines = line_items ?? [];
  const items = lines.filter(isRepeated).map(({ price, quantity }) => ({ price: price!, quantity }));
  const [prices, coupons] = await Promise.all([
    findPrices(
      reader,
      items.map(({ price }) => price),
    ),
    coupon === null ? undefined : findCoupons(reader, [coupon]),
  ]);
  const price = prices.get(items[0]!.price);
  assert(price !== undefined && isRecurring(price), 'a session of mode subscription has a price that recurs');
  return {
    items,
    once: lines.filter((line) => !isRepeated(line)),
    prices,
    price,
    coupon: coupon === null ? undefined : coupons?.get(coupon),
    trialDays: undefined,
    metadata: subscription_data?.metadata,
  };
}

/** The session with what is to be paid now, by the same plan as the invoice that it will be. */
export async function withDue(reader: Reader, session: CheckoutSession, now: number): Promise<CheckoutSession> {
  const bought = await boughtBy(reader, session);
  const buyer = { tenant: session.tenant, id: 'cus_0' as const, test_clock: session.test_clock };
  const { subtotal, discount } = dueAtStart(bought, buyer, { at: Math.floor(now / 1_000), now });
  return {
    ...session,
    amount_subtotal: subtotal,
    amount_discount: session.coupon === null ? null : discount,
    amount_total: subtotal - discount,
  };
}

/** The ids of what a payment brings with its success: they follow from its own, so that every try names its own. */
export function idsBy({ id }: Pick<Payment, 'id'>): { subscription: SubscriptionId; invoice: `in_${string}` } {
  const body = id.slice(id.indexOf('_'));
  return { subscription: `sub${body}` as SubscriptionId, invoice: `in${body}` as `in_${string}` };
}

type PaidSession = { session: CheckoutSession; payment: Payment; customer: Customer };

/** The rows of the subscription and its first invoice, for the commit in which the payment succeeds. */
export async function startSubscription(
  services: Pick<Services, 'reads' | 'dunningOf' | 'sellerOf'>,
  { session, payment, customer }: PaidSession,
  moment: { now: number; time: number | undefined },
): Promise<Part & { session: CheckoutSession }> {
  const { now, time = now } = moment;
  const ids = idsBy(payment);
  const bought = await boughtBy({ reads: services.reads, tenant: session.tenant }, session);
  const start = { bought, ids, customer, method: payment.payment_method!, payment };
  const { writes, events } = await startBought(services, start, { at: Math.floor(time / 1_000), now });
  return { writes, events, session: { ...session, ...ids } };
}
