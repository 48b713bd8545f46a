import { moneyText } from '../../../base/currency.ts';
import { isId } from '../../../base/id.ts';
import { type SearchTerms, searchable } from '../../../operations/extension_points/search.ts';
import type { Context } from '../../../operations/operation.ts';
import { findAttemptsByReference } from '../attempts/by_reference.ts';
import { attemptsTable } from '../attempts/store.ts';
import { findKindOf } from '../payment_methods/operations.ts';
import { findPayments, paymentDescriptor } from './operations.ts';
import type { Payment } from './payment.ts';
import { findPaymentsByDigits } from './store.ts';

/** By id, that of an attempt too; by last four digits and amount; by the reference of the processor. */
export const searchPayments = searchable(paymentDescriptor, described, async (context, terms, limit) => {
  const ids = await idsByAttempts(context, terms, limit);
  const [named, charged] = await Promise.all([
    findPayments(context, ids),
    terms.charge === undefined ? [] : findPaymentsByDigits(context.reads, context.tenant, terms.charge, limit),
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

async function described({ amount, currency, status, payment_method, last4, description }: Payment, context: Context) {
  const kind = last4 === null ? undefined : await findKindOf(context, payment_method);
  const facts = [status.replaceAll('_', ' '), kind && `${kind.type} ${last4}`, description];
  return { title: moneyText({ amount, currency }), subtitle: facts.filter(Boolean).join(', ') };
}
