// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Customer } from './customers.ts';
import type { Invoice } from './invoices.ts';
import type { PaymentMethod } from './payment_methods.ts';
import type { Payment } from './payments.ts';
import type { Setup } from './setups.ts';
import type { CheckoutCollect, ListParameters, Metadata } from './shared.ts';
import type { Subscription } from './subscriptions.ts';
import type { TestClock } from './test_clocks.ts';

/** A line of a checkout session. */
export type CheckoutLineItem = {
  /** What is sold. */
  name: string;
  /** How many. */
  quantity: number;
  /** What one costs, in the smallest unit of the currency. */
  unit_amount: number;
  /** What all of them cost, before the discount. */
  amount: number;
  /** What a coupon takes off; present when it is not 0. */
  discount?: number;
  /** The id of the price. */
  price?: string;
  recurring?: CheckoutRecurring;
};

/** How often it is paid; present for a price that recurs. */
export type CheckoutRecurring = {
  /** The unit of the period. */
  interval: 'day' | 'week' | 'month' | 'year';
  /** How many of them a period has. */
  interval_count: number;
};

/** What a customer is to pay for on a page of the gateway. */
export type CheckoutSession = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'checkout_session';
  /**
   * `payment`: the customer pays once. `setup`: a payment method is kept, and nothing is paid. `subscription`: the
   * customer subscribes.
   */
  mode: 'payment' | 'setup' | 'subscription';
  /**
   * `open`: it can be paid. `processing`: a try is under way, or its outcome is unknown. It becomes `complete`, or
   * `open` again after a decline. `complete`: it is paid or authorized, or the payment method is kept; see
   * `payment_status`. `expired`: it can no longer be paid.
   */
  status: 'open' | 'processing' | 'complete' | 'expired';
  /**
   * `unpaid`, `paid`, or `authorized` until the payment is captured. `no_payment_required`: nothing is due.
   * Refunds change nothing.
   */
  payment_status: 'unpaid' | 'authorized' | 'paid' | 'no_payment_required';
  /** What the customer pays, in the smallest unit of the currency; of a subscription, what is paid when it begins. */
  amount_total: number;
  /** A three-letter ISO currency code in lower case. */
  currency?: string;
  /**
   * The address of the page that the customer pays on; present while it is open. The address is the permission:
   * everybody who has it sees the order and what the customer has typed, and can pay, with the saved cards of
   * `customer` too. Give it to nobody else.
   */
  url?: string;
  /** When it can no longer be paid, in real time. In UTC epoch seconds. */
  expires_at: number;
  /** When it was created, by the test clock of the customer if it has one. In UTC epoch seconds. */
  created: number;
  /** What is sold; present when supplied. */
  line_items?: Array<CheckoutLineItem>;
  /** The sum of the lines before the discount; present with `line_items`. */
  amount_subtotal?: number;
  /** What a coupon takes off; present when there is one. */
  amount_discount?: number;
  /** What the amount is for; present when supplied. */
  description?: string;
  /** The id of the customer. */
  customer?: string;
  customer_details?: CustomerDetails;
  /** The id of the payment of the latest try. */
  payment?: string;
  /** The id of the setup of the latest try, where nothing is due. */
  setup?: string;
  /** The id of the subscription that it has started. */
  subscription?: string;
  /** The id of the first invoice of that subscription. */
  invoice?: string;
  /** The id of the payment method that has paid it, or is kept by it. */
  payment_method?: string;
  /** Whether the payment method is kept; present when supplied. */
  save_payment_method?: 'none' | 'offer' | 'require';
  /** Present when supplied. */
  capture_method?: 'automatic' | 'manual';
  /** Whether the customer can enter the code of a coupon; present when supplied. */
  allow_coupons?: boolean;
  subscription_data?: CheckoutSubscriptionData;
  /** The id of the coupon that is applied: that of `subscription_data`, or the one that the customer has entered. */
  coupon?: string;
  collect?: CheckoutCollect;
  /** Where the customer goes after the payment; present when supplied. */
  success_url?: string;
  /** Where the customer goes without paying; present when supplied. */
  cancel_url?: string;
  /** The language of the page; present when supplied. */
  locale?: string;
  /** The number of your order; present when supplied. */
  reference?: string;
  /** The id of the payment link that it was made by. */
  payment_link?: string;
  /** When it was completed. In UTC epoch seconds. */
  completed_at?: number;
  /**
   * `time`, `requested`, `too_many_attempts`: too many tries were declined, or `invoice_paid`: its invoice was
   * paid elsewhere. Present once it has expired.
   */
  expired_reason?: 'time' | 'requested' | 'too_many_attempts' | 'invoice_paid';
  /**
   * `true`: the payment succeeded after the session had expired. Deliver, or refund the payment, and review the
   * session.
   */
  late?: boolean;
  /** When somebody has dealt with the late payment; present once it was reviewed. In UTC epoch seconds. */
  reviewed_at?: number;
  metadata?: Metadata;
  /** The id of the test clock of the customer. */
  test_clock?: string;
  expanded?: CheckoutSessionExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type CheckoutSessionExpanded = {
  customer?: Customer;
  payment?: Payment;
  setup?: Setup;
  subscription?: Subscription;
  invoice?: Invoice;
  payment_method?: PaymentMethod;
  test_clock?: TestClock;
};

export type CheckoutSessionsCreateParameters = {
  /**
   * `payment`: the customer pays once. It is the default. `setup`: nothing is paid, and a payment method is kept
   * for later charges. `subscription`: prices that recur start a subscription, and lines that are paid once join
   * its first invoice.
   */
  mode?: 'payment' | 'setup' | 'subscription' | undefined;
  /** What the subscription gets, in the mode `subscription`. */
  subscription_data?:
    | {
        /**
         * How many days are free, from 1 to 730. The payment method is set up, and nothing is charged but lines that are
         * paid once.
         */
        trial_days?: number | undefined;
        /**
         * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
         * update is merged key by key: null or an empty string removes a key.
         */
        metadata?: Record<string, unknown> | undefined;
        /** The id of a coupon for its items. Without a trial it must leave something to pay when the subscription begins. */
        coupon?: string | undefined;
      }
    | undefined;
  /**
   * What is to be paid, with `currency`: 1 to 999,999,999,999 in the smallest unit of the currency. Not together
   * with `line_items`.
   */
  amount?: number | undefined;
  /** A three-letter ISO 4217 currency code that is in use, in either case. */
  currency?: string | undefined;
  /** What `amount` is for, up to 1,000 characters. The customer sees it. */
  description?: string | undefined;
  /** What is sold: 1 to 100 lines in one currency. Not together with `amount`. */
  line_items?:
    | Array<{
        /**
         * The id of an active price; in the mode `payment` one that is paid once. Not together with `name`,
         * `unit_amount` and `currency`.
         */
        price?: string | undefined;
        /** What is sold, up to 256 characters. */
        name?: string | undefined;
        /** What one costs, in the smallest unit of the currency. */
        unit_amount?: number | undefined;
        /** A three-letter ISO 4217 currency code that is in use, in either case. */
        currency?: string | undefined;
        /** How many, from 1 to 999; 1 when not given. */
        quantity?: number | undefined;
      }>
    | undefined;
  /**
   * Whether the payment method is kept for later charges without the customer, in the mode `payment`. `none` is
   * the default. `offer`: the customer chooses. `require`: it is kept. A session without a customer then makes one
   * with the payment.
   */
  save_payment_method?: 'none' | 'offer' | 'require' | undefined;
  /**
   * `automatic` captures immediately, and is the default. `manual` only authorizes: capture the payment within 7
   * days.
   */
  capture_method?: 'automatic' | 'manual' | undefined;
  /** Whether the customer can enter the `code` of a coupon. */
  allow_coupons?: boolean | undefined;
  /** What the page asks the customer for, beside the email address. */
  collect?:
    | {
        /** Whether the name is required. */
        name?: boolean | undefined;
        /** Whether a phone number is required. */
        phone?: boolean | undefined;
        /** `none` when not given; `country`: the country and what the bank compares; `full`: the whole address. */
        billing_address?: 'none' | 'country' | 'full' | undefined;
        /** Whether the customer must agree to your terms. The branding must have the link to them. */
        terms?: boolean | undefined;
      }
    | undefined;
  /**
   * Where the customer goes after the payment, as a hint: retrieve the session, or wait for
   * `checkout_session.completed`: an https address of up to 2,048 characters, without user name and password. In
   * test mode also http on this machine. `{CHECKOUT_SESSION}` is replaced by the id. Without one, our own page
   * says how it went.
   */
  success_url?: string | undefined;
  /**
   * Where the customer goes to leave the page without paying: an https address of up to 2,048 characters, without
   * user name and password. In test mode also http on this machine. `{CHECKOUT_SESSION}` is replaced by the id.
   * Without one, our own page says how it went.
   */
  cancel_url?: string | undefined;
  /** The language of the page; `auto`, the default: that of the browser. */
  locale?:
    | 'auto'
    | 'bg'
    | 'cs'
    | 'da'
    | 'de'
    | 'el'
    | 'en'
    | 'en-GB'
    | 'es'
    | 'et'
    | 'fi'
    | 'fr'
    | 'hr'
    | 'hu'
    | 'it'
    | 'ja'
    | 'lt'
    | 'lv'
    | 'nb'
    | 'nl'
    | 'pl'
    | 'pt'
    | 'pt-BR'
    | 'ro'
    | 'sk'
    | 'sl'
    | 'sv'
    | 'zh'
    | 'ar'
    | 'he'
    | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
  /**
   * The id of the customer who pays. The page offers the saved payment methods of this customer. Not together with
   * `customer_email`.
   */
  customer?: string | undefined;
  /** The email address of the customer. The page shows it, and asks for none. */
  customer_email?: string | undefined;
  /** After how many seconds it can no longer be paid: 1,800 to 86,400, which is the default. */
  expires_in?: number | undefined;
  /** The number of your order, up to 200 characters. It need not be unique. */
  reference?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<'customer' | 'payment' | 'setup' | 'subscription' | 'invoice' | 'payment_method' | 'test_clock'>
    | undefined;
};

export type CheckoutSessionsExpireParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<'customer' | 'payment' | 'setup' | 'subscription' | 'invoice' | 'payment_method' | 'test_clock'>
    | undefined;
};

export type CheckoutSessionsRedactParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<'customer' | 'payment' | 'setup' | 'subscription' | 'invoice' | 'payment_method' | 'test_clock'>
    | undefined;
};

export type CheckoutSessionsReviewParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<'customer' | 'payment' | 'setup' | 'subscription' | 'invoice' | 'payment_method' | 'test_clock'>
    | undefined;
};

export type CheckoutSessionsUpdateParameters = {
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<'customer' | 'payment' | 'setup' | 'subscription' | 'invoice' | 'payment_method' | 'test_clock'>
    | undefined;
};

/** What the subscription gets; present when supplied. */
export type CheckoutSubscriptionData = {
  /** How many days are free. */
  trial_days?: number;
  metadata?: Metadata;
};

/** What the customer has typed. It is erased with the events of the session, or by a redaction. */
export type CustomerDetails = {
  /** The email address. */
  email?: string;
  /** The name. */
  name?: string;
  /** The phone number. */
  phone?: string;
  /** The billing address, as far as it was asked for. */
  address?: Record<string, string>;
};

export type CheckoutSessionsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those with this status, or these. */
  status?:
    | 'open'
    | 'processing'
    | 'complete'
    | 'expired'
    | Array<'open' | 'processing' | 'complete' | 'expired'>
    | undefined;
  /** Only those of this customer. */
  customer?: string | undefined;
  /** Only those that were made by this payment link. */
  payment_link?: string | undefined;
  /** Only those with this reference. */
  reference?: string | undefined;
  /** Only those in this currency: its three-letter ISO 4217 code, in either case. */
  currency?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<'customer' | 'payment' | 'setup' | 'subscription' | 'invoice' | 'payment_method' | 'test_clock'>
    | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};

export type CheckoutSessionsRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?:
    | Array<'customer' | 'payment' | 'setup' | 'subscription' | 'invoice' | 'payment_method' | 'test_clock'>
    | undefined;
};
