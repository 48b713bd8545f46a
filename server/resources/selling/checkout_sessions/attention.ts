import type { Attention, AttentionSource } from '../../../operations/extension_points/needs_attention.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import type { CheckoutSession } from './checkout_session.ts';
import { findLateSessions } from './store.ts';

/** Until somebody says that it was dealt with: whether goods were delivered is not known here. */
export const lateSessions: AttentionSource = {
  kind: 'late_checkout_session',
  about: 'a checkout session was paid after its expiry',
  scope: 'checkout_sessions:read',
  right: 'handle',
  operations: ['checkout_sessions.review'],
  objects: ['checkout_session'],
  async find(reads, tenant, limit) {
    return (await findLateSessions(reads, tenant, limit)).map(attentionTo);
  },
};

function attentionTo(session: CheckoutSession): Attention {
  const { id, completed_at, currency, amount_total: amount, payment_status } = session;
  const isFree = payment_status === 'no_payment_required' || currency === null;
  return {
    id,
    object: 'checkout_session',
    since: timestampOf(completed_at!),
    ...(isFree ? {} : { amount, currency }),
    reason: isFree
      ? 'A payment method was saved after the checkout session had expired.'
      : 'A checkout session was paid after it had expired.',
    action: isFree
      ? 'Deliver what it is for, or detach the payment method. Then mark the session as reviewed.'
      : 'Deliver what was paid for, or refund the payment. Then mark the session as reviewed.',
    operation: 'checkout_sessions.review',
  };
}
