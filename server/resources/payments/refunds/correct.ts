import { type ProcessorAnswer, recordAnswer } from '../attempts/attempt.ts';
import type { Correction } from '../attempts/by_hand.ts';
import { requireAttempt } from '../attempts/store.ts';
import { settleSubject } from '../attempts/subject.ts';
import { paymentEvent } from '../payments/schema.ts';
import type { Refund } from './refund.ts';
import { refundEvent } from './schema.ts';
import { type LoadedRefund, refundMovement, type SettledRefund, settleRefund } from './settle.ts';

/** A refund that a person has settled wrongly. */
export const refundCorrection: Correction<Refund, LoadedRefund, SettledRefund> = {
  attemptOf: (context, { attempt }) => requireAttempt(context, attempt),
  obstacle({ refund, payment }) {
    const refunded = (payment.amount_refunded ?? 0) + refund.amount;
    if (refund.status !== 'failed' || refunded <= payment.amount_received) return undefined;
    return `${payment.id} has been refunded otherwise since: with ${refund.id} it would be ${refunded} of ${payment.amount_received}. Ask the processor which refunds it made.`;
  },
  // A refund that was recorded as made and was not is settled like one that came back.
  correct: (loaded, answer, now) =>
    loaded.refund.status === 'failed' ? madeAfterAll(loaded, answer, now) : settleRefund(loaded, answer, now),
};

function madeAfterAll({ refund: before, attempt, payment }: LoadedRefund, answer: ProcessorAnswer, now: number) {
  if (answer.outcome.kind !== 'approved') return undefined;
  const refund = settleSubject(before, { status: 'succeeded', failure_reason: null });
  const counted = {
    ...payment,
    version: payment.version + 1,
    amount_refunded: (payment.amount_refunded ?? 0) + refund.amount,
  };
  const previous = { status: before.status, failure_reason: before.failure_reason };
  return {
    refund,
    attempt: recordAnswer(attempt, answer, now),
    payment: counted,
    movements: [refundMovement('refund_correction', refund)],
    events: [refundEvent('refund.updated', refund, previous), paymentEvent('payment.refunded', counted)],
  };
}
