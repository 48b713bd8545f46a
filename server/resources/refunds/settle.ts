import type { InquiryOutcome } from '../../connectors/contract.ts';
import type { Movement } from '../../ledger/posting.ts';
import type { EventDraft } from '../../outbox/event.ts';
import { type Attempt, answered, type ProcessorAnswer } from '../attempts/attempt.ts';
import { isOverdue, nextInquiry } from '../attempts/inquiry_times.ts';
import { type Payment, paymentEvent } from '../payments/payment.ts';
import { moveRefund, type Refund, type RefundSignal, refundEvent } from './refund.ts';

export type KnownRefund = { refund: Refund; payment: Payment; attempt: Attempt };

export type SettledRefund = {
  refund: Refund;
  attempt: Attempt;
  /** Unless nothing about it changes. */
  payment?: Payment;
  movements: Movement[];
  events: EventDraft[];
};

/** What a processor's answer, or its notice, makes of a refund. Undefined when it changes nothing. Pure. */
export function settleRefund(known: KnownRefund, answer: ProcessorAnswer, now: number): SettledRefund | undefined {
  const { refund: before, attempt: asked } = known;
  const signal = signalOf(answer.outcome);
  const status = moveRefund(before.status, signal);
  if (status === undefined) return undefined;
  const attempt = answered(asked, answer);
  // It was never announced while its first answer was awaited: it is now, as whatever it has become.
  const isFirst = asked.state === 'open';
  if (signal === 'wait') {
    const refund = waiting(before, attempt, now);
    const events = isFirst ? [refundEvent('refund.created', refund)] : [];
    // A payment that is about to count the refund is stored with it.
    const { payment } = known;
    const counted = before.version === 0 ? { payment: { ...payment, version: payment.version + 1 } } : {};
    return { refund, attempt, movements: [], events, ...counted };
  }
  const refund: Refund = {
    ...before,
    version: before.version + 1,
    status,
    failure_reason: signal === 'fail' ? failureOf(answer.outcome) : null,
    inquiries: 0,
    flagged_at: null,
    due_at: null,
    lease_until: null,
  };
  const payment = changedPayment(known.payment, refund, signal);
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
  return outcome.kind === 'declined' ? 'fail' : 'wait';
}

/** In the words of the processor, where it has some. */
function failureOf(outcome: InquiryOutcome): string {
  return outcome.kind === 'declined' ? (outcome.declineCode ?? outcome.code) : 'processing_error';
}

/** What did not get through can be refunded again. */
function changedPayment(payment: Payment, refund: Refund, signal: RefundSignal): Payment {
  const given = payment.amount_refunded ?? 0;
  const amount_refunded = signal === 'fail' ? given - refund.amount : given;
  return { ...payment, version: payment.version + 1, amount_refunded };
}

/** The money that a new refund takes out of the balance. */
export function refundMovement(refund: Refund): Movement {
  return movement('refund', refund);
}

function movementOf(before: Refund, refund: Refund, signal: RefundSignal): Movement {
  if (signal === 'succeed') return movement('refund_settled', refund);
  return movement(before.status === 'succeeded' ? 'refund_bounce' : 'refund_failure', refund);
}

function movement(kind: Movement['kind'], { id, payment, amount, currency, attempt }: Refund): Movement {
  return { kind, source: id, payment, reference: attempt, money: { amount, currency } };
}

function eventsOf(before: Refund, refund: Refund, payment: Payment, isFirst: boolean): EventDraft[] {
  const announced = isFirst ? [refundEvent('refund.created', refund)] : [];
  if (refund.status === 'failed') return [...announced, refundEvent('refund.failed', refund)];
  const updated = isFirst ? announced : [refundEvent('refund.updated', refund, { status: before.status })];
  return [...updated, paymentEvent('payment.refunded', payment)];
}

/** The outcome is not known: the processor is asked again, less and less often, and after three days a person is told. */
function waiting(before: Refund, attempt: Attempt, now: number): Refund {
  return {
    ...before,
    version: before.version + 1,
    due_at: nextInquiry(before.inquiries, attempt, now),
    // A bank that says "not yet" for days has answered; it is one that says nothing that a person has to ask.
    flagged_at:
      attempt.state !== 'pending' && isOverdue(attempt.deadline_at, now) ? (before.flagged_at ?? new Date(now)) : null,
    lease_until: null,
  };
}
