// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Metadata } from './shared.ts';

export type Subscription = {
  id: string;
  object: 'subscription';
  customer: string;
  status: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled';
  currency: string;
  items: Array<{
    id: string;
    price: string;
    quantity: number;
  }>;
  /** UTC epoch seconds */
  current_period_start: number;
  /** UTC epoch seconds */
  current_period_end: number;
  /** UTC epoch seconds */
  billing_cycle_anchor: number;
  cancel_at_period_end: boolean;
  /** UTC epoch seconds */
  created: number;
  latest_invoice?: string;
  default_payment_method?: string;
  /** UTC epoch seconds */
  trial_start?: number;
  /** UTC epoch seconds */
  trial_end?: number;
  coupon?: string;
  /** UTC epoch seconds */
  canceled_at?: number;
  /** UTC epoch seconds */
  ended_at?: number;
  /** UTC epoch seconds */
  paused_at?: number;
  metadata?: Metadata;
  test_clock?: string;
};

export type SubscriptionsCancelParameters = {
  /** Whether it ends with the current period */
  at_period_end?: boolean | undefined;
  /** create: the rest of the period is credited; none when not given */
  proration?: 'create' | 'none' | undefined;
};

export type SubscriptionsCreateParameters = {
  /** Who is billed */
  customer: string;
  /** What is billed, all of one currency and one interval */
  items: Array<{
    /** A price that is active */
    price: string;
    /** How many of the price; 1 when not given */
    quantity?: number | undefined;
  }>;
  /** Which of the customer's methods is charged; the customer's default when not given */
  default_payment_method?: string | undefined;
  /** How many days are not billed */
  trial_days?: number | undefined;
  /** Until when nothing is billed; at most 730 days from now */
  trial_end?: number | undefined;
  /** The first boundary of the periods: in the future, at most one interval after the start or the end of the trial */
  billing_cycle_anchor?: number | undefined;
  /** none: a first, short period is not billed */
  proration?: 'create' | 'invoice_now' | 'none' | undefined;
  /** A coupon that lessens its invoices */
  coupon?: string | undefined;
  /** Whether it ends with the current period */
  cancel_at_period_end?: boolean | undefined;
  /** Where the cardholder comes back to after an authentication */
  return_url?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
};

export type SubscriptionsPauseParameters = Record<string, never>;

export type SubscriptionsResumeParameters = Record<string, never>;

export type SubscriptionsUpdateParameters = {
  /** The items to change, to add and to remove; others stay as they are */
  items?:
    | Array<{
        /** An item that the subscription has; a new item has none */
        id?: string | undefined;
        /** The price of a new item, or another price for an item */
        price?: string | undefined;
        /** How many of the price */
        quantity?: number | undefined;
        /** Removes the item */
        deleted?: boolean | undefined;
      }>
    | null
    | undefined;
  /** Whether the rest of the period is prorated on the next invoice (create), on one now, or not at all */
  proration?: 'create' | 'invoice_now' | 'none' | null | undefined;
  /** The moment of the change, for proration: within the current period; now when not given */
  proration_date?: number | null | undefined;
  /** Which of the customer's methods is charged; the customer's default when not given */
  default_payment_method?: string | null | undefined;
  /** Another coupon; empty removes it */
  coupon?: string | null | undefined;
  /** While trialing: another end of the trial, or `now` */
  trial_end?: number | 'now' | undefined;
  /** Whether it ends with the current period */
  cancel_at_period_end?: boolean | null | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
};

export type SubscriptionsListParameters = {
  /** How many to return; 10 when not given. */
  limit?: number | undefined;
  /** An id: the page begins with the next older object. */
  starting_after?: string | undefined;
  /** An id: the page ends with the next newer object. */
  ending_before?: string | undefined;
  created?:
    | {
        gt?: number | undefined;
        gte?: number | undefined;
        lt?: number | undefined;
        lte?: number | undefined;
      }
    | undefined;
  /** Only those of this customer. */
  customer?: string | undefined;
  /** Only those in this status. */
  status?: 'incomplete' | 'trialing' | 'active' | 'past_due' | 'unpaid' | 'paused' | 'canceled' | undefined;
  /** Only those with an item of this price. */
  price?: string | undefined;
};
