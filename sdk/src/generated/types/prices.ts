// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Metadata } from './shared.ts';

export type Price = {
  id: string;
  object: 'price';
  active: boolean;
  currency: string;
  unit_amount: number;
  recurring: {
    interval: 'day' | 'week' | 'month' | 'year';
    interval_count: number;
  };
  product_name: string;
  /** UTC epoch seconds */
  created: number;
  metadata?: Metadata;
};

export type PricesCreateParameters = {
  /** Three-letter ISO currency code, in either case */
  currency: string;
  /** Of one, in the smallest unit of the currency: 2000 is 20.00 euros */
  unit_amount: number;
  recurring: {
    /** The unit of a period */
    interval: 'day' | 'week' | 'month' | 'year';
    /** How many intervals a period has, three years at most; 1 when not given */
    interval_count?: number | undefined;
  };
  /** What is sold, up to 256 characters */
  product_name: string;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
};

export type PricesUpdateParameters = {
  /** An inactive price sells nothing new */
  active?: boolean | null | undefined;
  /** What is sold, up to 256 characters */
  product_name?: string | null | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
};

export type PricesListParameters = {
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
  /** Only active ones, or only the others. */
  active?: boolean | undefined;
};
