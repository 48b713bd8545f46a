// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

import type { Payment } from './payments.ts';
import type { Reconciliation } from './reconciliations.ts';
import type { ListParameters } from './shared.ts';

/** What the processor has booked, of `gross_differs` and `net_differs`. */
export type BookedAmounts = {
  /** What it adds to the balance at the processor before fees; below 0 it takes away. */
  gross: number;
  /** What the processor has kept. */
  fee: number;
  /** What the processor says is left. */
  net: number;
};

/** What one of the two books has. Absent if it has no such line. */
export type ComparedAmount = {
  /** In the smallest unit of the currency. */
  amount: number;
  /** A three-letter ISO currency code in lower case. */
  currency: string;
};

/** Who has decided the status: a person, an API key, or the operator. */
export type DecidedBy = {
  /** The id of the person; absent for an API key and for the operator. */
  user?: string;
  /** The id of the API key; absent for a person and for the operator. */
  api_key?: string;
  /** The email of the person, the name of the key, or that of the operator, at that time. */
  name: string;
};

/** A line that differs between the ledger and the statement of a processor. */
export type ReconciliationDifference = {
  /** An opaque text that begins with a prefix for the kind of object. */
  id: string;
  /** The kind of object. */
  object: 'reconciliation_difference';
  /** The comparison that has found it. */
  reconciliation?: string;
  /** The day that was compared. A day in UTC, such as `2027-01-31`. */
  date: string;
  /** The connector that reaches the processor. */
  connector: string;
  /** The id of the account at the processor; absent for a connector without accounts, such as the simulator. */
  processor_account?: string;
  /**
   * `missing_in_ledger`: missing in our ledger. `missing_at_processor`: missing at the processor.
   * `amount_differs`: the amount differs. `currency_differs`: the currency differs. `doubled_in_ledger`: once more
   * in our ledger. `doubled_at_processor`: once more at the processor. `gross_differs`: booked with another amount
   * or in the wrong direction. `net_differs`: booked with a net that is not the gross less the fee.
   */
  what:
    | 'missing_in_ledger'
    | 'missing_at_processor'
    | 'amount_differs'
    | 'currency_differs'
    | 'doubled_in_ledger'
    | 'doubled_at_processor'
    | 'gross_differs'
    | 'net_differs';
  /** What the line is about, such as `payment`, `refund` or `dispute`. */
  kind: string;
  /** By what both sides know the line: an attempt, or the reference of the processor. */
  reference: string;
  /** The payment that the line is about, if it is known here. */
  payment?: string;
  ledger?: ComparedAmount;
  processor?: ComparedAmount;
  booked?: BookedAmounts;
  /**
   * `open`: nobody has decided about it. `following_up`: somebody is looking into it. `accepted`: it is explained,
   * and stays as it is.
   */
  status: 'open' | 'following_up' | 'accepted';
  /** What was written down about the status. */
  note?: string;
  changed_by?: DecidedBy;
  /** When the status was decided. In UTC epoch seconds. */
  changed_at?: number;
  /** When it was created. In UTC epoch seconds. */
  created: number;
  expanded?: ReconciliationDifferenceExpanded;
};

/**
 * The objects that the request has asked for by `expand`, each by its path; present if it has. What is gone is
 * left out.
 */
export type ReconciliationDifferenceExpanded = {
  reconciliation?: Reconciliation;
  payment?: Payment;
};

export type ReconciliationDifferencesAcceptParameters = {
  /** Why it is accepted, up to 1,000 characters. It must not be blank. */
  note: string;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'reconciliation' | 'payment'> | undefined;
};

export type ReconciliationDifferencesFollowUpParameters = {
  /** What is being done about it, up to 1,000 characters. */
  note?: string | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'reconciliation' | 'payment'> | undefined;
};

export type ReconciliationDifferencesRetrieveParameters = {
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'reconciliation' | 'payment'> | undefined;
};

export type ReconciliationDifferencesListParameters = ListParameters & {
  /** Only the one with this id, or those with these: at most 100. */
  ids?: string | Array<string> | undefined;
  /** Only those that this comparison has found. */
  reconciliation?: string | undefined;
  /** Only those about this payment. */
  payment?: string | undefined;
  /** Only those of this day. A day in UTC, such as `2027-01-31`. */
  date?: string | undefined;
  /** Only those in this status. */
  status?: 'open' | 'following_up' | 'accepted' | undefined;
  /** The objects to show beside their ids, under `expanded`: up to 5. The key needs the scope to read each. */
  expand?: Array<'reconciliation' | 'payment'> | undefined;
  /**
   * Only with `Accept: text/csv`: the columns of the file, in this order. Members of the objects, such as
   * `amount`, `amount_decimal` or `metadata.order_id`, and of objects that they refer to, such as `customer.name`;
   * the key needs the scope to read those. At most 60.
   */
  columns?: string | Array<string> | undefined;
};
