import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { PostingKind } from '../../../ledger/chart.ts';
import type { Movement } from '../../../ledger/posting.ts';
import type { CustomerId } from './customer.ts';

/** One change of a customer's credit. It is never changed itself. */
export type CreditTransaction = {
  tenant: Tenant;
  id: Id<'ctx'>;
  customer: CustomerId;
  /** Above 0 was added, below 0 was taken away. */
  amount: number;
  currency: string;
  /** The invoice that added or used it; null: the customer was deleted. */
  invoice: Id<'in'> | null;
  /** The time of the test clock that the customer lives in; null: the time in the id. */
  created: Date | null;
};

/** The posting for it. */
export function creditMovement(transaction: CreditTransaction): Movement {
  const { id, amount, currency } = transaction;
  const money = { amount: Math.abs(amount), currency };
  return { kind: kindOf(transaction), source: id, payment: null, reference: null, money };
}

function kindOf({ amount, invoice }: CreditTransaction): PostingKind {
  if (amount > 0) return 'credit_granted';
  return invoice === null ? 'credit_forfeited' : 'credit_used';
}
