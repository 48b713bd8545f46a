// Generated from the OpenAPI document of the gateway by `npm run generate`. Change the operations, not this file.

export type Balance = {
  object: 'balance';
  /** What can be paid out, by currency */
  available: Array<{
    amount: number;
    currency: string;
  }>;
  /** What becomes available on a later day */
  pending: Array<{
    amount: number;
    currency: string;
  }>;
  /** What cardholders have taken back, and is not decided yet */
  disputed: Array<{
    amount: number;
    currency: string;
  }>;
};

export type BalanceTransaction = {
  id: string;
  object: 'balance_transaction';
  /** What it adds to the balance; negative for what it takes away */
  amount: number;
  currency: string;
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
  /** The payment, refund or dispute that has caused it */
  source: string;
  payment: string;
  status: 'pending' | 'available';
  /** UTC epoch seconds */
  available_on: number;
  /** UTC epoch seconds */
  created: number;
};

export type BalanceListTransactionsParameters = {
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
  /** Only transactions of this type: payment, refund, … */
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
  /** Only those that this payment, refund or dispute has caused */
  source?: string | undefined;
  /** Only those of this payment, its refunds and its disputes */
  payment?: string | undefined;
};
