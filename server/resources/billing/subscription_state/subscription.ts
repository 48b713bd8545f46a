import { assert } from '../../../base/errors.ts';
import type { Id } from '../../../base/id.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { CustomerId } from '../../payments/customers/customer.ts';
import type { PaymentMethodId } from '../../payments/payment_methods/payment_method.ts';
import type { Period, Recurring } from '../arithmetic/calendar.ts';
import type { CouponId } from '../coupons/coupon.ts';
import type { PriceId } from '../prices/price.ts';

export type SubscriptionId = Id<'sub'>;
/** The id of an invoice. Invoices build on this folder, so theirs cannot be imported. */
export type InvoiceRef = Id<'in'>;

export const subscriptionStatuses = [
  'incomplete',
  'trialing',
  'active',
  'past_due',
  'unpaid',
  'paused',
  'canceled',
] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

/** Why customers cancel, as far as they say it. */
export const cancellationReasons = [
  'too_expensive',
  'missing_features',
  'switched_service',
  'unused',
  'low_quality',
  'other',
] as const;
export type CancellationReason = (typeof cancellationReasons)[number];

type StatusMoves = Record<SubscriptionStatus, readonly SubscriptionStatus[]>;

/** Every legal move. */
export const statusMoves = {
  incomplete: ['active', 'canceled'],
  trialing: ['active', 'past_due', 'canceled'],
  active: ['past_due', 'paused', 'canceled'],
  past_due: ['active', 'unpaid', 'canceled'],
  unpaid: ['active', 'canceled'],
  paused: ['active', 'canceled'],
  canceled: [],
} as const satisfies StatusMoves;

export const subscriptionEvents = {
  'subscription.created': 'A subscription was created.',
  'subscription.updated':
    'A subscription was changed, by a request, a new period or one of its invoices; not if nothing that is shown changed.',
  'subscription.trial_will_end': 'A trial ends in three days, or in less if it is shorter.',
  'subscription.paused': 'A subscription was paused.',
  'subscription.resumed': 'A paused subscription was resumed.',
  'subscription.canceled':
    'A subscription has ended, by a request, with its period, at the end of the retries, because its first invoice was not paid, or with its customer.',
} as const;

/** The line that charges for the present time of an item. */
export type ItemCharge = {
  /** Null: the line waits for the next invoice. */
  invoice: InvoiceRef | null;
  /** The amount of the line less its discount. */
  net: number;
  /** The price that it charges for. Without proration, the item may have changed since. */
  price: PriceId;
  quantity: number;
} & Period;

/** How much of the lines of an invoice was credited. Invoice null: of lines that wait for one. */
export type InvoiceCredit = { invoice: InvoiceRef | null; amount: number };

export type LastCredit = { from: number; price: PriceId; quantity: number; amount: number };

export type Item = {
  id: Id<'si'>;
  price: PriceId;
  quantity: number;
  /** Null: nothing was charged for it, as in a trial. */
  charged: ItemCharge | null;
  /** The credit for it at its last change. A change back at the same moment charges exactly this. */
  credited?: LastCredit;
};

/** Times are epoch seconds, by the customer's test clock where there is one. */
export type Subscription = Leasable & {
  id: SubscriptionId;
  customer: CustomerId;
  status: SubscriptionStatus;
  currency: string;
  items: readonly Item[];
  billing_interval: Recurring['interval'];
  interval_count: number;
  billing_cycle_anchor: number;
  current_period_start: number;
  current_period_end: number;
  /** The invoice of the current period. */
  period_invoice: InvoiceRef | null;
  latest_invoice: InvoiceRef | null;
  /** The credited amounts of the invoices of the current period. */
  credits: readonly InvoiceCredit[] | null;
  open_invoices: number;
  /** How many lines wait for its next invoice. */
  waiting_lines: number;
  cancel_at_period_end: boolean;
  default_payment_method: PaymentMethodId | null;
  trial_start: number | null;
  trial_end: number | null;
  /** Whether the end of the trial was announced. */
  trial_announced: boolean;
  coupon: CouponId | null;
  coupon_applied: number | null;
  /** Whether a coupon for one invoice has discounted one. */
  coupon_used: boolean;
  canceled_at: number | null;
  cancellation_reason: CancellationReason | null;
  ended_at: number | null;
  paused_at: number | null;
  /** It was canceled at the end of dunning: its open invoices become uncollectible. */
  gives_up: boolean;
  /** The setup of its payment method that has not ended yet. */
  pending_setup: Id<'set'> | null;
  /** What it brings in a month while it is active; null: not filled in yet. */
  mrr: number | null;
  /** When it ended, in real time; null: it has not, or never began. */
  lost_at: Date | null;
  /** Its id in another system. */
  external_id: string | null;
  /** Null: never supplied. */
  metadata: Metadata | null;
  test_clock: Id<'clock'> | null;
  created: number;
  /** When it is due by its test clock; `due_at` is by real time. */
  clock_due_at: Date | null;
};

export const incompleteSeconds = 23 * 3_600;
const trialNoticeSeconds = 3 * 86_400;

/** When something happens to it next without a request, epoch seconds. */
export function nextDue(subscription: Subscription): number | null {
  const { status, created, trial_end, current_period_end, gives_up, open_invoices, ended_at } = subscription;
  switch (status) {
    case 'canceled':
      return gives_up && open_invoices > 0 ? ended_at : null;
    case 'incomplete':
      return created + incompleteSeconds;
    case 'trialing':
      return subscription.trial_announced ? trial_end : trialNoticeAt(subscription);
    case 'paused':
    case 'unpaid':
      return subscription.cancel_at_period_end ? current_period_end : null;
    default:
      return current_period_end;
  }
}

/** When the end of a trial is announced. */
export function trialNoticeAt({ trial_start, trial_end }: Subscription): number {
  assert(trial_start !== null && trial_end !== null, 'it has a trial');
  return Math.max(trial_start, trial_end - trialNoticeSeconds);
}

export function recurringOf({ billing_interval: interval, interval_count }: Subscription): Recurring {
  return { interval, interval_count };
}

export function currentPeriod({ current_period_start: start, current_period_end: end }: Subscription): Period {
  return { start, end };
}

type Payer = { default_payment_method: string | null } | undefined;

/** The method that is charged: that of the subscription, or else the customer's default. */
export function methodFor(subscription: Payer, customer: Payer): string | undefined {
  return subscription?.default_payment_method ?? customer?.default_payment_method ?? undefined;
}

/** Whether a charge of its invoices that fails is tried again. */
export function isDunned({ status }: Subscription): boolean {
  return status === 'active' || status === 'past_due' || status === 'unpaid' || status === 'paused';
}

/** The subscription in another status. An illegal move is a bug, because requests are refused before. */
export function inStatus(subscription: Subscription, status: SubscriptionStatus): Subscription {
  const { status: before } = subscription;
  const isLegal = before === status || (statusMoves as StatusMoves)[before].includes(status);
  assert(isLegal, `a subscription that is ${before} cannot become ${status}`);
  return { ...subscription, status };
}

export function cancel(subscription: Subscription, at: number): Subscription {
  const { canceled_at } = subscription;
  return { ...inStatus(subscription, 'canceled'), canceled_at: canceled_at ?? at, ended_at: at };
}
