import type { Write } from '../../../base/commit/index.ts';
import type { InquiryOutcome } from '../../../connectors/contract.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import { type Attempt, type ProcessorAnswer, recordAnswer } from '../attempts/attempt.ts';
import { failure, failureBy } from '../attempts/failure.ts';
import { awaitOutcome, settleSubject } from '../attempts/subject.ts';
import { challenged, isRefusal, unanswered } from '../attempts/waiting.ts';
import { methodNamedBy, type NamedMethod } from '../payment_methods/named.ts';
import { setupEvent } from './schema.ts';
import { isOver, moveSetup, type Setup, type SetupSignal, type SetupStatus } from './setup.ts';

const decidedMs = 2_000;

export type LoadedSetup = {
  setup: Setup;
  attempt: Attempt;
  /** The attempt of the verb `setup` that is canceled. */
  canceled?: Attempt | undefined;
  /** The setup is not stored yet: this is its first outcome. */
  isNew?: boolean;
  /** The rows of its owner that are committed when a remote processor is asked for the first time. */
  begun?: SetupBegun | undefined;
};

export type SetupBegun = (setup: Setup) => Write[];

export type SettledSetup = {
  setup: Setup;
  attempt: Attempt;
  canceled?: Attempt;
  /** The setup is stored by this settlement for the first time. */
  isNew?: boolean;
  /** It is the first answer: nothing was known of the setup before. */
  isFirst?: boolean;
  /** The caller settles the checkout session that it is a try of. */
  isCheckedOut?: boolean;
  /** The method that this answer has named. Its customer is made by the owner of the setup, where the setup had none. */
  named?: NamedMethod;
  events: EventDraft[];
};

/** The setup after a processor's answer; undefined when it is over, so that the answer changes nothing. Pure. */
export function settleSetup(loaded: LoadedSetup, reply: ProcessorAnswer, now: number): SettledSetup | undefined {
  const { setup: before, isNew = false } = loaded;
  if (isOver(before.status)) return released(loaded, reply, now);
  const attempt = recordAnswer(loaded.attempt, reply, now);
  if (isTooLate(loaded, reply.outcome)) return reopened(loaded, attempt, now);
  const signal = signalOf(loaded, reply.outcome);
  const status = moveSetup(isNew ? 'none' : before.status, signal);
  const after = changed(loaded, attempt, signal, status, reply.outcome, now);
  const isNamed = signal === 'approve' || signal === 'decline';
  const named = isNamed ? methodNamedBy(after, reply.outcome, signal === 'approve') : undefined;
  const setup = withOwner(after, named);
  // There is no event for `processing`: nobody has to do anything.
  const isAnnounced = status !== 'processing' && (isNew || status !== before.status);
  const events = isAnnounced ? [setupEvent(`setup.${status}`, setup)] : [];
  const isFirst = loaded.attempt.state === 'open' && loaded.attempt.verb === 'setup' && before.setup_attempt === null;
  return { setup, attempt, events, isNew, isFirst, ...(named && { named }), ...undone(loaded, signal) };
}

/** The method that was named, and the customer that is made for it. */
function withOwner(setup: Setup, named: NamedMethod | undefined): Setup {
  const { status, customer, new_customer } = setup;
  const owner = customer ?? named?.newCustomer ?? (status === 'succeeded' ? new_customer : null);
  return { ...setup, payment_method: named?.id ?? setup.payment_method, customer: owner };
}

/** The cancel of a setup that has failed, while the processor still waited for its cardholder. The status stays. */
function released(loaded: LoadedSetup, reply: ProcessorAnswer, now: number): SettledSetup | undefined {
  const { setup } = loaded;
  if (loaded.attempt.verb !== 'cancel' || setup.open_attempt !== loaded.attempt.id) return undefined;
  const attempt = recordAnswer(loaded.attempt, reply, now);
  const isUnknown = signalOf(loaded, reply.outcome) === 'lose';
  return {
    setup: isUnknown ? awaitOutcome(setup, attempt, now, {}) : settleSubject(setup, { open_attempt: null }),
    attempt,
    events: [],
  };
}

/**
 * The setup as a person has learnt its outcome. That a block (`reverse`) was refused is no outcome: the processor is asked again. Of a
 * person it means that the setup has arrived and succeeded.
 */
export function settleSetupByHand(loaded: LoadedSetup, reply: ProcessorAnswer, now: number): SettledSetup | undefined {
  const { setup: before, canceled } = loaded;
  if (!isTooLate(loaded, reply.outcome)) return settleSetup(loaded, reply, now);
  const status = moveSetup(before.status, 'approve');
  const after = settleSubject(before, { status, open_attempt: null });
  const named = methodNamedBy(after, { kind: 'approved' }, true);
  const setup = withOwner(after, named);
  return {
    setup,
    ...(named && { named }),
    attempt: recordAnswer(loaded.attempt, reply, now),
    canceled: recordAnswer(canceled!, { ...reply, outcome: { kind: 'approved' } }, now),
    events: [setupEvent('setup.succeeded', setup)],
  };
}

/** What was taken for lost has arrived after all: the processor refuses to cancel it. */
function isTooLate({ attempt, canceled }: LoadedSetup, { kind }: InquiryOutcome): boolean {
  return attempt.verb === 'reverse' && canceled !== undefined && (kind === 'declined' || kind === 'not_sent');
}

/** Its outcome is unknown again, and the next inquiry finds it. */
function reopened({ setup, canceled }: LoadedSetup, attempt: Attempt, now: number): SettledSetup {
  const lost: Attempt = { ...canceled!, version: canceled!.version + 1, state: 'unknown', finished_at: null };
  const status = moveSetup(setup.status, 'lose');
  return {
    setup: awaitOutcome(setup, lost, now, { status, open_attempt: lost.id }),
    attempt,
    canceled: lost,
    events: [],
  };
}

/** The setup that a cancel has undone. One that the processor never received stays lost. */
function undone({ canceled }: LoadedSetup, signal: SetupSignal): { canceled?: Attempt } {
  if (canceled === undefined) return {};
  const next = { ...canceled, version: canceled.version + 1, page: null };
  if (signal === 'cancel') return { canceled: { ...next, state: 'reversed' } };
  return signal === 'reverse' && canceled.page !== null ? { canceled: next } : {};
}

function signalOf({ setup, attempt, canceled }: LoadedSetup, { kind }: InquiryOutcome): SetupSignal {
  if (kind === 'pending' || kind === 'unknown' || kind === 'not_found') return 'lose';
  if (kind === 'already_captured' || kind === 'already_paid') return 'lose'; // a setup has no money
  switch (attempt.verb) {
    case 'setup':
      if (kind === 'approved') return 'approve';
      return kind === 'requires_action' ? 'challenge' : 'decline';
    case 'cancel':
      if (kind === 'approved') return 'cancel';
      if (setup.status !== 'processing') return 'keep';
      return canceled?.state === 'pending' ? 'lose' : 'challenge'; // a pending one is decided by the processor after all
    case 'reverse':
      return kind === 'approved' ? 'reverse' : 'lose';
    default:
      throw new Error(`a ${attempt.verb} does not settle a setup`);
  }
}

/** The processor refuses to cancel it: the cardholder has just acted. Unless it has expired, it is asked about soon. */
function kept(before: Setup, after: Setup, now: number): Setup {
  const waits = { ...unanswered(before, after, now), cancellation_reason: null };
  const isExpired = (after.expires_at?.getTime() ?? now) <= now;
  return isExpired ? waits : { ...waits, due_at: new Date(now + decidedMs) };
}

const neverReceived = 'The processor never received it.';
const notSent = 'No processor could be reached, so nothing has happened. Try again later.';

function changed(
  { setup, attempt: asked, canceled }: LoadedSetup,
  attempt: Attempt,
  signal: SetupSignal,
  status: SetupStatus,
  outcome: InquiryOutcome,
  now: number,
): Setup {
  const made = asked.verb === 'setup' ? attempt.id : setup.setup_attempt;
  if (signal === 'lose' && asked.verb === 'cancel' && isRefusal(outcome)) {
    const asks = { ...setup, inquiries: 0, cancellation_reason: null };
    return awaitOutcome(asks, canceled!, now, { status, open_attempt: canceled!.id });
  }
  if (signal === 'lose')
    return awaitOutcome(setup, attempt, now, { status, open_attempt: attempt.id, setup_attempt: made });
  const after = settleSubject(setup, { status, setup_attempt: made, open_attempt: null });
  const failed = { setup: setup.id };
  switch (signal) {
    case 'challenge':
      return challenged(after, outcome, now);
    case 'keep':
      return kept(setup, after, now);
    case 'decline':
      // A job cancels what the processor still holds open.
      return {
        ...after,
        ...failureBy(failed, outcome, notSent),
        due_at: outcome.kind === 'declined' && outcome.awaitsCardholder ? new Date(now) : null,
      };
    case 'reverse':
      return { ...after, ...failure(failed, 'processing_error', null, neverReceived) };
    default:
      return after;
  }
}
