/**
 * The accounts of each tenant, in each currency. Money that is received is owed to us by the processor and by us to the merchant:
 * - processor: what the processor owes us
 * - balance: what is the merchant's; available or still pending, by the day of each posting
 * - refunds_in_flight: on its way back to cardholders
 * - disputed: taken back by cardholders, and not decided yet
 * - fees: what the merchant has paid for our service
 */
export const accounts = ['processor', 'balance', 'refunds_in_flight', 'disputed', 'fees'] as const;
export type LedgerAccount = (typeof accounts)[number];

type Transfer = { debit: LedgerAccount; credit: LedgerAccount };

/** Every way that money moves. */
export const transfers = {
  payment: { debit: 'processor', credit: 'balance' },
  fee: { debit: 'balance', credit: 'fees' },
  refund: { debit: 'balance', credit: 'refunds_in_flight' },
  refund_settled: { debit: 'refunds_in_flight', credit: 'processor' },
  /** It did not get through. */
  refund_failure: { debit: 'refunds_in_flight', credit: 'balance' },
  /** It had got through, and came back. */
  refund_bounce: { debit: 'processor', credit: 'balance' },
  dispute: { debit: 'balance', credit: 'disputed' },
  dispute_reversal: { debit: 'disputed', credit: 'balance' },
  dispute_lost: { debit: 'disputed', credit: 'processor' },
} as const satisfies Record<string, Transfer>;

export type PostingKind = keyof typeof transfers;
export const postingKinds = Object.keys(transfers) as PostingKind[];
