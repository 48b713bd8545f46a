// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Metadata } from './shared.ts';

export type Refund = {
  id: string;
  object: 'refund';
  amount: number;
  currency: string;
  payment: string;
  status: 'pending' | 'succeeded' | 'failed';
  reason?: string;
  metadata?: Metadata;
  failure_reason?: string;
  /** UTC epoch seconds */
  created: number;
};

export type RefundsCreateParameters = {
  /** The payment to give back */
  payment: string;
  /** How much, in the smallest unit of the currency; all that is left when not given */
  amount?: number | undefined;
  /** Why */
  reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer' | undefined;
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
};

export type RefundsUpdateParameters = {
  /**
   * Up to 50 keys of up to 40 characters; values are strings, numbers or booleans of up to 500. Null or an empty
   * string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
};

export type RefundsListParameters = {
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
  /** Only those of this payment. */
  payment?: string | undefined;
  /** Only those in this status. */
  status?: 'pending' | 'succeeded' | 'failed' | undefined;
};
