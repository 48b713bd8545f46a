import type { Write } from '../../../base/commit/index.ts';
import { assert } from '../../../base/errors.ts';
import { newId } from '../../../base/id.ts';
import { post } from '../../../ledger/posting.ts';
import type { Part } from '../../../operations/operation.ts';
import { previousAttributes } from '../../../operations/previous.ts';
import { type CreditTransaction, creditMovement } from './credit_transaction.ts';
import type { CreditBalance, Customer } from './customer.ts';
import { customerEvent, serializeCustomer } from './schema.ts';
import { addCreditTransaction, replaceCustomer } from './store.ts';

/** `created`: the time of the customer's test clock. */
export type CreditChange = Pick<CreditTransaction, 'currency' | 'amount' | 'invoice'> & { created?: Date | null };

/** A customer whose credit has changed. */
export type ChangedCredit = {
  customer: Customer;
  /** Everything that is committed with it. It guards the customer's version, so the commit needs no `holdCustomer`. */
  part: Part;
  /** The customer as it is stored until then. */
  stored: Customer;
  /** The transactions and their postings. */
  moves: Write[];
};

/** Credit never goes below 0, and is always exact. Only an invoice uses it. */
export function canChangeCredit({ credit_balance }: Customer, { currency, amount, invoice }: CreditChange): boolean {
  const after = (credit_balance?.[currency] ?? 0) + amount;
  return (
    Number.isSafeInteger(amount) &&
    amount !== 0 &&
    Number.isSafeInteger(after) &&
    after >= 0 &&
    (amount > 0 || invoice !== null)
  );
}

/**
 * For several changes in one commit, pass the result of the first to the second, and so on, and commit the `part` of the last: it has
 * all transactions, and writes the customer once.
 */
export function changeCredit(before: Customer | ChangedCredit, change: CreditChange, now: number): ChangedCredit {
  const { customer, stored, moves } = 'part' in before ? before : { customer: before, stored: before, moves: [] };
  assert(canChangeCredit(customer, change), `the credit of ${customer.id} cannot change by ${change.amount}`);
  const after = { ...customer, version: stored.version + 1, credit_balance: balanceAfter(customer, change) };
  // A later transaction of the same commit has a later id.
  const all = [...moves, ...movesOf(customer, change, now + moves.length)];
  const previous = previousAttributes(serializeCustomer(stored), serializeCustomer(after));
  const events = previous === undefined ? [] : [customerEvent('customer.credit_balance_updated', after, previous)];
  return { customer: after, part: { writes: [replaceCustomer(after), ...all], events }, stored, moves: all };
}

/** Takes away all credit of a customer that is deleted. `customer.deleted` is its event. */
export function forfeitCredit(customer: Customer, now: number): Write[] {
  return Object.entries(customer.credit_balance ?? {}).flatMap(([currency, amount]) =>
    movesOf(customer, { currency, amount: -amount, invoice: null }, now),
  );
}

function balanceAfter({ credit_balance }: Customer, { currency, amount }: CreditChange): CreditBalance | null {
  const { [currency]: had = 0, ...others } = credit_balance ?? {};
  const left = had + amount === 0 ? others : { ...credit_balance, [currency]: had + amount };
  return Object.keys(left).length === 0 ? null : left;
}

function movesOf({ tenant, id: customer }: Customer, change: CreditChange, now: number): Write[] {
  const { currency, amount, invoice, created = null } = change;
  const transaction = { tenant, id: newId('ctx', now), customer, amount, currency, invoice, created };
  return [addCreditTransaction(transaction), post(tenant, now, creditMovement(transaction))];
}
