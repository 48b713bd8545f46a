import { newId } from '../../../base/id.ts';
import { monthsAfter, type Period, periodAt } from '../arithmetic/calendar.ts';
import { discountsOf } from '../arithmetic/discount.ts';
import { chargeFor, creditFor } from '../arithmetic/proration.ts';
import { type Coupon, discount } from '../coupons/coupon.ts';
import type { InvoiceId } from '../invoices/invoice.ts';
import { type Line, netOf } from '../invoices/line.ts';
import type { Price } from '../prices/price.ts';
import {
  currentPeriod,
  type Item,
  type ItemCharge,
  recurringOf,
  type Subscription,
} from '../subscription_state/subscription.ts';

/** The prices of a subscription's items, by their ids. */
export type Prices = ReadonlyMap<string, Price>;

/** A line, with the item for whose time it charges. */
export type ItemLine = { line: Line; item: Item };

type Share = { left: number; whole: number };

/** The lines that charge items for a period; for a part of it, where a share is given. Discounts are not taken off yet. */
export function periodLines(
  items: readonly Item[],
  prices: Prices,
  period: Period,
  now: number,
  share?: Share,
): ItemLine[] {
  const { left, whole } = share ?? { left: 1, whole: 1 };
  return items.map((item) => {
    const price = priceOf(prices, item);
    const amount = chargeFor(price.unit_amount, item.quantity, left, whole);
    const proration = share !== undefined && left !== whole;
    const description = proration ? `${nameOf(item, price)}, part of a period` : nameOf(item, price);
    return { line: lineOf(item, { amount, description, period, proration }, now), item };
  });
}

/** The share of the first, short period in the whole one that ends with it; undefined when it is whole. */
export function shareOf(subscription: Subscription, { start, end }: Period): Share | undefined {
  const whole = periodAt(subscription.billing_cycle_anchor, recurringOf(subscription), end - 1);
  return whole.start === start ? undefined : { left: end - start, whole: whole.end - whole.start };
}

/** The amount that an item was charged for the rest of the time; 0 where nothing was. */
export function unusedOf({ charged }: Item, from: number): number {
  return charged === null ? 0 : 0 - creditFor(charged, from);
}

/** The credit for the rest of the time that was charged for. */
export function creditLine(charged: ItemCharge, credit: number, prices: Prices, from: number, now: number): Line {
  const start = Math.max(from, charged.start);
  const amount = -credit;
  const description = `Unused time of ${nameOf(charged, priceOf(prices, charged))}`;
  return lineOf(charged, { amount, description, period: { start, end: charged.end }, proration: true }, now);
}

/** The charge for an item from a moment to the end of the current period. */
export function restLine(subscription: Subscription, item: Item, prices: Prices, from: number, now: number): ItemLine {
  const { end } = currentPeriod(subscription);
  const whole = periodAt(subscription.billing_cycle_anchor, recurringOf(subscription), end - 1);
  const price = priceOf(prices, item);
  const amount = chargeFor(price.unit_amount, item.quantity, end - from, whole.end - whole.start);
  const description = `Remaining time of ${nameOf(item, price)}`;
  return { line: lineOf(item, { amount, description, period: { start: from, end }, proration: true }, now), item };
}

type LineFacts = Pick<Line, 'amount' | 'description' | 'period' | 'proration'>;

function lineOf(item: Pick<Item, 'price' | 'quantity'>, facts: LineFacts, now: number): Line {
  const { price, quantity } = item;
  return { id: newId('il', now), ...facts, discount: 0, price, quantity };
}

export function priceOf(prices: Prices, { price }: Pick<Item, 'price'>): Price {
  const found = prices.get(price);
  if (found === undefined) throw new Error(`the price ${price} of a subscription does not exist`);
  return found;
}

function nameOf({ quantity }: Pick<Item, 'quantity'>, { product_name }: Price): string {
  return `${quantity} × ${product_name}`;
}

/** Whether a subscription's coupon reduces what is billed for the time from this moment on. */
export function isInForce(coupon: Coupon, subscription: Subscription, from: number): boolean {
  const { coupon_applied, coupon_used } = subscription;
  if (coupon.duration === 'once') return !coupon_used;
  return coupon.duration === 'forever' || from < monthsAfter(coupon_applied!, coupon.duration_in_months!);
}

/** The lines with their discounts. Parts of periods are discounted by a percentage only. */
export function discountLines(lines: readonly ItemLine[], coupon: Coupon | undefined): ItemLine[] {
  if (coupon === undefined) return [...lines];
  const taken = discount(coupon);
  const isEligible = ({ line }: ItemLine) => 'percentOff' in taken || !line.proration;
  const discounts = discountsOf(
    lines.map((one) => (isEligible(one) ? one.line.amount : 0)),
    taken,
  );
  return lines.map(({ line, item }, at) => ({ line: { ...line, discount: discounts[at]! }, item }));
}

/** The items, each charged by its line. `invoice`: null while the lines wait for one. */
export function recordCharges(items: readonly Item[], lines: readonly ItemLine[], invoice: InvoiceId | null): Item[] {
  const byItem = new Map(lines.map(({ line, item }) => [item.id, line]));
  return items.map((item) => {
    const line = byItem.get(item.id);
    if (line === undefined) return item;
    const { price, quantity } = item;
    return { ...item, charged: { invoice, net: netOf(line), price, quantity, ...line.period } };
  });
}
