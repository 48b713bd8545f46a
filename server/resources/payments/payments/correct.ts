import { takenBack } from '../../../ledger/correction.ts';
import type { ProcessorAnswer } from '../attempts/attempt.ts';
import { type Correction, underWay } from '../attempts/by_hand.ts';
import { findLatestAttempt } from '../attempts/store.ts';
import type { Payment } from './payment.ts';
import { type LoadedPayment, type Settled, settle } from './settle.ts';

/**
 * A charge, an authorization or a capture that a person has settled wrongly. A cancel needs no correction: it takes no money, and the
 * merchant can cancel or capture again.
 */
export const paymentCorrection: Correction<Payment, LoadedPayment, Settled> = {
  attemptOf: async (context, { id }) =>
    (await findLatestAttempt(context, id, 'capture')) ?? findLatestAttempt(context, id, 'authorize'),
  obstacle,
  correct,
  takeBack: async ({ reads, tenant, now }, { payment }) =>
    payment.amount_received === 0 ? [] : takenBack(reads, tenant, payment.id, now),
};

/** The changes of the payment since it was settled that rest on it. */
function obstacle({ payment, attempt, authorization = attempt }: LoadedPayment): string | undefined {
  const { id, open_attempt, amount_refunded, dispute } = payment;
  if (open_attempt !== null) return underWay(id);
  if (authorization.state === 'reversed')
    return `It is too late: since then the processor was asked to give the money of ${id} back, and has done so.`;
  if ((amount_refunded ?? 0) > 0) return `${id} has been refunded since, so the processor must have taken its money.`;
  if (dispute !== null) return `${id} has been disputed since, so the processor must have taken its money.`;
  return undefined;
}

/** The payment as it was before it was settled, settled by the opposite answer. */
function correct(loaded: LoadedPayment, answer: ProcessorAnswer, now: number, time: number | undefined): Settled {
  return settle(reopened(loaded), answer, now, time);
}

/** The payment and its attempt as they were before they were settled. */
export function reopened({ payment, attempt, authorization }: LoadedPayment): LoadedPayment {
  const open: Payment = {
    ...payment,
    status: 'processing',
    amount_received: 0,
    failure_code: null,
    failure_decline_code: null,
    failure_message: null,
    advice: null,
    canceled_at: null,
    cancellation_reason: null,
    open_attempt: attempt.id,
  };
  return { payment: open, attempt: { ...attempt, state: 'unknown', decline_code: null }, authorization };
}
