import type { CheckoutSession } from '@tollgate/node';

const expired: Readonly<Record<string, string>> = {
  time: 'It was not paid in time.',
  requested: 'It was ended before it was paid.',
  too_many_attempts: 'Too many tries were declined.',
  invoice_paid: 'Its invoice was paid in another way.',
};

const paid: Readonly<Record<string, string>> = {
  paid: 'The customer has paid.',
  authorized: 'The amount is reserved: capture the payment to get it.',
  unpaid: 'The reserved amount was released.',
  no_payment_required: 'There was nothing to pay.',
};

const kept: Readonly<Record<string, string>> = {
  setup: 'The card is saved, and can be charged without the customer.',
  subscription: 'The trial has begun. The card is saved for what is due when it ends.',
};

const lateAndPaid = 'The payment succeeded after the session had expired';

/** What has become of it, in a sentence. */
export function storyOfSession(session: CheckoutSession): string {
  const { status, mode, payment_status, expired_reason, late } = session;
  if (status === 'open' && mode === 'setup') return 'The customer can save a card: send them the address below.';
  if (status === 'open' && mode === 'subscription') return 'The customer can subscribe: send them the address below.';
  if (status === 'open') return 'The customer can pay it: send them the address below.';
  if (status === 'processing') return 'A try is under way. Its outcome follows by itself.';
  if (status === 'expired') return expired[expired_reason ?? ''] ?? 'It can no longer be paid.';
  const isFree = payment_status === 'no_payment_required';
  const isReviewed = session.reviewed_at !== undefined;
  const paidLate = `${lateAndPaid}${isReviewed ? ', and was dealt with.' : ': deliver, or refund it.'}`;
  const lateWords = isFree ? ' This came after the session had expired.' : ` ${paidLate}`;
  const words = (isFree ? kept[mode] : undefined) ?? paid[payment_status] ?? '';
  return `${words}${late === true ? lateWords : ''}`;
}
