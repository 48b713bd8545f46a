// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Dispute } from './disputes.ts';
import type { Payment } from './payments.ts';
import type { Refund } from './refunds.ts';
import type { ListParameters } from './shared.ts';

export type Balance = {
  /** The kind of object. */
  object: 'balance';
  /** What is available today, by currency. It can be below 0. */
  available: Array<BalanceAmount>;
  /** Payments less fees that become available on a later day, by currency. */
  pending: Array<BalanceAmount>;
  /** What open disputes are about, by currency. It is not part of the other two. */
  disputed: Array<BalanceAmount>;
};

export type BalanceAmount = {
  /** In the smallest unit of the currency. It may exceed 2^53. */
  amount: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
};

/** One movement of the balance. */
export type BalanceTransaction = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'balance_transaction';
  /** What it adds to the balance, in the smallest unit of the currency; below 0 it takes away. */
  amount: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** What has moved the money. */
  type:
    | 'payment'
    | 'fee'
    | 'payment_correction'
    | 'fee_correction'
    | 'refund'
    | 'refund_failure'
    | 'refund_correction'
    | 'dispute'
    | 'dispute_reversal';
  /** The id of the payment, refund or dispute that has caused it. */
  source: string;
  /** The id of the payment: the source itself, or the one that was refunded or disputed. */
  payment: string;
  /** `pending` until the day of `available_on` begins, then `available`. */
  status: 'pending' | 'available';
  /** Midnight of the day on which the amount becomes available. In UTC epoch seconds. */
  available_on: number;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  expanded?: BalanceTransactionExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type BalanceTransactionExpanded = {
  /** One of Payment, Refund, Dispute. */
  source?: Payment | Refund | Dispute;
  payment?: Payment;
};

export type BalanceListTransactionsParameters = ListParameters & {
  /** Only transactions of this type. */
  type?:
    | 'payment'
    | 'fee'
    | 'payment_correction'
    | 'fee_correction'
    | 'refund'
    | 'refund_failure'
    | 'refund_correction'
    | 'dispute'
    | 'dispute_reversal'
    | undefined;
  /** The id of a payment, refund or dispute: only the transactions that it has caused. */
  source?: string | undefined;
  /** The id of a payment: only its transactions, and those of its refunds and disputes. */
  payment?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'source' | 'payment'> | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};

export type BalanceRetrieveTransactionParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'source' | 'payment'> | undefined;
};
