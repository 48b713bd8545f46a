// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { ListParameters } from './shared.ts';

/** A day of the ledger that was compared with the statement of a processor. */
export type Reconciliation = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'reconciliation';
  /** The day that was compared. A day in UTC, such as `2027-01-31`. */
  date: string;
  /** The connector that reaches the processor. */
  connector: string;
  /** The id of the account at the processor; absent for a connector without accounts, such as the simulator. */
  processor_account?: string;
  /**
   * `matched`: the books agree. `open`: there are differences that nobody has accepted. `accepted`: all
   * differences were accepted.
   */
  status: 'matched' | 'open' | 'accepted';
  /** How many lines are the same in the ledger and in the statement. */
  matched: number;
  /** How many of these are on different days: the answer of the processor was late. */
  matched_on_another_day: number;
  /** How many differences were found. The first 1,000 of them are stored. */
  differences: number;
  /** How many of them nobody has accepted. */
  open_differences: number;
  /** Fees, net and payouts as the statement has them, by currency. Sums can exceed 2^53. */
  totals: Array<StatementTotals>;
  /** When the day was compared last. In UTC epoch seconds. */
  compared_at: number;
  /** When the day that was compared began. In UTC epoch seconds. */
  created: number;
};

/** What the statement of a processor says about a day in a currency. */
export type StatementTotals = {
  /** A three-letter ISO currency code in lower case. */
  currency: string;
  /** What the processor has kept of the lines of the day. */
  fees: number;
  /** What is left of them after fees: payments and won disputes less refunds and disputes. It can be below 0. */
  net: number;
  /**
   * What the processor has paid out on this day, money of earlier days included. Below 0: it has collected from
   * you.
   */
  paid_out: number;
};

export type ReconciliationsListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those of this day. A day in UTC, such as `2027-01-31`. */
  date?: string | undefined;
  /** Only those with this connector. */
  connector?: string | undefined;
  /** Only those with this account at a processor. */
  processor_account?: string | undefined;
  /** Only those in this status. */
  status?: 'matched' | 'open' | 'accepted' | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};
