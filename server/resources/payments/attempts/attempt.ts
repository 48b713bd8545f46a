import { assert } from '../../../base/errors.ts';
import { type Id, newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { AskedCall } from '../../../connectors/ask.ts';
import type {
  Advice,
  AttemptId,
  InquiryOutcome,
  ProcessorAccountId,
  Reply,
  RequestedPage,
  Traces,
  Verb,
} from '../../../connectors/contract.ts';

/** The verbs that decide on a payment or a setup. `reverse` is a cancel by which it fails. */
export type PaymentVerb = 'authorize' | 'capture' | 'cancel' | 'reverse';
export type AttemptVerb = Verb | PaymentVerb;

/**
 * open: in flight. unknown, pending: the call is over, and its outcome has to be inquired. challenged: the cardholder has to act.
 * lost: never received by the processor. not_sent: it never left us, or was refused before anything began. reversed: an authorization or
 * a setup that was undone, approved or not.
 */
export type AttemptState =
  | 'open'
  | 'unknown'
  | 'pending'
  | 'challenged'
  | 'approved'
  | 'declined'
  | 'reversed'
  | 'lost'
  | 'not_sent';

/** One request to a processor. */
export type Attempt = {
  tenant: Tenant;
  id: AttemptId;
  version: number;
  /** Null: it is made for a setup. */
  payment: Id<'py'> | null;
  setup: Id<'set'> | null;
  /** The refund, or the dispute, that it is made for. */
  refund: Id<'re'> | null;
  dispute: Id<'dp'> | null;
  verb: AttemptVerb;
  state: AttemptState;
  amount: number | null;
  connector: string;
  processor_account: ProcessorAccountId | null;
  /** Why this processor was chosen, in a sentence; null where there was no choice. */
  reason: string | null;
  /** When the call times out. No inquiry is made before. */
  deadline_at: Date;
  reference: string | null;
  network_transaction_id: string | null;
  authorization_code: string | null;
  avs_result: string | null;
  cvc_result: string | null;
  decline_code: string | null;
  advice: Advice | null;
  /** When its outcome became known. */
  finished_at: Date | null;
  exchange: object | null;
  /** What a page of the processor was asked for by, while it may be asked for again; null: not by a page, or it has an outcome. */
  page: RequestedPage | null;
  request_id: string | null;
};

export type AttemptFacts = Pick<
  Attempt,
  'tenant' | 'verb' | 'amount' | 'connector' | 'processor_account' | 'request_id'
> &
  Partial<Pick<Attempt, 'payment' | 'setup' | 'refund' | 'dispute' | 'reason' | 'page'>>;

export function newAttempt(facts: AttemptFacts, now: number, deadline: number): Attempt {
  return {
    payment: null,
    setup: null,
    refund: null,
    dispute: null,
    reason: null,
    page: null,
    ...facts,
    id: newId('att', now),
    version: 0, // not stored yet
    state: 'open',
    deadline_at: new Date(deadline),
    reference: null,
    network_transaction_id: null,
    authorization_code: null,
    avs_result: null,
    cvc_result: null,
    decline_code: null,
    advice: null,
    finished_at: null,
    exchange: null,
  };
}

/** The payment that an attempt was made for. */
export function paymentIdOf({ id, payment }: Pick<Attempt, 'id' | 'payment'>): Id<'py'> {
  assert(payment, `${id} was not made for a payment`);
  return payment;
}

/** The verb that the processor is asked for: it knows no `reverse`. */
export function askedVerb({ verb }: Attempt): Verb {
  return verb === 'reverse' ? 'cancel' : verb;
}

/** The call of an attempt, as `ask` counts it. */
export function askedCall(attempt: Attempt): AskedCall {
  const { tenant, id, connector, processor_account } = attempt;
  return { tenant, attempt: id, connector, processor_account, verb: askedVerb(attempt) };
}

const stateOf = {
  approved: 'approved',
  declined: 'declined',
  requires_action: 'challenged',
  pending: 'pending',
  already_captured: 'declined',
  already_paid: 'declined',
  not_sent: 'not_sent',
  unknown: 'unknown',
  not_found: 'lost',
} as const satisfies Record<InquiryOutcome['kind'], AttemptState>;

/** The answer of a processor, to the call itself or to an inquiry. */
export type ProcessorAnswer = Pick<Reply<InquiryOutcome>, 'outcome' | 'exchange' | 'writes'>;

/** The attempt after an answer. A member that a later answer lacks keeps its earlier value. */
export function recordAnswer(before: Attempt, reply: ProcessorAnswer, now: number): Attempt {
  const { outcome, exchange } = reply;
  const traces: Traces = isTraced(outcome) ? outcome : {};
  const state = stateOf[outcome.kind];
  return {
    ...before,
    version: before.version + 1,
    state,
    reference: traces.reference ?? before.reference,
    network_transaction_id: traces.networkTransactionId ?? before.network_transaction_id,
    authorization_code: traces.authorizationCode ?? before.authorization_code,
    avs_result: traces.avsResult ?? before.avs_result,
    cvc_result: traces.cvcResult ?? before.cvc_result,
    decline_code: declineCodeOf(outcome) ?? before.decline_code,
    advice: outcome.kind === 'declined' ? (outcome.advice ?? null) : before.advice,
    finished_at: isUnfinished(state) ? null : new Date(now),
    page: isUnfinished(state) || state === 'lost' ? before.page : null,
    exchange: before.exchange === null ? exchange : { ...before.exchange, inquiry: exchange },
  };
}

function declineCodeOf(outcome: InquiryOutcome): string | undefined {
  if (outcome.kind === 'already_captured' || outcome.kind === 'already_paid') return outcome.kind;
  return outcome.kind === 'declined' ? (outcome.declineCode ?? outcome.code) : undefined;
}

function isTraced(outcome: InquiryOutcome): outcome is InquiryOutcome & Traces {
  return outcome.kind !== 'unknown' && outcome.kind !== 'not_found' && outcome.kind !== 'not_sent';
}

/** What became of an attempt itself, whatever was undone after it. `canceled`: it was undone before the processor had decided. */
export function resultOf({
  state,
  decline_code,
  finished_at,
}: Pick<Attempt, 'state' | 'decline_code' | 'finished_at'>): Exclude<AttemptState, 'reversed'> | 'canceled' {
  if (state !== 'reversed') return state;
  if (decline_code !== null) return 'declined';
  return finished_at === null ? 'canceled' : 'approved';
}

/** Whether the attempt still has no outcome. */
export function isUnfinished(state: AttemptState): boolean {
  return state === 'open' || state === 'unknown' || state === 'pending' || state === 'challenged';
}
