import { assert } from '../../../base/errors.ts';
import { newId } from '../../../base/id.ts';
import type { Context } from '../../../operations/operation.ts';
import { boundary, type Recurring } from '../arithmetic/calendar.ts';
import type { Coupon } from '../coupons/coupon.ts';
import { requireCoupon } from '../coupons/operations.ts';
import { requirePrice } from '../prices/operations.ts';
import { isRecurring, type RecurringPrice } from '../prices/price.ts';
import type { Item } from '../subscription_state/subscription.ts';
import { apiError } from './errors.ts';
import type { Prices } from './lines.ts';
import { periodTotal } from './plan.ts';

const daySeconds = 86_400;
const trialSecondsMax = 730 * daySeconds;
const totalMax = 999_999_999_999n;

/** The prices that items of parameters name, by their ids. */
export async function readPrices(
  context: Context,
  named: readonly { price: string; param: string }[],
): Promise<Prices> {
  const found = await Promise.all(named.map(({ price, param }) => requirePrice(context, price, param)));
  for (const [at, price] of found.entries()) {
    const refuse = (reason: string) => apiError('parameter_invalid', { param: named[at]!.param, reason });
    if (!price.active) throw refuse(`the price ${price.id} is not active`);
    if (!isRecurring(price)) throw refuse(`the price ${price.id} is paid once; a subscription needs prices that recur`);
  }
  return new Map(found.map((price) => [price.id, price]));
}

/** All items have one currency and one interval. Returns one of the prices, which stands for all. */
export function checkItems(
  items: readonly { price: string; quantity: number }[],
  prices: Prices,
  param = 'items',
): RecurringPrice {
  const refuse = (reason: string) => apiError('parameter_invalid', { param, reason });
  const [first, ...others] = items.map(({ price }) => prices.get(price)!);
  if (first === undefined) throw refuse('a subscription has at least one item');
  assert(isRecurring(first), `the subscription to ${first.id} needs a price that recurs`);
  if (items.length > 20) throw refuse('a subscription has at most 20 items');
  for (const { currency, interval, interval_count } of others) {
    if (currency !== first.currency) throw refuse('all items must have the same currency');
    if (interval !== first.interval || interval_count !== first.interval_count)
      throw refuse('all items must have the same interval');
  }
  if (periodTotal(items, prices) > totalMax) throw apiError('amount_too_large', { param });
  return first;
}

export function newItems(items: readonly { price: string; quantity?: number }[], now: number): Item[] {
  return items.map(({ price, quantity = 1 }) => ({
    id: newId('si', now),
    price: price as Item['price'],
    quantity,
    charged: null,
  }));
}

export async function readCoupon(context: Context, id: string, currency: string, param = 'coupon'): Promise<Coupon> {
  const coupon = await requireCoupon(context, id, param);
  if (coupon.currency !== null && coupon.currency !== currency) {
    const reason = `it takes off an amount in ${coupon.currency}, and the subscription is in ${currency}`;
    throw apiError('coupon_not_usable', { param, reason });
  }
  return coupon;
}

/** The end of a trial that a request asks for. */
export function readTrialEnd(input: { trial_days?: number; trial_end?: number }, at: number): number | null {
  const { trial_days, trial_end } = input;
  if (trial_days !== undefined && trial_end !== undefined)
    throw apiError('parameters_exclusive', { param: 'trial_days', other: 'trial_end' });
  if (trial_days !== undefined) return at + trial_days * daySeconds;
  if (trial_end === undefined) return null;
  checkTrialEnd(trial_end, at);
  return trial_end;
}

export function checkTrialEnd(end: number, at: number): void {
  const refuse = (reason: string) => apiError('parameter_invalid', { param: 'trial_end', reason });
  if (end <= at) throw refuse('it must be in the future');
  if (end > at + trialSecondsMax) throw refuse('it must be at most 730 days from now');
}

/** The anchor of the periods, of which the first begins at `start`. */
export function checkAnchor(anchor: number, every: Recurring, start: number, param = 'billing_cycle_anchor'): void {
  if (anchor > start && boundary(anchor, every, -1) <= start) return;
  const reason = 'it must be after the start or the end of the trial, by one interval at most';
  throw apiError('parameter_invalid', { param, reason });
}
