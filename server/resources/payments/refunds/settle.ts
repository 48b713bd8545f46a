import type { InquiryOutcome } from '../../../connectors/contract.ts';
import type { Movement } from '../../../ledger/posting.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import { type Attempt, type ProcessorAnswer, recordAnswer } from '../attempts/attempt.ts';
import type { Correction } from '../attempts/by_hand.ts';
import { requireAttempt } from '../attempts/store.ts';
import { awaitOutcome, settleSubject } from '../attempts/subject.ts';
import type { Payment } from '../payments/payment.ts';
import { paymentEvent } from '../payments/schema.ts';
import { moveRefund, type Refund, type RefundSignal } from './refund.ts';
import { refundEvent } from './schema.ts';

export type LoadedRefund = { refund: Refund; payment: Payment; attempt: Attempt };

export type SettledRefund = {
  refund: Refund;
  attempt: Attempt;
  /** Undefined when it does not change. */
  payment?: Payment;
  movements: Movement[];
  events: EventDraft[];
};

/** The refund after a processor's answer or notice. Undefined when nothing changes. Pure. */
export function settleRefund(loaded: LoadedRefund, answer: ProcessorAnswer, now: number): SettledRefund | undefined {
  const { refund: before, attempt: asked } = loaded;
  const signal = signalOf(answer.outcome);
  const status = moveRefund(before.status, signal);
  if (status === undefined) return undefined;
  const attempt = recordAnswer(asked, answer, now);
  // While its first answer was awaited the refund had no event: it has one now, in whatever status it is.
  const isFirst = asked.state === 'open';
  if (signal === 'wait') {
    const refund = awaitOutcome(before, attempt, now, {});
    const events = isFirst ? [refundEvent('refund.created', refund)] : [];
    // For a new refund, the payment that counts it is stored with it.
    const { payment } = loaded;
    const counted = before.version === 0 ? { payment: { ...payment, version: payment.version + 1 } } : {};
    return { refund, attempt, movements: [], events, ...counted };
  }
  const refund = settleSubject(before, {
    status,
    failure_reason: signal === 'fail' ? failureOf(answer.outcome) : null,
  });
  const payment = changedPayment(loaded.payment, refund, signal);
  return {
    refund,
    attempt,
    payment,
    movements: [movementOf(before, refund, signal)],
    events: eventsOf(before, refund, payment, isFirst),
  };
}

function signalOf(outcome: InquiryOutcome): RefundSignal {
  if (outcome.kind === 'approved') return 'succeed';
  return outcome.kind === 'declined' || outcome.kind === 'not_sent' ? 'fail' : 'wait';
}

/** The processor's own code, where it has one. */
function failureOf(outcome: InquiryOutcome): string {
  return outcome.kind === 'declined' ? (outcome.declineCode ?? outcome.code) : 'processing_error';
}

/** The amount of a failed refund can be refunded again. */
function changedPayment(payment: Payment, refund: Refund, signal: RefundSignal): Payment {
  const given = payment.amount_refunded ?? 0;
  const amount_refunded = signal === 'fail' ? given - refund.amount : given;
  return { ...payment, version: payment.version + 1, amount_refunded };
}

function movementOf(before: Refund, refund: Refund, signal: RefundSignal): Movement {
  if (signal === 'succeed') return refundMovement('refund_settled', refund);
  return refundMovement(before.status === 'succeeded' ? 'refund_bounce' : 'refund_failure', refund);
}

/** In the processor's books a refund has the name of its attempt, or its own if it was made there. */
export function refundMovement(kind: Movement['kind'], refund: Refund): Movement {
  const { id, payment, amount, currency, attempt, processor_reference } = refund;
  return { kind, source: id, payment, reference: processor_reference ?? attempt, money: { amount, currency } };
}

function eventsOf(before: Refund, refund: Refund, payment: Payment, isFirst: boolean): EventDraft[] {
  const announced = isFirst ? [refundEvent('refund.created', refund)] : [];
  if (refund.status === 'failed') return [...announced, refundEvent('refund.failed', refund)];
  const updated = isFirst ? announced : [refundEvent('refund.updated', refund, { status: before.status })];
  return [...updated, paymentEvent('payment.refunded', payment)];
}

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
