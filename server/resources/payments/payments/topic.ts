import type { Outcome, Part } from '../../../operations/operation.ts';
import { extensionPoint } from '../../../operations/resource.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import { type Attempt, paymentIdOf } from '../attempts/attempt.ts';
import { failureError } from '../attempts/failure.ts';
import { requireAttempt, requireStored, saveAttempt } from '../attempts/store.ts';
import type { Reader, SettlingServices, Topic } from '../attempts/topic.ts';
import { namedMethodWrites } from '../payment_methods/named.ts';
import { apiError } from './errors.ts';
import type { Payment } from './payment.ts';
import { receipt } from './receipt.ts';
import { serializePayment } from './schema.ts';
import { type LoadedPayment, type Settled, settle } from './settle.ts';
import { paymentsTable, savePayment } from './store.ts';

/**
 * Further rows that are committed when an answer settles a payment: its owner learns of it, however the answer arrives. While a remote
 * processor is asked for the first time, `begun` of the wish commits the rows instead; the rows of a local one come from here, with `isNew`.
 */
export type SettlementHook = (
  services: SettlingServices,
  settled: Settled,
  now: number,
  /** That of the payment's test clock; undefined for one that lives in real time. */
  time?: number,
) => Promise<Part>;

export const settlements = extensionPoint<SettlementHook>('payments.settled');

export type PaymentTopic = Topic<LoadedPayment, Settled>;

/** Payments as a topic of attempts. */
export function paymentTopic(hooks: readonly SettlementHook[]): PaymentTopic {
  return {
    name: 'payment',
    flagMessage:
      'no answer for three days, or a capture that cannot be recorded: ask the processor, and settle it with "tollgate payments settle"',
    read,
    successor,
    subject: ({ payment }) => payment,
    isOpen: ({ payment, attempt }) => payment.open_attempt === attempt.id,
    settle,
    answer: ({ payment, attempt }) => answerTo(payment, attempt),
    async part(services, settled, now, time) {
      const { payment, attempt, authorization, named } = settled;
      const writes = [savePayment(payment), saveAttempt(attempt), ...(await receipt(services.terms, settled, now))];
      if (authorization !== undefined) writes.push(saveAttempt(authorization));
      if (named !== undefined)
        writes.push(...(await namedMethodWrites(services, payment, named, attempt.processor_account, { now, time })));
      const events: EventDraft[] = [];
      for (const hook of hooks) {
        const part = await hook(services, settled, now, time);
        writes.push(...part.writes);
        events.push(...part.events);
      }
      return { writes, events };
    },
  };
}

/** Without another authorization, it is the attempt itself. */
async function read(reader: Reader, attempt: Attempt): Promise<LoadedPayment> {
  const payment = await requireStored(reader, paymentsTable, paymentIdOf(attempt));
  const held = payment.authorization_attempt;
  const authorization = held === null || held === attempt.id ? attempt : await requireAttempt(reader, held);
  return { payment, attempt, authorization };
}

/** The latest authorization of the payment, where the given one has been passed on. */
async function successor(reader: Reader, attempt: Attempt): Promise<Attempt | undefined> {
  if (attempt.verb !== 'authorize' || (attempt.state !== 'not_sent' && attempt.state !== 'declined')) return undefined;
  const { open_attempt, authorization_attempt } = await requireStored(reader, paymentsTable, paymentIdOf(attempt));
  const latest = authorization_attempt ?? open_attempt;
  return latest === null || latest === attempt.id ? undefined : requireAttempt(reader, latest);
}

function isRefused(attempt: Attempt): boolean {
  return (attempt.state === 'declined' || attempt.state === 'not_sent') && attempt.verb !== 'reverse';
}

/** A capture or a cancel that found the payment captured at the processor: the payment has succeeded, and is not canceled. */
function answerTo(payment: Payment, attempt: Attempt): Outcome {
  if (payment.status !== 'succeeded' || attempt.state !== 'declined') return answerOf(payment, isRefused(attempt));
  const answer = answerOf(payment);
  if (attempt.verb !== 'cancel') return answer;
  return { ...answer, error: apiError('payment_not_cancelable', { param: 'id', status: payment.status }) };
}

/** The answer to the request that changed a payment. A failed payment is answered with a refusal that names it. */
export function answerOf(payment: Payment, refused = false): Outcome {
  const answer = { result: serializePayment(payment), objectId: payment.id };
  if (payment.status === 'failed') return { ...answer, error: failureError({ payment: payment.id }, payment) };
  if (!refused) return answer;
  const reason = 'The processor refused; the payment is as it was.';
  return { ...answer, error: apiError('processing_error', { reason, decline: { payment: payment.id } }) };
}
