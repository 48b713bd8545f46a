import type { Money } from '../../../base/money.ts';
import type { AttemptId, InquiryOutcome } from '../../../connectors/contract.ts';
import type { Payment } from './payment.ts';

/**
 * Captures that were made at the processor without the gateway. They are recorded as what they are, and never undone. What cannot be
 * recorded needs a person.
 */

/** Whether a capture of this amount is one of this payment: it is not received yet, and was authorized. */
export function isRecordable({ status, amount, currency }: Payment, money: Money): boolean {
  if (status !== 'requires_capture' && status !== 'processing') return false;
  return money.currency === currency && money.amount > 0 && money.amount <= amount;
}

export function recordCapture(after: Payment, { amount }: Money): Payment {
  return { ...after, amount_received: amount, captured_elsewhere: true, cancellation_reason: null };
}

/** The attempt that the processor's books show for a capture of another: one that it names, or the authorization. */
export function attemptOfCapture(payment: Payment, outcome: InquiryOutcome): AttemptId | undefined {
  if (outcome.kind !== 'already_captured') return undefined;
  return outcome.capture ?? payment.authorization_attempt ?? undefined;
}

/** A person has to look into a capture that is not recorded. */
export function flagUnrecorded(after: Payment, before: Payment, { kind }: InquiryOutcome, now: number): Payment {
  return kind === 'already_captured' ? { ...after, flagged_at: before.flagged_at ?? new Date(now) } : after;
}
