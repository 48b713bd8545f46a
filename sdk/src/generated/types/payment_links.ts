// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { CheckoutCollect, ListParameters, Metadata } from './shared.ts';

/** The customer chooses the amount. */
export type AmountChoice = {
  /** The smallest amount. */
  min: number;
  /** The largest amount. */
  max: number;
  /** Amounts to choose. */
  suggested?: Array<number>;
};

/** What each subscription gets that is sold. */
export type LinkSubscriptionData = {
  /** How many days are free. */
  trial_days?: number;
  metadata?: Metadata;
  /** The id of a coupon for its items. */
  coupon?: string;
};

/** An address that sells the same thing to anybody. */
export type PaymentLink = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'payment_link';
  /** Whether it sells. */
  active: boolean;
  /** The address of the page. */
  url: string;
  /** What a session of it does. */
  mode: 'payment' | 'setup' | 'subscription';
  /** How many sessions were completed. */
  completed: number;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  /** What is paid, in the smallest unit of the currency. */
  amount?: number;
  /** A three-letter ISO currency code in lower case. */
  currency?: string;
  /** What the amount is for. */
  description?: string;
  /** What is sold. */
  line_items?: Array<PaymentLinkLine>;
  adjustable_quantity?: QuantityBounds;
  amount_choice?: AmountChoice;
  /** How many sessions can be completed. */
  limit?: number;
  /** What the page says when the link is inactive or sold out. */
  inactive_message?: string;
  /** Whether the payment method is kept for later charges. */
  save_payment_method?: 'none' | 'offer' | 'require';
  /** Whether payments are captured immediately. */
  capture_method?: 'automatic' | 'manual';
  /** Whether the page takes the code of a coupon. */
  allow_coupons?: boolean;
  subscription_data?: LinkSubscriptionData;
  collect?: CheckoutCollect;
  /** Where the customer goes after the payment. */
  success_url?: string;
  /** Where the customer goes without paying. */
  cancel_url?: string;
  /** The language of the page. */
  locale?: string;
  metadata?: Metadata;
};

/** Something that is sold, as it was supplied. */
export type PaymentLinkLine = {
  /** The id of the price. */
  price?: string;
  /** What is sold. */
  name?: string;
  /** What one costs, in the smallest unit of the currency. */
  unit_amount?: number;
  /** A three-letter ISO currency code in lower case. */
  currency?: string;
  /** How many; 1 when not given. */
  quantity?: number;
};

export type PaymentLinksCreateParameters = {
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
  /** The customer chooses how many of the one line, from `min` to `max`. */
  adjustable_quantity?:
    | {
        /** The fewest. */
        min: number;
        /** The most. */
        max: number;
      }
    | undefined;
  /** The customer chooses the amount, as for donations. It needs `currency`. */
  amount_choice?:
    | {
        /** The smallest amount. In the smallest unit of the currency. */
        min: number;
        /** The largest amount. In the smallest unit of the currency. */
        max: number;
        /** Up to 10 amounts to choose. */
        suggested?: Array<number> | undefined;
      }
    | undefined;
  /**
   * How many sessions can be completed. A place is held from the press of the button to the outcome, and a session
   * lives for 30 minutes.
   */
  limit?: number | undefined;
  /** What the page says when the link is inactive or sold out, up to 500 characters. */
  inactive_message?: string | undefined;
};

export type PaymentLinksUpdateParameters = {
  /** Whether it sells. */
  active?: boolean | null | undefined;
  /** What the subscription gets, in the mode `subscription`. */
  subscription_data?:
    | {
        /**
         * How many days are free, from 1 to 730. The payment method is set up, and nothing is charged but lines that are
         * paid once.
         */
        trial_days?: number | null | undefined;
        /**
         * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
         * update is merged key by key: null or an empty string removes a key.
         */
        metadata?: Record<string, unknown> | null | undefined;
        /** The id of a coupon for its items. Without a trial it must leave something to pay when the subscription begins. */
        coupon?: string | null | undefined;
      }
    | null
    | undefined;
  /**
   * What is to be paid, with `currency`: 1 to 999,999,999,999 in the smallest unit of the currency. Not together
   * with `line_items`.
   */
  amount?: number | null | undefined;
  /** A three-letter ISO 4217 currency code that is in use, in either case. */
  currency?: string | null | undefined;
  /** What `amount` is for, up to 1,000 characters. The customer sees it. */
  description?: string | null | undefined;
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
    | null
    | undefined;
  /**
   * Whether the payment method is kept for later charges without the customer, in the mode `payment`. `none` is
   * the default. `offer`: the customer chooses. `require`: it is kept. A session without a customer then makes one
   * with the payment.
   */
  save_payment_method?: 'none' | 'offer' | 'require' | null | undefined;
  /**
   * `automatic` captures immediately, and is the default. `manual` only authorizes: capture the payment within 7
   * days.
   */
  capture_method?: 'automatic' | 'manual' | null | undefined;
  /** Whether the customer can enter the `code` of a coupon. */
  allow_coupons?: boolean | null | undefined;
  /** What the page asks the customer for, beside the email address. */
  collect?:
    | {
        /** Whether the name is required. */
        name?: boolean | null | undefined;
        /** Whether a phone number is required. */
        phone?: boolean | null | undefined;
        /** `none` when not given; `country`: the country and what the bank compares; `full`: the whole address. */
        billing_address?: 'none' | 'country' | 'full' | null | undefined;
        /** Whether the customer must agree to your terms. The branding must have the link to them. */
        terms?: boolean | null | undefined;
      }
    | null
    | undefined;
  /**
   * Where the customer goes after the payment, as a hint: retrieve the session, or wait for
   * `checkout_session.completed`: an https address of up to 2,048 characters, without user name and password. In
   * test mode also http on this machine. `{CHECKOUT_SESSION}` is replaced by the id. Without one, our own page
   * says how it went.
   */
  success_url?: string | null | undefined;
  /**
   * Where the customer goes to leave the page without paying: an https address of up to 2,048 characters, without
   * user name and password. In test mode also http on this machine. `{CHECKOUT_SESSION}` is replaced by the id.
   * Without one, our own page says how it went.
   */
  cancel_url?: string | null | undefined;
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
    | null
    | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
  /** The customer chooses how many of the one line, from `min` to `max`. */
  adjustable_quantity?:
    | {
        /** The fewest. */
        min: number;
        /** The most. */
        max: number;
      }
    | null
    | undefined;
  /** The customer chooses the amount, as for donations. It needs `currency`. */
  amount_choice?:
    | {
        /** The smallest amount. In the smallest unit of the currency. */
        min: number;
        /** The largest amount. In the smallest unit of the currency. */
        max: number;
        /** Up to 10 amounts to choose. */
        suggested?: Array<number> | null | undefined;
      }
    | null
    | undefined;
  /**
   * How many sessions can be completed. A place is held from the press of the button to the outcome, and a session
   * lives for 30 minutes.
   */
  limit?: number | null | undefined;
  /** What the page says when the link is inactive or sold out, up to 500 characters. */
  inactive_message?: string | null | undefined;
};

/** The customer chooses how many of the one line. */
export type QuantityBounds = {
  /** The fewest. */
  min: number;
  /** The most. */
  max: number;
};

export type PaymentLinksListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only active ones, or only the others. */
  active?: boolean | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};
