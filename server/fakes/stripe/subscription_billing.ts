import { confirm } from './confirm.ts';
import { FakeStripeError } from './errors.ts';
import { newIntent } from './intent.ts';
import { FakeParams } from './reading.ts';
import type { FakeCoupon, FakeCustomer, FakeDiscount, FakePrice, FakeSubscription } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const secondsPerDay = 86_400;

/** The end of the period that begins at the anchor plus `n` intervals; a day that a month lacks becomes its last day. */
export function periodEnd(
  anchor: number,
  { interval, interval_count }: NonNullable<FakePrice['recurring']>,
  n: number,
) {
  const count = (n + 1) * interval_count;
  if (interval === 'day' || interval === 'week') return anchor + count * (interval === 'day' ? 1 : 7) * secondsPerDay;
  const start = new Date(anchor * 1_000);
  const [year, month] = [start.getUTCFullYear(), start.getUTCMonth() + count * (interval === 'month' ? 1 : 12)];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(start.getUTCDate(), lastDay)) / 1_000;
  return midnight + (anchor % secondsPerDay);
}

/** Bills each period when it begins: at Stripe by an invoice, of which the fake has the payment alone. */
export function billFrom(world: FakeWorld, subscription: FakeSubscription, n: number): void {
  const { price } = subscription.items.data[0]!;
  const start =
    n === 0 ? subscription.billing_cycle_anchor : periodEnd(subscription.billing_cycle_anchor, price.recurring!, n - 1);
  setPeriod(subscription, start, periodEnd(subscription.billing_cycle_anchor, price.recurring!, n));
  subscription.status = charge(world, subscription)
    ? 'active'
    : n === 0 && subscription.trial_end === null
      ? 'incomplete'
      : 'past_due';
  renewLater(world, subscription, n + 1);
}

/** At the end of the current period, or of the trial, it ends or the next one is billed. */
export function renewLater(world: FakeWorld, subscription: FakeSubscription, n: number): void {
  const { current_period_end: end } = subscription.items.data[0]!;
  world.later(end * 1_000 - world.now(), () => {
    if (subscription.ended_at !== null || subscription.status === 'incomplete') return;
    if (subscription.cancel_at_period_end) return endSubscription(world, subscription);
    billFrom(world, subscription, n);
    world.report('customer.subscription.updated', subscription);
  });
}

export function setPeriod(subscription: FakeSubscription, start: number, end: number): void {
  for (const item of subscription.items.data)
    Object.assign(item, { current_period_start: start, current_period_end: end });
}

export function endSubscription(world: FakeWorld, subscription: FakeSubscription): void {
  const now = world.seconds();
  Object.assign(subscription, { status: 'canceled', ended_at: now, canceled_at: subscription.canceled_at ?? now });
  world.report('customer.subscription.deleted', subscription);
}

/** Whether nothing is left to pay. Stripe's collection of a declined renewal, its retries, is not faked. */
function charge(world: FakeWorld, subscription: FakeSubscription): boolean {
  const amount = amountDue(world, subscription);
  const { currency, customer, pause_collection, collection_method } = subscription;
  if (amount === 0 || pause_collection !== null || collection_method === 'send_invoice') return true;
  const method = methodOf(world, subscription);
  if (method === null) return false;
  try {
    const intent = newIntent(world, new FakeParams({ amount: String(amount), currency, customer }));
    intent.description = 'Subscription update';
    confirm(world, world.add(intent), new FakeParams({ payment_method: method, off_session: 'true' }));
  } catch (error) {
    if (!(error instanceof FakeStripeError)) throw error;
    return false;
  }
  return true;
}

/** Its own method, or the customer's default. */
export function methodOf(world: FakeWorld, { default_payment_method, customer }: FakeSubscription): string | null {
  const { invoice_settings, default_source } = world.get<FakeCustomer>(customer);
  return default_payment_method ?? invoice_settings.default_payment_method ?? default_source;
}

/** Less the discounts that are in force. One for a single invoice is used up by this one. */
function amountDue(world: FakeWorld, subscription: FakeSubscription): number {
  const items = subscription.items.data;
  let amount = items.reduce(
    (sum, { price, quantity }) => sum + Math.round(Number(price.unit_amount_decimal ?? 0) * quantity),
    0,
  );
  const discounts = subscription.discounts
    .map((id) => world.get<FakeDiscount>(id))
    .filter(({ end }) => end === null || end > items[0]!.current_period_start);
  for (const { source } of discounts) {
    const { percent_off, amount_off } = world.get<FakeCoupon>(source.coupon);
    amount -= percent_off === null ? Math.min(amount, amount_off ?? 0) : Math.round((amount * percent_off) / 100);
  }
  const isKept = ({ source }: FakeDiscount) => world.get<FakeCoupon>(source.coupon).duration !== 'once';
  subscription.discounts = discounts.filter(isKept).map(({ id }) => id);
  return amount;
}
