// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters, Metadata } from './shared.ts';

/** What one of something costs, for a period or once. */
export type Price = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'price';
  /** Whether new subscriptions can have it. */
  active: boolean;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** What one costs, for a period or once, in the smallest unit of the currency. */
  unit_amount: number;
  recurring?: Recurrence;
  /** What is sold. */
  product_name: string;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  metadata?: Metadata;
  /** The id that the object has in another system; present when supplied. */
  external_id?: string;
};

export type PricesCreateParameters = {
  /** A three-letter ISO 4217 currency code that is in use, in either case. */
  currency: string;
  /**
   * What one costs, for a period or once, in the smallest unit of the currency: 2000 is 20.00 euros. From 0 to
   * 999,999,999,999.
   */
  unit_amount: number;
  /** How often the amount is billed. When not given, the price is paid once, and no subscription can have it. */
  recurring?:
    | {
        /** The unit of a period. */
        interval: 'day' | 'week' | 'month' | 'year';
        /**
         * How many intervals a period has; 1 when not given. A period is at most 1095 days, 156 weeks, 36 months or 3
         * years.
         */
        interval_count?: number | undefined;
      }
    | undefined;
  /** What is sold, up to 256 characters. */
  product_name: string;
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
};

export type PricesUpdateParameters = {
  /** Whether it is sold: whether new subscriptions can have it. Subscriptions that have it go on. */
  active?: boolean | null | undefined;
  /** What is sold, up to 256 characters. */
  product_name?: string | null | undefined;
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
};

/** How often the amount is billed. Absent: it is paid once. */
export type Recurrence = {
  /** The unit of a period. */
  interval: 'day' | 'week' | 'month' | 'year';
  /** How many intervals a period has. */
  interval_count: number;
};

export type PricesListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only active ones, or only the others. */
  active?: boolean | undefined;
  /** Only the one that has this id in another system. */
  external_id?: string | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};
