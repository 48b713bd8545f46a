import { moneyText } from '../../../base/currency.ts';
import { isId } from '../../../base/id.ts';
import { type SearchTerms, searchable } from '../../../operations/extension_points/search.ts';
import type { Context } from '../../../operations/operation.ts';
import { findAttemptsByReference } from '../attempts/by_reference.ts';
import { attemptsTable } from '../attempts/store.ts';
import { findPayments, paymentDescriptor } from './operations.ts';
import type { Payment } from './payment.ts';
import { findPaymentsByCard } from './store.ts';

/** By id, that of an attempt too; by card and amount; by the reference of the processor. */
export const searchPayments = searchable(paymentDescriptor, described, async (context, terms, limit) => {
  const ids = await idsByAttempts(context, terms, limit);
  const [named, charged] = await Promise.all([
    findPayments(context, ids),
    terms.card === undefined ? [] : findPaymentsByCard(context.reads, context.tenant, terms.card, limit),
  ]);
  return [...named.values(), ...charged];
});

async function idsByAttempts(context: Context, { text, reference }: SearchTerms, limit: number): Promise<string[]> {
  const { reads, tenant } = context;
  const attempts = isId('att', text)
    ? [await reads.one(attemptsTable, tenant, text)]
    : await findAttemptsByReference(context, reference, limit);
  return attempts.flatMap((attempt) => attempt?.payment ?? []);
}

function described({ amount, currency, status, last4, description }: Payment) {
  const facts = [status.replaceAll('_', ' '), last4 && `card ${last4}`, description];
  return { title: moneyText({ amount, currency }), subtitle: facts.filter(Boolean).join(', ') };
}
