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
import type { CheckoutLine, CheckoutSession } from './checkout_session.ts';
import { apiError } from './errors.ts';
import type { SettledTry } from './tries.ts';

type SubscriptionTerms = Pick<CheckoutSession, 'tenant' | 'line_items' | 'subscription_data' | 'coupon' | 'test_clock'>;

const isRepeated = ({ recurring }: CheckoutLine) => recurring !== undefined;

export function trialDaysOf({ subscription_data }: Pick<CheckoutSession, 'subscription_data'>): number | undefined {
  return subscription_data?.trial_days;
}

/** What recurs is free during a trial; what is paid once never is. */
export function isDueToday(session: Pick<CheckoutSession, 'subscription_data'>, line: CheckoutLine): boolean {
  return !isRepeated(line) || trialDaysOf(session) === undefined;
}

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
    trialDays: trialDaysOf({ subscription_data }),
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

/** The ids of what a try brings with its success: they follow from its own, so that every try names its own. */
export function idsBy({ id }: Pick<SettledTry, 'id'>): { subscription: SubscriptionId; invoice: `in_${string}` } {
  const body = id.slice(id.indexOf('_'));
  return { subscription: `sub${body}` as SubscriptionId, invoice: `in${body}` as `in_${string}` };
}

type PaidSession = {
  session: CheckoutSession;
  tried: SettledTry;
  customer: Customer;
  method: CheckoutSession['payment_method'];
};

/** The rows of the subscription and its first invoice, for the commit in which the try succeeds. In a trial there may be no invoice. */
export async function startSubscription(
  services: Pick<Services, 'reads' | 'dunningOf' | 'sellerOf' | 'keyring' | 'publicUrl'>,
  { session, tried, customer, method }: PaidSession,
  moment: { now: number; time: number | undefined },
): Promise<Part & { session: CheckoutSession }> {
  const { now, time = now } = moment;
  const ids = idsBy(tried);
  const bought = await boughtBy({ reads: services.reads, tenant: session.tenant }, session);
  const start = { bought, ids, customer, method, payment: tried.payment };
  const { writes, events, subscription } = await startBought(services, start, { at: Math.floor(time / 1_000), now });
  const { id, latest_invoice: invoice } = subscription;
  return { writes, events, session: { ...session, subscription: id, invoice } };
}
