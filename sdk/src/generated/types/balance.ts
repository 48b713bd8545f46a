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

export type BalanceBreakdown = {
  /** The kind of object. */
  object: 'balance_breakdown';
  /** Midnight of the first day whose movements are listed separately: 30 days ago. In UTC epoch seconds. */
  since: number;
  /** One entry for each currency in which money has ever moved. */
  data: Array<BalanceParts>;
};

/** What the balance of a currency is made of. */
export type BalanceParts = {
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** What is available today: the next five members together. It may exceed 2^53. */
  available: number;
  /** What was available when the first day began. It may exceed 2^53. */
  opening: number;
  /** Payments that have become available since then. It may exceed 2^53. */
  payments: number;
  /** Their fees; below 0. It may exceed 2^53. */
  fees: number;
  /** Refunds since then, less those that failed; below 0. It may exceed 2^53. */
  refunds: number;
  /** What disputes have withdrawn since then, less what was won back; below 0. It may exceed 2^53. */
  disputes: number;
  /** Payments less fees that become available on a later day. It may exceed 2^53. */
  pending: number;
  /** What open disputes are about. It may exceed 2^53. */
  disputed: number;
  /** When what is pending becomes available, by day. */
  upcoming: Array<UpcomingBalance>;
  /**
   * If less than nothing is available: midnight of the day from which on that is no longer so, if nothing else
   * happens. Absent if pending payments do not cover it. In UTC epoch seconds.
   */
  covered_on?: number;
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

/** What becomes available on a later day. */
export type UpcomingBalance = {
  /** Midnight of the day. In UTC epoch seconds. */
  available_on: number;
  /** What becomes available on this day. It may exceed 2^53. */
  amount: number;
  /** What is available then, if nothing else happens. It may exceed 2^53. */
  available_after: number;
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
