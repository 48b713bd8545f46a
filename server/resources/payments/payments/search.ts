import { moneyText } from '../../../base/currency.ts';
import { isId } from '../../../base/id.ts';
import {
  type SearchContext,
  type SearchFacts,
  type SearchTerms,
  searchable,
  textsOf,
} from '../../../operations/extension_points/search.ts';
import type { Context } from '../../../operations/operation.ts';
import { findAttemptsByReference } from '../attempts/by_reference.ts';
import { attemptsTable } from '../attempts/store.ts';
import { findKindOf } from '../payment_methods/operations.ts';
import { sequels } from './list.ts';
import { findPayments, paymentDescriptor } from './operations.ts';
import { type Payment, paymentStatuses } from './payment.ts';
import { findPaymentsByDigits, paymentsTable } from './store.ts';

/** By id, that of an attempt too; by last four digits and amount; by the reference of the processor. */
export const searchPayments = searchable(paymentDescriptor, factsOf, {
  foundBy: 'words',
  columns: {
    status: { values: paymentStatuses, further: sequels },
    amount: 'amount',
    card: 'last4',
    created: { column: 'created_at', isSeconds: false },
  },
  owners: [{ prefix: 'cus', table: paymentsTable, column: 'customer' }],
  async exact(context, terms, limit) {
    const ids = await idsByAttempts(context, terms, limit);
    const { reads, tenant } = context;
    const charged = terms.charge === undefined ? [] : await findPaymentsByDigits(reads, tenant, terms.charge, limit);
    return [...(await findPayments(context, ids)).values(), ...charged];
  },
});

async function idsByAttempts(context: Context, { text, reference }: SearchTerms, limit: number): Promise<string[]> {
  const { reads, tenant } = context;
  const attempts = isId('att', text)
    ? [await reads.one(attemptsTable, tenant, text)]
    : await findAttemptsByReference(context, reference, limit);
  return attempts.flatMap((attempt) => attempt?.payment ?? []);
}

function factsOf(payment: Payment, context: SearchContext): SearchFacts {
  const { amount, currency, last4, description, processor, customer } = payment;
  return {
    summary: () => summaryOf(payment, context),
    texts: [
      { field: 'amount', money: { amount, currency } },
      ...textsOf({ card: last4, description, reference: processor?.reference }),
    ],
    belongsTo: customer === null ? [] : [customer],
  };
}

async function summaryOf(payment: Payment, context: SearchContext) {
  const { amount, currency, status, payment_method, last4, description } = payment;
  const kind = last4 === null || payment_method === null ? undefined : await findKindOf(context, payment_method);
  const facts = [status.replaceAll('_', ' '), kind && `${kind.type} ${last4}`, description];
  return { title: moneyText({ amount, currency }), subtitle: facts.filter(Boolean).join(', ') };
}
