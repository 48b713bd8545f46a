import type { AttentionSource } from '../needs_attention/attention.ts';
import type { Invoice } from './invoice.ts';
import { findInDunning } from './store.ts';

export const invoicesInDunning: AttentionSource = {
  kind: 'invoice',
  about: 'the charge of an invoice has failed, and it is not paid yet',
  objects: ['invoice'],
  async find(reads, tenant, limit) {
    return (await findInDunning(reads, tenant, limit)).map(attentionTo);
  },
};

function attentionTo({
  id,
  failed_at,
  amount_due,
  amount_paid,
  currency,
  last_failure,
  next_payment_attempt,
}: Invoice) {
  const next = next_payment_attempt === null ? 'It is not tried again by itself.' : 'It is tried again by itself.';
  return {
    ...{ id, object: 'invoice', since: failed_at!, amount: amount_due - amount_paid, currency },
    reason: last_failure?.message ?? 'A charge has failed.',
    action: `${next} Ask the customer for another payment method, and charge it.`,
    operation: 'invoices.pay',
  };
}
