// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Metadata } from './shared.ts';

export type Coupon = {
  id: string;
  object: 'coupon';
  percent_off?: number;
  amount_off?: number;
  currency?: string;
  duration: 'once' | 'repeating' | 'forever';
  duration_in_months?: number;
  name?: string;
  /** UTC epoch seconds */
  created: number;
  metadata?: Metadata;
};

export type CouponsCreateParameters = {
  /** From 0.01 to 100, with at most two decimals. Send it, or amount_off */
  percent_off?: number | undefined;
  /** In the smallest unit of the currency. Send it, or percent_off */
  amount_off?: number | undefined;
  /** Of amount_off, and required with it */
  currency?: string | undefined;
  /** How long a subscription has the discount */
  duration: 'once' | 'repeating' | 'forever';
  /** With the duration repeating only, and required there */
  duration_in_months?: number | undefined;
  /** What it is called, up to 256 characters */
  name?: string | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
};

export type DeletedCoupon = {
  id: string;
  object: 'coupon';
  deleted: true;
};

export type CouponsListParameters = {
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
};
