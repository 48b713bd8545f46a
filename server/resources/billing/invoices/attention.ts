import type { Attention, AttentionSource } from '../../../operations/extension_points/needs_attention.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { type Invoice, numberText } from './invoice.ts';
import { findInDunning, findUnclosed } from './store.ts';

export const invoicesInDunning: AttentionSource = {
  kind: 'invoice',
  about: 'the charge of an invoice has failed, and it is not paid yet',
  scope: 'invoices:read',
  right: 'books',
  operations: ['invoices.pay'],
  objects: ['invoice'],
  async find(reads, tenant, limit) {
    return (await findInDunning(reads, tenant, limit)).map(attentionTo);
  },
};

function attentionTo({
  id,
  number,
  failed_at,
  amount_due,
  amount_paid,
  currency,
  last_failure,
  next_payment_attempt,
}: Invoice) {
  const next = next_payment_attempt === null ? 'It is not tried again by itself.' : 'It is tried again by itself.';
  return {
    id,
    object: 'invoice',
    ...(number !== null && { name: numberText(number) }),
    since: failed_at!,
    amount: amount_due - amount_paid,
    currency,
    reason: last_failure?.message ?? 'A charge has failed.',
    action: `${next} Ask the customer for another payment method, and charge it.`,
    operation: 'invoices.pay',
  };
}

/** It names the payment: that is what a person refunds or cancels. */
export const invoicesNotClosed: AttentionSource = {
  kind: 'void_invoice',
  about: 'the payment of an invoice that is not owed could neither be canceled nor refunded',
  scope: 'payments:read',
  right: 'books',
  operations: ['payments.cancel', 'refunds.create'],
  objects: ['payment'],
  async find(reads, tenant, limit) {
    return (await findUnclosed(reads, tenant, limit)).map((invoice) => {
      const { payment, flagged_at, amount_due: amount, currency } = invoice;
      return {
        id: payment!,
        object: 'payment',
        since: timestampOf(flagged_at!),
        amount,
        currency,
        ...helpFor(invoice),
      };
    });
  },
};

/** The obstacle to closing an invoice, and its remedy: sentences. */
export function helpFor({ id, closing, closing_tries }: Invoice): Pick<Attention, 'reason' | 'action' | 'operation'> {
  if (closing === 'void')
    return {
      reason: `The processor does not cancel the payment of the invoice ${id}, which is to be void.`,
      action: 'Ask the processor to release it, or cancel it.',
      operation: 'payments.cancel',
    };
  if (closing_tries === 0)
    return {
      reason: `The invoice ${id} is void, and its payment cannot be refunded, because it is disputed.`,
      action: 'Close the dispute, so that the cardholder has the money back.',
      operation: 'refunds.create',
    };
  return {
    reason: `The invoice ${id} is void, and refunds of its payment have failed.`,
    action: `Refund it, or give the money back in another way. The operator records that: tollgate payments settle ${id} --as given_back`,
    operation: 'refunds.create',
  };
}
