import { type Call, newCall } from '../world.ts';
import type { BillingAction, ItemChange } from './actions.ts';
import { billingCards } from './cards.ts';
import type { IntervalModel } from './days.ts';
import { present } from './expected.ts';
import type { CardModel, CouponModel, PriceModel } from './state.ts';

export function priceCall({ key, currency, unitAmount, interval }: PriceModel): Call {
  const recurring = recurringOf(interval);
  return newCall('/v1/prices', { currency, unit_amount: unitAmount, recurring, product_name: key });
}

const recurringOf = ({ unit, count }: IntervalModel) => ({ interval: unit, interval_count: count });

export function couponCall({ key, off, duration }: CouponModel): Call {
  const value = 'percent' in off ? { percent_off: off.percent } : { amount_off: off.amount, currency: off.currency };
  const time =
    typeof duration === 'string' ? { duration } : { duration: 'repeating', duration_in_months: duration.months };
  return newCall('/v1/coupons', { name: key, ...value, ...time });
}

export function methodCall(kind: CardModel, customer: string): Call {
  const card = { number: billingCards[kind].number, exp_month: 12, exp_year: 2045 };
  return newCall('/v1/payment_methods', { type: 'card', card, customer });
}

/** What a request needs to know of the gateway: ids for keys. */
export type Ids = {
  of(key: string): string;
  /** A new payment method of the customer: one that is set again would be no change. */
  method(card: CardModel, customer: string): Promise<string>;
  /** The payment of an invoice. */
  payment(invoice: string): Promise<string>;
  /** The item of a subscription that has the price. */
  item(subscription: string, price: string): Promise<string>;
};

/** The customer of a subscription or an invoice is the first word of its key. */
const customerOf = (key: string) => key.split(/[ /]/)[0]!;

export async function callOf(action: BillingAction, ids: Ids): Promise<Call> {
  const method = async (card: CardModel | undefined, key: string) =>
    card === undefined ? undefined : ids.method(card, customerOf(key));
  const post = (path: string, body: Record<string, unknown> = {}) => newCall(path, present(body));
  switch (action.kind) {
    case 'subscribe':
      return post('/v1/subscriptions', {
        customer: ids.of(action.customer),
        items: action.items.map(({ price, quantity }) => ({ price: ids.of(price.key), quantity })),
        default_payment_method: await method(action.card, action.customer),
        trial_days: action.trialDays,
        billing_cycle_anchor: action.anchor,
        coupon: action.coupon && ids.of(action.coupon.key),
        cancel_at_period_end: action.endsWithPeriod,
      });
    case 'card_of_customer':
      return post(`/v1/customers/${ids.of(action.customer)}`, {
        default_payment_method: await method(action.card, action.customer),
      });
    case 'item':
      return post('/v1/invoice_items', {
        customer: ids.of(action.customer),
        amount: action.amount,
        currency: action.currency,
        description: 'An extra',
        subscription: action.subscription && ids.of(action.subscription),
      });
    case 'draft':
      return post('/v1/invoices', { customer: ids.of(action.customer), currency: action.currency });
    case 'pay':
      return post(`/v1/invoices/${ids.of(action.invoice)}/pay`, {
        payment_method: await method(action.card, action.invoice),
      });
    case 'refund':
      return post('/v1/refunds', { payment: await ids.payment(action.invoice), amount: action.amount });
    case 'finalize':
    case 'void':
    case 'mark_uncollectible':
      return post(`/v1/invoices/${ids.of(action.invoice)}/${action.kind}`);
    default:
      return callOnSubscription(action, ids, post);
  }
}

async function callOnSubscription(
  action: Exclude<BillingAction, { customer: string } | { invoice: string }>,
  ids: Ids,
  post: (path: string, body?: Record<string, unknown>) => Call,
): Promise<Call> {
  const path = `/v1/subscriptions/${ids.of(action.subscription)}`;
  switch (action.kind) {
    case 'change':
      return post(path, {
        items: await Promise.all(action.changes.map((change) => itemOf(action.subscription, change, ids))),
        proration: action.proration,
        proration_date: action.from,
        payment_behavior: action.paysFirst ? 'error_if_incomplete' : undefined,
      });
    case 'card_of_subscription':
      return post(path, { default_payment_method: await ids.method(action.card, customerOf(action.subscription)) });
    case 'coupon':
      return post(path, { coupon: action.coupon === undefined ? '' : ids.of(action.coupon.key) });
    case 'trial_end':
      return post(path, { trial_end: action.end ?? 'now' });
    case 'cancel_later':
      return action.isUndone
        ? post(path, { cancel_at_period_end: false })
        : post(`${path}/cancel`, { at_period_end: true });
    case 'cancel':
      return post(`${path}/cancel`, { proration: action.isCredited ? 'create' : 'none' });
    case 'pause':
    case 'resume':
      return post(`${path}/${action.kind}`);
  }
}

async function itemOf(subscription: string, change: ItemChange, ids: Ids): Promise<object> {
  if (change.kind === 'add') return { price: ids.of(change.price.key), quantity: change.quantity };
  const id = await ids.item(subscription, change.item);
  if (change.kind === 'remove') return { id, deleted: true };
  return present({ id, quantity: change.quantity, price: change.price && ids.of(change.price.key) });
}
