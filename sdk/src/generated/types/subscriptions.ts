// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Coupon } from './coupons.ts';
import type { Customer } from './customers.ts';
import type { Invoice } from './invoices.ts';
import type { PaymentMethod } from './payment_methods.ts';
import type { Payment } from './payments.ts';
import type { Setup } from './setups.ts';
import type { ListParameters, Metadata, SubscriptionItemChange } from './shared.ts';
import type { TestClock } from './test_clocks.ts';

/** What a customer pays for at regular intervals. */
export type Subscription = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'subscription';
  /** The id of the customer who is billed. */
  customer: string;
  /**
   * `incomplete`: the first invoice is not paid; 23 hours after the start it is canceled. `trialing`: it is in its
   * trial. `active`: it is billed, and all is well. `past_due`: a charge has failed. `unpaid`: all attempts have
   * failed, and it is no longer billed. `paused`: it is not billed, by request. `canceled`: it has ended, for
   * good.
   */
  status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled';
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** What is billed. */
  items: Array<SubscriptionItem>;
  /** When the current period began; while trialing, the trial. In UTC epoch seconds. */
  current_period_start: number;
  /** When the current period ends; while trialing, the trial. In UTC epoch seconds. */
  current_period_end: number;
  /** The time from which all boundaries of periods are counted. In UTC epoch seconds. */
  billing_cycle_anchor: number;
  /** Whether it ends with the current period. */
  cancel_at_period_end: boolean;
  /** When it was created, by the test clock of the customer if it has one. In UTC epoch seconds. */
  created: number;
  /** The id of its latest invoice; present once there is one. */
  latest_invoice?: string;
  /** The id of the payment method that is charged; present when supplied. */
  default_payment_method?: string;
  /** When the trial began; present when there is or was one. In UTC epoch seconds. */
  trial_start?: number;
  /** When the trial ends or has ended; present when there is or was one. In UTC epoch seconds. */
  trial_end?: number;
  /**
   * The id of the setup of its payment method, while that has not ended: the cardholder is wanted, or the outcome
   * is unknown.
   */
  pending_setup?: string;
  /** The id of its coupon; present when there is one, also after its duration. */
  coupon?: string;
  /** When it was canceled, or when the request was made that ends it with its period. In UTC epoch seconds. */
  canceled_at?: number;
  /** Why it was canceled; present when that was said. */
  cancellation_reason?: 'too_expensive' | 'missing_features' | 'switched_service' | 'unused' | 'low_quality' | 'other';
  /** When it has ended; present once it is canceled. In UTC epoch seconds. */
  ended_at?: number;
  /** When it was paused; present while it is. In UTC epoch seconds. */
  paused_at?: number;
  metadata?: Metadata;
  /** The id of the test clock of the customer; present when there is one. */
  test_clock?: string;
  /** The id that the object has in another system; present when supplied. */
  external_id?: string;
  expanded?: SubscriptionExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type SubscriptionExpanded = {
  customer?: Customer;
  latest_invoice?: Invoice;
  'latest_invoice.payment'?: Payment;
  default_payment_method?: PaymentMethod;
  pending_setup?: Setup;
  coupon?: Coupon;
  test_clock?: TestClock;
};

export type SubscriptionItem = {
  /** An opaque text that begins with `si_`. */
  id: string;
  /** The id of the price. */
  price: string;
  /** How many of the price. */
  quantity: number;
};

export type SubscriptionItemParameters = {
  /** The id of a price that is active. */
  price: string;
  /** How many of the price, from 0 to 1,000,000; 1 when not given. */
  quantity?: number | undefined;
};

export type SubscriptionsCancelParameters = {
  /** Whether it ends with the current period, or with its trial. */
  at_period_end?: boolean | undefined;
  /** Why the customer cancels. */
  reason?: 'too_expensive' | 'missing_features' | 'switched_service' | 'unused' | 'low_quality' | 'other' | undefined;
  /** `create` credits the rest of the period; `none`, the default, credits nothing. */
  proration?: 'create' | 'none' | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<
        | 'customer'
        | 'latest_invoice'
        | 'latest_invoice.payment'
        | 'default_payment_method'
        | 'pending_setup'
        | 'coupon'
        | 'test_clock'
      >
    | undefined;
};

export type SubscriptionsCreateParameters = {
  /** The id of the customer who is billed. */
  customer: string;
  /**
   * What is billed: 1 to 20 items, whose prices have one currency and one period. Together they cost at most
   * 999,999,999,999 for a period.
   */
  items: Array<SubscriptionItemParameters>;
  /** The id of a payment method that is attached to the customer. Without one, the customer's default is charged. */
  default_payment_method?: string | undefined;
  /** How many days are not billed, from 1 to 730. Excludes `trial_end`. */
  trial_days?: number | undefined;
  /** Until when nothing is billed, in UTC epoch seconds: at most 730 days from now. Excludes `trial_days`. */
  trial_end?: number | undefined;
  /**
   * The first boundary of periods, in UTC epoch seconds: after the start or the end of the trial, by one period at
   * most. By default the start, or the end of the trial.
   */
  billing_cycle_anchor?: number | undefined;
  /** `none`: a first period that `billing_cycle_anchor` shortens is not billed. By default its share is. */
  proration?: 'create' | 'invoice_now' | 'none' | undefined;
  /** The id of a coupon that discounts its invoices. One with `amount_off` must be in the currency of the prices. */
  coupon?: string | undefined;
  /** Whether it ends with the current period, or with its trial. */
  cancel_at_period_end?: boolean | undefined;
  /**
   * Where the cardholder returns to after an authentication of the first payment, or of the setup of the payment
   * method: an https address of up to 2,048 characters.
   */
  return_url?: string | undefined;
  /**
   * `true`: the cardholder is not there. The payment method is not set up, and a bank that requires authentication
   * declines the first payment. Not together with `return_url`.
   */
  off_session?: boolean | undefined;
  /**
   * When a payment of this request is declined. `allow_incomplete`, the default: the subscription is `incomplete`,
   * and its first invoice stays open. `error_if_incomplete`: the answer is 402, and there is no subscription and
   * no invoice; a cardholder who would have to authenticate counts as a decline. Where nothing is charged, it
   * applies to the setup of the payment method; by default, the subscription starts although that is declined.
   */
  payment_behavior?: 'allow_incomplete' | 'error_if_incomplete' | undefined;
  /**
   * The id that the object has in another system, up to 200 characters; no other object of its kind may have it.
   * Once set it does not change: an update can remove it, and then set another.
   */
  external_id?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<
        | 'customer'
        | 'latest_invoice'
        | 'latest_invoice.payment'
        | 'default_payment_method'
        | 'pending_setup'
        | 'coupon'
        | 'test_clock'
      >
    | undefined;
};

export type SubscriptionsPauseParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<
        | 'customer'
        | 'latest_invoice'
        | 'latest_invoice.payment'
        | 'default_payment_method'
        | 'pending_setup'
        | 'coupon'
        | 'test_clock'
      >
    | undefined;
};

export type SubscriptionsResumeParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<
        | 'customer'
        | 'latest_invoice'
        | 'latest_invoice.payment'
        | 'default_payment_method'
        | 'pending_setup'
        | 'coupon'
        | 'test_clock'
      >
    | undefined;
};

export type SubscriptionsUpdateParameters = {
  /**
   * The items to change, to add and to remove: 1 to 40. Others stay as they are. At least one must be left, and 20
   * at most.
   */
  items?: Array<SubscriptionItemChange> | null | undefined;
  /**
   * For a change of items. `create`, the default, prorates the rest of the period on the next invoice,
   * `invoice_now` on an invoice now, `none` not at all.
   */
  proration?: 'create' | 'invoice_now' | 'none' | null | undefined;
  /**
   * The time of the change, for proration, in UTC epoch seconds: within the current period, and not before the
   * latest change of an item that was prorated; now when not given.
   */
  proration_date?: number | null | undefined;
  /** The id of a payment method that is attached to the customer. Without one, the customer's default is charged. */
  default_payment_method?: string | null | undefined;
  /** The id of another coupon, whose duration begins now. Null or an empty string removes the coupon. */
  coupon?: string | null | undefined;
  /** While trialing: another end of the trial, or `now`. */
  trial_end?: number | 'now' | undefined;
  /** Whether it ends with the current period, or with its trial. */
  cancel_at_period_end?: boolean | null | undefined;
  /**
   * When a payment of this request is declined. `allow_incomplete`, the default: the change is made, and the
   * subscription is `past_due`. `error_if_incomplete`: the answer is 402, and nothing of the request has changed
   * the subscription; a cardholder who would have to authenticate counts as a decline. Where nothing is charged,
   * it has no effect.
   */
  payment_behavior?: 'allow_incomplete' | 'error_if_incomplete' | null | undefined;
  /**
   * The id that the object has in another system, up to 200 characters; no other object of its kind may have it.
   * Once set it does not change: an update can remove it, and then set another.
   */
  external_id?: string | null | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<
        | 'customer'
        | 'latest_invoice'
        | 'latest_invoice.payment'
        | 'default_payment_method'
        | 'pending_setup'
        | 'coupon'
        | 'test_clock'
      >
    | undefined;
};

export type SubscriptionsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those of this customer. */
  customer?: string | undefined;
  /** Only those in this status, or in one of these. */
  status?:
    | 'incomplete'
    | 'trialing'
    | 'active'
    | 'past_due'
    | 'unpaid'
    | 'paused'
    | 'canceled'
    | Array<'incomplete' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled'>
    | undefined;
  /** Only those with an item of this price. */
  price?: string | undefined;
  /** Only those that have this coupon. */
  coupon?: string | undefined;
  /** Only those of customers with this test clock. */
  test_clock?: string | undefined;
  /** Only the one that has this id in another system. */
  external_id?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<
        | 'customer'
        | 'latest_invoice'
        | 'latest_invoice.payment'
        | 'default_payment_method'
        | 'pending_setup'
        | 'coupon'
        | 'test_clock'
      >
    | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};

export type SubscriptionsRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<
        | 'customer'
        | 'latest_invoice'
        | 'latest_invoice.payment'
        | 'default_payment_method'
        | 'pending_setup'
        | 'coupon'
        | 'test_clock'
      >
    | undefined;
};
