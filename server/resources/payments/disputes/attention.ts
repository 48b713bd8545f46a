import type { AttentionSource } from '../../../operations/extension_points/needs_attention.ts';
import { createdOf, timestampOf } from '../../../operations/schemas.ts';
import type { Dispute } from './dispute.ts';
import { findToReview, findWaiting } from './store.ts';

export const waitingDisputes: AttentionSource = {
  kind: 'dispute',
  about: 'a dispute waits for evidence, until `due_by`',
  scope: 'disputes:read',
  right: 'handle',
  operations: ['disputes.update'],
  objects: ['dispute'],
  async find(reads, tenant, limit) {
    return (await findWaiting(reads, tenant, limit)).map(attentionTo);
  },
};

/** Seen to by the operator, after asking the processor. */
export const disputesToReview: AttentionSource = {
  kind: 'dispute_to_review',
  about: 'the money of a dispute does not fit its payment',
  scope: 'disputes:read',
  right: 'books',
  objects: ['dispute'],
  async find(reads, tenant, limit) {
    return (await findToReview(reads, tenant, limit)).map((dispute) => {
      const { id, amount, currency } = dispute;
      return { id, object: 'dispute', since: createdOf(dispute), amount, currency, ...reviewWords(dispute) };
    });
  },
};

/** The mismatch, and the command by which the operator ends the review: sentences. */
export function reviewWords({ id, review }: Dispute): { reason: string; action: string } {
  const ask = 'Ask the processor how much it took. The operator records it';
  return review === 'currency'
    ? {
        reason: 'The dispute is in another currency than its payment. Nothing is posted for it.',
        action: `${ask}, in the currency of the payment: tollgate payments review ${id} --amount <amount>`,
      }
    : {
        reason: 'The dispute is about more than its payment has received. It is posted as reported.',
        action: `${ask}: tollgate payments review ${id}`,
      };
}

function attentionTo(dispute: Dispute) {
  const { id, amount, currency, reason, due_by } = dispute;
  return {
    id,
    object: 'dispute',
    since: createdOf(dispute),
    due_by: timestampOf(due_by),
    amount,
    currency,
    reason: `The cardholder disputes the payment: ${reason.replaceAll('_', ' ')}.`,
    action: 'Submit evidence, or close the dispute.',
    operation: 'disputes.update',
  };
}
