import type { Coupon, Price, Recurrence } from '@tollgate/node';
import { formatMoney } from '../kit/money.ts';

type Item = { price: string; quantity: number };
type Prices = ReadonlyMap<string, Price>;

/** A name that is written from right to left would take the number that follows it along. */
function isolated(name: string): string {
  return /[\p{Script=Arabic}\p{Script=Hebrew}]/u.test(name) ? `\u2068${name}\u2069` : name;
}

/** `month`, `3 months`. */
function periodWords({ interval, interval_count }: Recurrence): string {
  return interval_count === 1 ? interval : `${interval_count} ${interval}s`;
}

/** `€30.00 per month`, `€30.00 every 3 months`; `€30.00 once` for a price without a period. */
export function perPeriod(amount: number, currency: string, recurring: Recurrence | undefined): string {
  if (recurring === undefined) return `${formatMoney(amount, currency)} once`;
  const word = recurring.interval_count === 1 ? 'per' : 'every';
  return `${formatMoney(amount, currency)} ${word} ${periodWords(recurring)}`;
}

export function priceWords({ product_name, unit_amount, currency, recurring }: Price): string {
  return `${isolated(product_name)}, ${perPeriod(unit_amount, currency, recurring)}`;
}

/** `20% off`, `€5.00 off`. */
export function discountWords({ percent_off, amount_off = 0, currency = 'eur' }: Coupon): string {
  return percent_off === undefined ? `${formatMoney(amount_off, currency)} off` : `${percent_off}% off`;
}

/** `once`, `for 3 months`, `forever`. */
export function durationWords({ duration, duration_in_months = 1 }: Coupon): string {
  if (duration !== 'repeating') return duration;
  return duration_in_months === 1 ? 'for a month' : `for ${duration_in_months} months`;
}

export function couponWords(coupon: Coupon): string {
  const words = `${discountWords(coupon)} ${durationWords(coupon)}`;
  return coupon.name === undefined ? words : `${isolated(coupon.name)}: ${words}`;
}

/** `2 × Seat and 1 more`; undefined until the prices are known. */
export function itemsWords(items: readonly Item[], prices: Prices): string | undefined {
  const [first, ...more] = items;
  const price = first && prices.get(first.price);
  if (first === undefined || price === undefined) return undefined;
  const words = first.quantity === 1 ? price.product_name : `${first.quantity} × ${price.product_name}`;
  return more.length === 0 ? words : `${words} and ${more.length} more`;
}

/** What the items cost for a period, before discounts; undefined until the prices are known. */
export function periodCost(items: readonly Item[], prices: Prices): string | undefined {
  const [first] = items;
  const terms = first && prices.get(first.price);
  if (terms === undefined || items.some(({ price }) => !prices.has(price))) return undefined;
  const amount = items.reduce((sum, { price, quantity }) => sum + prices.get(price)!.unit_amount * quantity, 0);
  return perPeriod(amount, terms.currency, terms.recurring);
}
