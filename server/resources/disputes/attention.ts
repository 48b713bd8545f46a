import type { AttentionSource } from '../needs_attention/attention.ts';
import { createdOf, timestampOf } from '../shapes.ts';
import type { Dispute } from './dispute.ts';
import { findWaiting } from './store.ts';

export const waitingDisputes: AttentionSource = {
  kind: 'dispute',
  about: 'a dispute waits for evidence, until `due_by`',
  objects: ['dispute'],
  async find(reads, tenant, limit) {
    return (await findWaiting(reads, tenant, limit)).map(attentionTo);
  },
};

function attentionTo(dispute: Dispute) {
  const { id, amount, currency, reason, due_by } = dispute;
  return {
    ...{ id, object: 'dispute', since: createdOf(dispute), due_by: timestampOf(due_by), amount, currency },
    reason: `The cardholder disputes the payment: ${reason.replaceAll('_', ' ')}.`,
    action: 'Submit evidence, or close the dispute.',
    operation: 'disputes.update',
  };
}
