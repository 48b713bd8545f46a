import type { Id } from '../../../base/id.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { CouponId } from '../../billing/coupons/coupon.ts';
import type { PriceId, PriceInterval } from '../../billing/prices/price.ts';
import type { CustomerId } from '../../payments/customers/customer.ts';
import type { BillingAddress } from '../../payments/payment_methods/billing.ts';
import type { PaymentMethodId } from '../../payments/payment_methods/payment_method.ts';
import type { Payment, PaymentId } from '../../payments/payments/payment.ts';
import type { SetupId } from '../../payments/setups/setup.ts';
import type { TestClockId } from '../../payments/test_clocks/test_clock.ts';

export type CheckoutSessionId = Id<'cs'>;

export const checkoutModes = ['payment', 'setup', 'subscription'] as const;
export const checkoutStatuses = ['open', 'processing', 'complete', 'expired'] as const;
export type CheckoutStatus = (typeof checkoutStatuses)[number];
export const paymentStatuses = ['unpaid', 'authorized', 'paid', 'no_payment_required'] as const;
export const expiredReasons = ['time', 'requested', 'too_many_attempts', 'invoice_paid'] as const;
export type ExpiredReason = (typeof expiredReasons)[number];
export const addressesCollected = ['none', 'country', 'full'] as const;

export const savingChoices = ['none', 'offer', 'require'] as const;

/** What a customer may know of why a try failed. More would help those who test stolen cards. */
export const customerReasons = ['declined', 'expired', 'wrong_code', 'try_another'] as const;
export type CustomerReason = (typeof customerReasons)[number];

/** So many wrong codes of coupons, and the session takes no more. */
export const couponTriesMax = 10;

export const checkoutSessionEvents = {
  'checkout_session.created': 'A checkout session was created.',
  'checkout_session.completed':
    'A customer has paid, or nothing was to pay. There is one for each session that completes.',
  'checkout_session.expired':
    'A checkout session can no longer be paid: its time is over, it was requested, too many tries failed, or its invoice was paid elsewhere.',
  'checkout_session.payment_failed':
    'A try has failed, to pay or to keep a payment method: it was declined, the customer was not authenticated, or the processor never received it.',
  'checkout_session.processing': 'The outcome of a try is unknown, or the processor takes its time.',
} as const;

/** `amount` is that of all of them, before the discount. */
export type CheckoutLine = {
  price?: PriceId;
  name: string;
  unit_amount: number;
  quantity: number;
  amount: number;
  discount: number;
  /** Of a price that recurs. */
  recurring?: { interval: PriceInterval; interval_count: number };
};

/** What the customer has typed. */
export type ShopperDetails = { email?: string; name?: string; phone?: string; address?: BillingAddress };

/** What the page asks for beside the email. */
export type CollectedDetails = {
  name?: boolean;
  phone?: boolean;
  billing_address?: (typeof addressesCollected)[number];
  terms?: boolean;
};

export type CheckoutSession = Leasable & {
  id: CheckoutSessionId;
  mode: (typeof checkoutModes)[number];
  status: CheckoutStatus;
  payment_status: (typeof paymentStatuses)[number];
  amount_total: number;
  /** Before discounts; null without lines. */
  amount_subtotal: number | null;
  amount_discount: number | null;
  /** Null: a setup that names none. */
  currency: string | null;
  description: string | null;
  line_items: readonly CheckoutLine[] | null;
  customer: CustomerId | null;
  customer_details: ShopperDetails | null;
  capture_method: Payment['capture_method'];
  save_payment_method: (typeof savingChoices)[number] | null;
  subscription_data: { trial_days?: number; metadata?: Metadata; coupon?: CouponId } | null;
  allow_coupons: boolean | null;
  coupon: CouponId | null;
  /** Of the coupon, if the customer has typed it: the code of one that the merchant has applied is not for everybody. */
  coupon_code: string | null;
  coupon_tries: number;
  collect: CollectedDetails | null;
  success_url: string | null;
  cancel_url: string | null;
  locale: string | null;
  url: string;
  reference: string | null;
  metadata: Metadata | null;
  payment_link: Id<'plink'> | null;
  /** Of the latest try: a payment, or a setup where nothing is due. */
  payment: PaymentId | null;
  setup: SetupId | null;
  subscription: Id<'sub'> | null;
  invoice: Id<'in'> | null;
  payment_method: PaymentMethodId | null;
  /** Whether the customer has chosen to save the method of the latest try. */
  saves: boolean | null;
  /** The latest try waits for its customer: on a page of the processor, or for an authentication. */
  awaits_customer: boolean | null;
  /** How many tries were declined. */
  declines: number;
  last_failure: CustomerReason | null;
  late: true | null;
  /** When a person has dealt with its late payment. */
  reviewed_at: Date | null;
  completed_at: Date | null;
  expires_at: Date;
  expired_reason: ExpiredReason | null;
  test_clock: TestClockId | null;
  created_at: Date | null;
};

/** Whether it pays an invoice that exists. One that starts a subscription gets an invoice too, once it is paid. */
export function paysInvoice(session: Pick<CheckoutSession, 'mode' | 'invoice'>): boolean {
  return session.mode === 'payment' && session.invoice !== null;
}

/** Nothing is due, and the method is kept for what is due later: a try is a setup. */
export function takesSetup({ mode, amount_total }: Pick<CheckoutSession, 'mode' | 'amount_total'>): boolean {
  return mode !== 'payment' && amount_total === 0;
}

/** Whether the method of a try is kept. */
export function keepsMethod(
  { mode, save_payment_method }: Pick<CheckoutSession, 'mode' | 'save_payment_method'>,
  isWished: boolean,
): boolean {
  if (mode !== 'payment' || save_payment_method === 'require') return true;
  return save_payment_method === 'offer' && isWished;
}

/** Whether a customer may press the button: it is open, its time is not over, and no try is under way. */
export function mayBeginTry(session: CheckoutSession, now: number): boolean {
  return isOpenFor(session, now) && session.awaits_customer !== true;
}

/** Whether its page can still be paid or changed. */
export function isOpenFor({ status, expires_at }: CheckoutSession, now: number): boolean {
  return status === 'open' && expires_at.getTime() > now;
}

export type FailedTry = Pick<Payment, 'failure_code' | 'advice'>;

/** What the customer learns of a failure. */
export function reasonForCustomer({ failure_code, advice }: FailedTry): CustomerReason {
  if (failure_code === 'expired_card') return 'expired';
  if (failure_code === 'incorrect_cvc') return 'wrong_code';
  if (advice === 'never' || advice === 'another_method' || failure_code === 'processing_error') return 'try_another';
  return 'declined';
}
