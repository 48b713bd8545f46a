/**
 * The accounts of each tenant, in each currency. Money that was received is owed to us by the processor, and by us to the merchant:
 * - processor: what the processor owes us
 * - balance: what we owe the merchant, available or pending by the day of each posting
 * - refunds_in_flight: on its way back to cardholders
 * - disputed: withdrawn by cardholders, and not decided yet
 * - fees: what the merchant has paid for our service
 * Credit is owed by the merchant to its customers, and moves no money of the gateway:
 * - credit_granted: what the merchant has granted, less what was used or forfeited
 * - customer_credit: what customers have
 */
export type LedgerAccount =
  | 'processor'
  | 'balance'
  | 'refunds_in_flight'
  | 'disputed'
  | 'fees'
  | 'credit_granted'
  | 'customer_credit';

/** Every kind of posting, and the accounts it moves money between. */
export const transfers = {
  payment: { debit: 'processor', credit: 'balance' },
  fee: { debit: 'balance', credit: 'fees' },
  /** The payment was recorded by hand as received, and never was. */
  payment_correction: { debit: 'balance', credit: 'processor' },
  fee_correction: { debit: 'fees', credit: 'balance' },
  refund: { debit: 'balance', credit: 'refunds_in_flight' },
  refund_settled: { debit: 'refunds_in_flight', credit: 'processor' },
  /** The refund failed before it settled. */
  refund_failure: { debit: 'refunds_in_flight', credit: 'balance' },
  /** The refund had settled, and was returned. */
  refund_bounce: { debit: 'processor', credit: 'balance' },
  /** The refund was recorded by hand as failed, and was made. */
  refund_correction: { debit: 'balance', credit: 'processor' },
  dispute: { debit: 'balance', credit: 'disputed' },
  dispute_reversal: { debit: 'disputed', credit: 'balance' },
  dispute_lost: { debit: 'disputed', credit: 'processor' },
  credit_granted: { debit: 'credit_granted', credit: 'customer_credit' },
  credit_used: { debit: 'customer_credit', credit: 'credit_granted' },
  /** The customer was deleted. */
  credit_forfeited: { debit: 'customer_credit', credit: 'credit_granted' },
} as const satisfies Record<string, Record<'debit' | 'credit', LedgerAccount>>;

export type PostingKind = keyof typeof transfers;
export const postingKinds = Object.keys(transfers) as PostingKind[];
