import type { Write } from '../../../base/commit/index.ts';
import type { Money } from '../../../base/money.ts';
import type { AttemptId, InquiryOutcome } from '../../../connectors/contract.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import { type Attempt, type ProcessorAnswer, recordAnswer } from '../attempts/attempt.ts';
import { failure, failureBy } from '../attempts/failure.ts';
import { awaitOutcome, settleSubject } from '../attempts/subject.ts';
import { challenged, isRefusal, unanswered } from '../attempts/waiting.ts';
import { methodNamedBy, type NamedMethod, namedFacts } from '../payment_methods/named.ts';
import { attemptOfCapture, flagUnrecorded, isRecordable, recordCapture } from './elsewhere.ts';
import { approved, isFinal, move, type Payment, type PaymentStatus, type Signal, takenBy } from './payment.ts';
import { paymentEvent } from './schema.ts';

const paidMs = 2_000;
const minuteMs = 60_000;
const captureMs = 7 * 24 * 60 * minuteMs; // a bank holds money for about a week

export type LoadedPayment = {
  payment: Payment;
  attempt: Attempt;
  /** The authorization that is captured or canceled. */
  authorization?: Attempt | undefined;
  /** The payment is not stored yet: this is its first outcome. */
  isNew?: boolean;
  /** The rows of its owner that are committed when a remote processor is asked for the first time. */
  begun?: Begun | undefined;
};

export function isAwaitingCardholder({ payment, attempt }: LoadedPayment): boolean {
  const { status, open_attempt, authorization_attempt } = payment;
  return status === 'requires_action' && open_attempt === null && authorization_attempt === attempt.id;
}

export type Begun = (payment: Payment) => Write[];

export type Settled = {
  payment: Payment;
  attempt: Attempt;
  authorization?: Attempt;
  /** Whether the payment has received its money by this answer. */
  isReceived: boolean;
  /** The attempt by which the processor knows the money, where it is another one. */
  receivedBy?: AttemptId;
  /** The payment is stored by this settlement for the first time. */
  isNew?: boolean;
  /** The method that this answer has named. Its customer is made by the owner of the payment, where the payment had none. */
  named?: NamedMethod;
  /** Its method is to pay the next invoices of the subscription too, if it is kept. */
  becomesDefault?: boolean;
  /** The caller settles the invoice that it pays. */
  isBilled?: boolean;
  /** The caller settles the checkout session that it is a try of. */
  isCheckedOut?: boolean;
  events: EventDraft[];
};

/** The payment after a processor's answer. Pure. `time` is that of its test clock, if it has one. */
export function settle(loaded: LoadedPayment, reply: ProcessorAnswer, now: number, time?: number): Settled {
  const { payment: before, isNew = false } = loaded;
  const attempt = recordAnswer(loaded.attempt, reply, now);
  const signal = signalOf(loaded, reply.outcome);
  if (isFinal(before.status)) {
    // A reversal for a payment that is over: its status stays.
    const { status } = before;
    const stays =
      signal === 'lose' ? undecided(before, attempt, now, status) : settleSubject(before, { open_attempt: null });
    const payment = flagUnrecorded(stays, before, reply.outcome, now);
    return { payment, attempt, isReceived: false, events: [], ...givenBack(loaded, signal) };
  }
  const status = move(isNew ? 'none' : before.status, signal);
  const after = changed(loaded, attempt, signal, status, reply.outcome, now);
  const canceled = signal === 'cancel' ? { ...after, canceled_at: new Date(time ?? now) } : after;
  const named = namedBy(canceled, signal, reply.outcome);
  const moved = isApproval(signal) ? approved(withMethod(canceled, named)) : withMethod(canceled, named);
  // While its first answer was awaited the payment had no event, and named no authorization: it has one now, as processing.
  const isAwaited = loaded.attempt.state === 'open' && loaded.attempt.verb === 'authorize';
  const isFirst = signal === 'lose' && isAwaited && before.authorization_attempt === null;
  const announced = isNew || status !== before.status || isFirst;
  const events = announced ? [paymentEvent(`payment.${status}`, moved)] : [];
  const isReceived = signal === 'approve' || signal === 'capture';
  const receivedBy = isReceived ? attemptOfCapture(before, reply.outcome) : undefined;
  return {
    payment: moved,
    attempt,
    isReceived,
    events,
    isNew,
    ...(named === undefined ? {} : { named }),
    ...(receivedBy === undefined ? {} : { receivedBy }),
    ...(isReceived && becomesDefault(before)),
    ...givenBack(loaded, signal),
  };
}

const becomesDefault = ({ on_approval }: Payment) =>
  on_approval?.becomes_default === true ? { becomesDefault: true } : {};

/** The settlement by a capture that the processor reports without having been asked. Pure. */
export function settleCapturedElsewhere(payment: Payment, authorization: Attempt, money: Money): Settled {
  const status = move(payment.status, 'capture');
  const captured = recordCapture(settleSubject(payment, { status }), money);
  const named = methodNamedBy(captured, { kind: 'approved' }, true);
  const received = approved(withMethod(captured, named));
  return {
    payment: received,
    ...(named === undefined ? {} : { named }),
    attempt: { ...authorization, version: authorization.version + 1 },
    isReceived: true,
    ...becomesDefault(payment),
    events: [paymentEvent('payment.succeeded', received)],
  };
}

/** Every payment that holds or has received money has a method; a declined one only if the processor has named it. */
function namedBy(payment: Payment, signal: Signal, outcome: InquiryOutcome): NamedMethod | undefined {
  if (signal === 'decline') return methodNamedBy(payment, outcome, false);
  return isApproval(signal) ? methodNamedBy(payment, outcome, true) : undefined;
}

const isApproval = (signal: Signal) => signal === 'approve' || signal === 'hold' || signal === 'capture';

function withMethod(payment: Payment, named: NamedMethod | undefined): Payment {
  if (named === undefined) return payment;
  const customer = payment.customer ?? named.newCustomer ?? null;
  return { ...payment, payment_method: named.id, ...namedFacts(named), customer };
}

/** The authorization that a cancel or a reversal has undone. One that the processor never received stays lost. */
function givenBack({ authorization }: LoadedPayment, signal: Signal): { authorization?: Attempt } {
  if (signal !== 'cancel' && signal !== 'reverse') return {};
  if (authorization === undefined) return {};
  const isLost = authorization.state === 'lost';
  if (isLost && authorization.page === null) return {};
  const state = isLost ? 'lost' : 'reversed';
  return { authorization: { ...authorization, version: authorization.version + 1, state, page: null } };
}

function signalOf({ payment, attempt, authorization }: LoadedPayment, outcome: InquiryOutcome): Signal {
  if (outcome.kind === 'pending' || outcome.kind === 'unknown' || outcome.kind === 'not_found') return 'lose';
  if (outcome.kind === 'already_captured') {
    if (attempt.verb === 'authorize') return 'lose'; // it is no answer to that
    if (isRecordable(payment, outcome.money)) return 'capture';
    if (attempt.verb === 'reverse') return 'lose';
    return payment.status === 'processing' ? 'hold' : 'keep';
  }
  if (outcome.kind === 'already_paid' && attempt.verb !== 'cancel') return 'lose'; // it answers a cancel
  switch (attempt.verb) {
    case 'authorize':
      if (outcome.kind === 'approved') return payment.capture_method === 'manual' ? 'hold' : 'approve';
      return outcome.kind === 'requires_action' ? 'challenge' : 'decline';
    case 'capture':
      // The amount is still reserved, so the merchant can capture again.
      if (outcome.kind === 'not_sent') return payment.status === 'requires_capture' ? 'keep' : 'hold';
      return outcome.kind === 'approved' ? 'capture' : 'decline';
    case 'cancel':
      if (outcome.kind === 'approved') return 'cancel';
      if (payment.status !== 'processing') return 'keep';
      if (authorization?.state === 'pending') return 'lose'; // the processor decides it after all
      return authorization?.state === 'challenged' ? 'challenge' : 'hold';
    case 'reverse':
      return outcome.kind === 'approved' ? 'reverse' : 'lose'; // the money may still be held
    default:
      throw new Error(`a ${attempt.verb} does not settle a payment`);
  }
}

function changed(
  { payment, attempt: asked, authorization: held }: LoadedPayment,
  attempt: Attempt,
  signal: Signal,
  status: PaymentStatus,
  outcome: InquiryOutcome,
  now: number,
): Payment {
  if (signal === 'lose' && asked.verb === 'cancel' && isRefusal(outcome))
    return { ...undecided({ ...payment, inquiries: 0 }, held!, now, 'processing'), cancellation_reason: null };
  if (signal === 'lose') return flagUnrecorded(undecided(payment, attempt, now, 'processing'), payment, outcome, now);
  const authorization = asked.verb === 'authorize' ? attempt.id : payment.authorization_attempt;
  const taken = takenBy(asked.verb === 'authorize' ? processorOf(attempt) : payment.processor);
  const after = settleSubject(payment, {
    ...taken,
    status,
    authorization_attempt: authorization,
    open_attempt: null,
  });
  switch (signal) {
    case 'approve':
      return { ...after, amount_received: payment.amount };
    case 'capture':
      if (outcome.kind === 'already_captured') return recordCapture(after, outcome.money);
      return { ...after, amount_received: attempt.amount! };
    case 'challenge':
      return lookSoon(challenged(after, outcome, now), outcome, now);
    case 'hold':
      if (asked.verb === 'authorize') return holding(after, now);
      return flagUnrecorded(unanswered(payment, after, now), payment, outcome, now);
    case 'keep':
      return lookSoon(flagUnrecorded(unanswered(payment, after, now), payment, outcome, now), outcome, now);
    case 'decline':
      // When a capture is declined, a job reverses the authorization.
      return {
        ...after,
        ...failureBy({ payment: payment.id }, outcome, notSent),
        advice: outcome.kind === 'declined' ? (outcome.advice ?? null) : null,
        due_at: asked.verb === 'capture' ? new Date(now) : null,
      };
    case 'reverse':
      return { ...after, ...failure({ payment: payment.id }, 'processing_error', null, neverReceived) };
    default:
      return after;
  }
}

/** A cancel has found that the cardholder has paid: the authorization is asked about soon, if the caller has not asked at once. */
function lookSoon(after: Payment, { kind }: InquiryOutcome, now: number): Payment {
  if (kind !== 'already_paid' || after.status !== 'requires_action') return after;
  return { ...after, cancellation_reason: null, due_at: new Date(now + paidMs) };
}

function holding(after: Payment, now: number): Payment {
  const expires = new Date(now + captureMs);
  return { ...after, expires_at: expires, due_at: expires };
}

/** The outcome is unknown: the slot stays taken. */
function undecided(payment: Payment, attempt: Attempt, now: number, status: PaymentStatus): Payment {
  const held = payment.authorization_attempt ?? (attempt.verb === 'authorize' ? attempt.id : null);
  return awaitOutcome(payment, attempt, now, { status, open_attempt: attempt.id, authorization_attempt: held });
}

/** The processor account that a payment went to; null where the processor needs none. */
function processorOf({ processor_account: account, connector, reference }: Attempt): Payment['processor'] {
  return account === null ? null : { account, connector, ...(reference === null ? {} : { reference }) };
}

const neverReceived = 'The processor never received it.';
const notSent = 'No processor could be reached, so nothing was charged. Try again later.';
