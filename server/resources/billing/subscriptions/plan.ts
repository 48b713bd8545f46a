import { boundaryAfter, type Period } from '../arithmetic/calendar.ts';
import type { Coupon } from '../coupons/coupon.ts';
import type { BillingReason, InvoiceId } from '../invoices/invoice.ts';
import type { Line } from '../invoices/line.ts';
import type { RecurringPrice } from '../prices/price.ts';
import { cancel, currentPeriod, inStatus, recurringOf, type Subscription } from '../subscription_state/subscription.ts';
import { creditAll, type ItemsChange, type ProrationTerms, prorate } from './change.ts';
import { discountLines, isInForce, type Prices, periodLines, recordCharges, shareOf } from './lines.ts';

export const prorations = ['create', 'invoice_now', 'none'] as const;
export type Proration = (typeof prorations)[number];

/** How a change is handled whose payment is declined. */
export const paymentBehaviors = ['allow_incomplete', 'error_if_incomplete'] as const;

/** A planned change of a subscription, and the lines that are billed for it. */
export type Plan = {
  subscription: Subscription;
  /**
   * The lines of this plan on an invoice that is made now. Without any, one is made only if lines wait for it, and not at all if it
   * `needsLines`.
   */
  invoice?: { reason: BillingReason; period: Period; lines: readonly Line[]; needsLines?: boolean };
  /** Lines that wait for its next invoice. */
  waits?: readonly Line[];
};

/** The facts that plans are made from. */
export type Basis = {
  prices: Prices;
  coupon: Coupon | undefined;
  /** The id of the invoice, if one is made. */
  invoice: InvoiceId;
  /** Epoch seconds, by the customer's clock. */
  at: number;
  /** Epoch milliseconds of real time, for the ids of lines. */
  now: number;
};

/** The lines of a period, with their discounts, and the subscription in that period. */
function planPeriod(subscription: Subscription, basis: Basis, period: Period, isCharged = true) {
  const { prices, coupon, invoice, now } = basis;
  const inForce = coupon !== undefined && isInForce(coupon, subscription, period.start) ? coupon : undefined;
  const share = shareOf(subscription, period);
  const lines = isCharged ? discountLines(periodLines(subscription.items, prices, period, now, share), inForce) : [];
  const items = isCharged
    ? recordCharges(subscription.items, lines, invoice)
    : subscription.items.map((item) => ({ ...item, charged: null }));
  const { start, end } = period;
  const times = { current_period_start: start, current_period_end: end };
  const after: Subscription = {
    ...subscription,
    ...times,
    items,
    period_invoice: isCharged ? invoice : null,
    credits: waitingCredits(subscription),
  };
  return { after, lines: lines.map(({ line }) => line) };
}

/** Of what was credited in a period, the next one needs only what comes with its invoice. */
function waitingCredits({ credits }: Subscription): Subscription['credits'] {
  return credits?.filter(({ invoice }) => invoice === null) ?? null;
}

/** The first period, from a moment to the first boundary after it. A short one is charged by its share, or not at all. */
export function planFirst(
  subscription: Subscription,
  basis: Basis,
  start: number,
  reason: BillingReason,
  proration: Proration,
): Plan {
  const end = boundaryAfter(subscription.billing_cycle_anchor, recurringOf(subscription), start);
  const isCharged = proration !== 'none' || shareOf(subscription, { start, end }) === undefined;
  const { after, lines } = planPeriod(subscription, basis, { start, end }, isCharged);
  return { subscription: after, invoice: { reason, period: { start, end }, lines } };
}

/** The period after the current one. */
export function planRenewal(subscription: Subscription, basis: Basis): Plan {
  const { current_period_end: start, status } = subscription;
  const begun = status === 'trialing' ? inStatus(subscription, 'active') : subscription;
  return planFirst(begun, basis, start, 'subscription_cycle', 'create');
}

export type ItemsPlan = ItemsChange & {
  proration: Proration;
  terms: ProrationTerms;
};

/** A change of items within the interval. */
export function planItems(subscription: Subscription, basis: Basis, change: ItemsPlan): Plan {
  const { after, proration, terms } = change;
  if (proration === 'none' || subscription.status === 'trialing')
    return { subscription: { ...subscription, items: after } };
  const isNow = proration === 'invoice_now';
  const { items, lines, credits } = prorate(subscription, change, terms, isNow ? basis.invoice : null);
  const changed = { ...subscription, items, credits };
  if (!isNow) return { subscription: changed, waits: lines };
  return {
    subscription: changed,
    invoice: { reason: 'subscription_update', period: currentPeriod(subscription), lines, needsLines: true },
  };
}

/** A change to items of another interval ends the period now, and begins a new one. */
export function planInterval(subscription: Subscription, basis: Basis, change: ItemsPlan, price: RecurringPrice): Plan {
  const { interval: billing_interval, interval_count } = price;
  const changed = { ...subscription, items: change.after, billing_interval, interval_count };
  if (subscription.status === 'trialing') return { subscription: changed };
  const { proration, terms } = change;
  const { lines: given, credits } =
    proration === 'none' ? { lines: [], credits: subscription.credits } : creditAll(subscription, terms);
  const anchored = { ...changed, billing_cycle_anchor: basis.at };
  const plan = planFirst(anchored, basis, basis.at, 'subscription_update', 'create');
  const { period, lines } = plan.invoice!;
  return {
    subscription: { ...plan.subscription, credits },
    invoice: { reason: 'subscription_update', period, lines: [...given, ...lines] },
  };
}

/** The end of a subscription, with an invoice for what waits and, if it is credited, the rest of the period. */
export function planEnd(subscription: Subscription, at: number, credits: readonly Line[]): Plan {
  const items = subscription.items.map((item) => ({ ...item, charged: null }));
  const ended = { ...cancel(subscription, at), items };
  return {
    subscription: ended,
    invoice: { reason: 'subscription_update', period: currentPeriod(subscription), lines: credits },
  };
}

export function planPause(subscription: Subscription, at: number, credits: readonly Line[]): Plan {
  const items = subscription.items.map((item) => ({ ...item, charged: null }));
  const paused = { ...inStatus(subscription, 'paused'), items, paused_at: at };
  return {
    subscription: paused,
    invoice: { reason: 'subscription_update', period: currentPeriod(subscription), lines: credits },
  };
}

/** A period from now to the next boundary, charged by its share. */
export function planResume(subscription: Subscription, basis: Basis): Plan {
  const resumed = { ...inStatus(subscription, 'active'), paused_at: null };
  return planFirst(resumed, basis, basis.at, 'subscription_update', 'create');
}

/** The price of the items for a whole period. */
export function periodTotal(items: readonly { price: string; quantity: number }[], prices: Prices): bigint {
  return items.reduce(
    (sum, { price, quantity }) => sum + BigInt(prices.get(price)?.unit_amount ?? 0) * BigInt(quantity),
    0n,
  );
}
