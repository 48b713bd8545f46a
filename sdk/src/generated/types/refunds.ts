// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Payment } from './payments.ts';
import type { ListParameters, Metadata } from './shared.ts';

/** Money that goes back to a customer. */
export type Refund = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'refund';
  /** How much goes back, in the smallest unit of the currency. */
  amount: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** The id of the payment that is refunded. */
  payment: string;
  /**
   * `pending`: the outcome is not known yet. `succeeded`: the bank has accepted it, and may still return it.
   * `failed`: the money stays with you.
   */
  status: 'pending' | 'succeeded' | 'failed';
  /**
   * Why the money goes back; present when supplied. `made_at_processor`: it was made at the processor, and not
   * here.
   */
  reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer' | 'made_at_processor';
  metadata?: Metadata;
  /** Why it failed: the processor's own code, or `processing_error`. */
  failure_reason?: string;
  /** When it was created, by the test clock of the customer if it has one. In UTC epoch seconds. */
  created: number;
  expanded?: RefundExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type RefundExpanded = {
  payment?: Payment;
};

export type RefundsCreateParameters = {
  /** The id of the payment. Its status must be `succeeded`. */
  payment: string;
  /**
   * How much, in the smallest unit of the currency: at least 1, and at most what was received less pending and
   * succeeded refunds, which is also the default.
   */
  amount?: number | undefined;
  /** Why the money goes back. */
  reason?: 'duplicate' | 'fraudulent' | 'requested_by_customer' | undefined;
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment'> | undefined;
};

export type RefundsUpdateParameters = {
  /**
   * Up to 50 keys of up to 40 characters each. Values are strings, numbers or booleans of up to 500 characters. An
   * update is merged key by key: null or an empty string removes a key.
   */
  metadata?: Record<string, unknown> | null | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment'> | undefined;
};

export type RefundsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those of this payment. */
  payment?: string | undefined;
  /** Only those in this status, or in one of these. */
  status?: 'pending' | 'succeeded' | 'failed' | Array<'pending' | 'succeeded' | 'failed'> | undefined;
  /** Only those in this currency: its three-letter ISO 4217 code, in either case. */
  currency?: string | undefined;
  /** Only those whose amount is within these bounds, in the smallest unit of their currency. */
  amount?:
    | {
        /** More than this. */
        gt?: number | undefined;
        /** This or more. */
        gte?: number | undefined;
        /** Less than this. */
        lt?: number | undefined;
        /** This or less. */
        lte?: number | undefined;
      }
    | undefined;
  /**
   * The same in the main unit of each currency, as people write amounts: `129.50` is 129.50 euros, or 129.500
   * dinars.
   */
  amount_decimal?:
    | {
        /** Decimal number with at most three decimals, such as 129 or 129.50 */
        gt?: string | undefined;
        /** Decimal number with at most three decimals, such as 129 or 129.50 */
        gte?: string | undefined;
        /** Decimal number with at most three decimals, such as 129 or 129.50 */
        lt?: string | undefined;
        /** Decimal number with at most three decimals, such as 129 or 129.50 */
        lte?: string | undefined;
      }
    | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment'> | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};

export type RefundsRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'payment'> | undefined;
};
