import { obstacleOfPrice } from './fit.ts';
import type { Obstacle, Reason } from './reasons.ts';
import type { StripeSubscription } from './stripe_objects.ts';

/** The member of a subscription's metadata at Stripe that says which processor account has taken it over. */
export const takeOverMark = 'tollgate_take_over';

/** Nearer to the next charge, there would be no time to look at what went wrong. */
const leastSeconds = 24 * 3_600;
/**
 * Stripe charges the invoice of a new period about an hour after the period began; before that, whether it gets paid is open. A second
 * reason: the gateway does not bill a first period that the anchor shortens, but one that begins here in the same second as at Stripe
 * would be whole, and billed.
 */
const begunSeconds = 3 * 3_600;
const itemsMax = 20;

/** What else has to be known about a subscription. */
export type Surroundings = {
  /** Stripe's time, in epoch seconds. */
  now: number;
  processorAccount: string;
  /** The customer, if it is here or would be. */
  customer: { balance: number; hasDiscount: boolean; hasDefaultCard: boolean } | undefined;
  /** Whether the payment method is here, or would be. */
  hasCard: (id: string) => boolean;
};

const endedStatuses = new Set(['canceled', 'incomplete_expired']);

export function hasEnded({ status }: StripeSubscription): boolean {
  return endedStatuses.has(status);
}

export function isMarkedBy({ metadata }: StripeSubscription, processorAccount: string): boolean {
  return metadata[takeOverMark] === processorAccount;
}

/** Whether it ends at Stripe because of us. */
export function isHandedOver(subscription: StripeSubscription, processorAccount: string): boolean {
  return isMarkedBy(subscription, processorAccount) && subscription.cancelsAtPeriodEnd;
}

/**
 * Why a subscription cannot be taken over; undefined if it can. One that carries our mark is on its way already: that it is going to end
 * is then no obstacle, nor is a near end, because Stripe no longer bills it.
 */
export function obstacleOf(subscription: StripeSubscription, around: Surroundings): Obstacle | undefined {
  const reason =
    obstacleOfStatus(subscription) ??
    obstacleOfTime(subscription, around) ??
    obstacleOfTerms(subscription) ??
    obstacleOfCustomer(subscription, around);
  if (reason !== undefined) return { reason };
  for (const { price } of subscription.items) {
    const obstacle = obstacleOfPrice(price);
    if (obstacle !== undefined) return { ...obstacle, detail: price.id };
  }
  return undefined;
}

function obstacleOfStatus({ status, isPaused }: StripeSubscription): Reason | undefined {
  if (status === 'paused' || isPaused) return 'paused';
  if (status === 'past_due' || status === 'unpaid') return status;
  return status === 'active' || status === 'trialing' ? undefined : 'incomplete';
}

function obstacleOfTime(subscription: StripeSubscription, { now, processorAccount }: Surroundings): Reason | undefined {
  const { metadata, status, cancelsAtPeriodEnd, cancelAt, periodStart = now, periodEnd = 0 } = subscription;
  const mark = metadata[takeOverMark];
  if (mark !== undefined && mark !== processorAccount) return 'marked_by_another';
  const isHalfWay = mark !== undefined && cancelsAtPeriodEnd;
  if (!isHalfWay && (cancelsAtPeriodEnd || cancelAt !== undefined)) return 'canceling';
  if (!isHalfWay && periodEnd - now < leastSeconds) return 'ends_soon';
  return status === 'active' && now - periodStart < begunSeconds ? 'just_began' : undefined;
}

/** What the subscription is, apart from its customer. */
function obstacleOfTerms(subscription: StripeSubscription): Reason | undefined {
  const { items, periodEnd, status, trialEnd, anchor = 0, coupons, currency } = subscription;
  if (subscription.isScheduled) return 'scheduled';
  if (subscription.isInvoiced) return 'send_invoice';
  if (subscription.isTaxed) return 'taxes';
  if (subscription.isForPlatform) return 'platform';
  if (subscription.isPending) return 'pending';
  if (subscription.hasMoreItems || items.length > itemsMax) return 'too_many_items';
  if (items.some(({ price }) => price.currency !== currency)) return 'several_currencies';
  const periods = new Set(items.map(({ price }) => `${price.recurring?.interval} ${price.recurring?.interval_count}`));
  if (periods.size > 1 || items.some((item) => item.periodEnd !== periodEnd)) return 'several_periods';
  if (status === 'trialing' && (trialEnd !== periodEnd || anchor > trialEnd!)) return 'anchor';
  const [coupon] = coupons;
  const isLasting = coupons.length === 0 || (coupons.length === 1 && coupon?.duration === 'forever');
  return isLasting && !subscription.hasItemDiscounts ? undefined : 'discount';
}

function obstacleOfCustomer(subscription: StripeSubscription, { customer, hasCard }: Surroundings): Reason | undefined {
  if (customer === undefined) return 'no_customer';
  if (customer.balance !== 0) return 'customer_balance';
  if (customer.hasDiscount && subscription.coupons.length === 0) return 'discount';
  const { method } = subscription;
  return (method === undefined ? customer.hasDefaultCard : hasCard(method)) ? undefined : 'no_card';
}
