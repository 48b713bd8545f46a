import type { IntervalModel } from './days.ts';

/** The expected state, as plainly as possible. Amounts are whole units of a currency, times are seconds since 1970. */
export type PriceModel = { key: string; currency: string; unitAmount: number; interval: IntervalModel };

export type CouponModel = {
  key: string;
  off: { percent: number } | { amount: number; currency: string };
  duration: 'once' | 'forever' | { months: number };
};
export type AppliedCouponModel = { coupon: CouponModel; at: number; isUsedUp: boolean };

export type CardModel = 'pays' | 'short_of_funds' | 'busy' | 'refuses' | 'lost' | 'expired' | 'wants_cardholder';

export type LineModel = {
  amount: number;
  discount: number;
  start: number;
  end: number;
  isProration: boolean;
  price?: PriceModel;
  quantity?: number;
  isOneOff?: boolean;
  /** The invoice that it is on; absent while it waits. */
  invoice?: InvoiceModel;
  /** How much of it was credited. */
  credited?: number;
};

export type ItemModel = {
  price: PriceModel;
  quantity: number;
  /** The line that charged, or will charge, for the rest of the current period. */
  cover?: LineModel;
};

export type FailureModel = { code: string; decline_code?: string };
export type ChargeModel = {
  at: number;
  amount: number;
  outcome: 'succeeded' | 'failed' | 'requires_action' | 'canceled';
};

export type InvoiceModel = {
  key: string;
  customer: CustomerModel;
  subscription?: SubscriptionModel;
  reason: 'subscription_create' | 'subscription_cycle' | 'subscription_update' | 'manual';
  status: 'draft' | 'open' | 'paid' | 'void' | 'uncollectible';
  currency: string;
  lines: LineModel[];
  creditApplied: number;
  amountPaid: number;
  refunded?: number;
  /** What later credits have made up for: it was credited and refunded by more than it charged. */
  madeUp?: number;
  attemptCount: number;
  charges: ChargeModel[];
  periodStart: number;
  periodEnd: number;
  created: number;
  firstFailure?: number;
  lastFailure?: FailureModel;
  nextAttempt?: number;
  /** The days of retries are over, and the subscription has stayed past_due. */
  isGivenUp?: boolean;
  paidAt?: number;
  voidedAt?: number;
};

export type SubscriptionStatusModel =
  | 'incomplete'
  | 'trialing'
  | 'active'
  | 'past_due'
  | 'unpaid'
  | 'paused'
  | 'canceled';

export type SubscriptionModel = {
  key: string;
  customer: CustomerModel;
  status: SubscriptionStatusModel;
  currency: string;
  items: ItemModel[];
  card?: CardModel;
  anchor: number;
  /** What a defect counts intervals from, in place of the anchor. */
  base?: number;
  /** The anchor was asked for; otherwise it follows the end of the trial. */
  hasOwnAnchor: boolean;
  periodStart: number;
  periodEnd: number;
  /** The invoice that bills the current period; absent in a trial and for a time that is not billed. */
  periodInvoice?: InvoiceModel;
  latestInvoice?: InvoiceModel;
  waiting: LineModel[];
  /** The lines that were credited in this period, or wait for the invoice of the next one. */
  creditedLines: LineModel[];
  coupon?: AppliedCouponModel;
  endsWithPeriod: boolean;
  created: number;
  trialStart?: number;
  trialEnd?: number;
  canceledAt?: number;
  endedAt?: number;
  pausedAt?: number;
};

export type WaitingItemModel = { amount: number; currency: string; subscription?: SubscriptionModel };
export type CreditMovementModel = { amount: number; currency: string; invoice: InvoiceModel; at: number };

export type CustomerModel = {
  key: string;
  card?: CardModel;
  items: WaitingItemModel[];
  invoices: InvoiceModel[];
  movements: CreditMovementModel[];
};

export type Proration = 'create' | 'invoice_now' | 'none';
export type DunningModel = { days: number[]; end: 'canceled' | 'unpaid' | 'past_due' };

/** Errors that a gateway could make. The model makes one of them when it is asked to, to show that the comparison detects it. */
export const defects = [
  'the next boundary is computed from the previous one',
  'a percentage is rounded per invoice',
  'an unpaid period is credited',
  'a refunded period is credited',
  'a period is invoiced twice after a crash',
  'a hard decline is tried again',
  'a coupon for one invoice discounts every invoice',
  'an amount off discounts a proration',
  'a credit ignores the discount',
  'a void invoice keeps the credit',
  'an uncollectible invoice gives the credit back',
  'a canceled subscription is still retried',
  'only the last of several missed periods is invoiced',
  'the share of a short period is of its own length',
  'a retry is counted from the failure before it',
] as const;
export type Defect = (typeof defects)[number];
