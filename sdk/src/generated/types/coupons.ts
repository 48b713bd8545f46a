// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters, Metadata } from './shared.ts';

/** A discount for subscriptions and checkouts. */
export type Coupon = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'coupon';
  /** The percentage that it takes off each charge of the subscription. */
  percent_off?: number;
  /** The amount that it takes off an invoice, in the smallest unit of the currency. */
  amount_off?: number;
  /** The currency of `amount_off`, in lower case. */
  currency?: string;
  /**
   * How long a subscription has the discount. `once`: until the first invoice with a discount. `repeating`: for
   * some months. `forever`: as long as it has the coupon.
   */
  duration: 'once' | 'repeating' | 'forever';
  /** How many months a `repeating` discount lasts. */
  duration_in_months?: number;
  /** What it is called; present when supplied. */
  name?: string;
  /** What a customer types; present when supplied. */
  code?: string;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  metadata?: Metadata;
};

export type CouponsCreateParameters = {
  /** A percentage from 0.01 to 100, with at most two decimals. Send it, or `amount_off`. */
  percent_off?: number | undefined;
  /** An amount from 1 to 999,999,999,999, in the smallest unit of `currency`. Send it, or `percent_off`. */
  amount_off?: number | undefined;
  /** The currency of `amount_off`, and required with it: a three-letter ISO currency code, in either case. */
  currency?: string | undefined;
  /**
   * How long a subscription has the discount. `once`: until the first invoice with a discount. `repeating`: for
   * some months. `forever`: as long as it has the coupon.
   */
  duration: 'once' | 'repeating' | 'forever';
  /** How many months a `repeating` discount lasts, from 1 to 36. Required there, and refused with other durations. */
  duration_in_months?: number | undefined;
  /** What it is called, up to 256 characters. */
  name?: string | undefined;
  /**
   * What a customer types at a checkout, in either case: up to 40 characters, without spaces. No other coupon may
   * have it; a deleted one gives it up. Without a code, a coupon cannot be typed.
   */
  code?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
};

/** What is left of a deleted object. */
export type DeletedCoupon = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'coupon';
  /** The object is gone. */
  deleted: true;
};

export type CouponsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only the one with this code, in either case. */
  code?: string | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};
