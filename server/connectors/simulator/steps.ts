import type {
  AuthorizeRequest,
  CancelRequest,
  CaptureRequest,
  FindRequest,
  InquiryOutcome,
  Instrument,
  RefundRequest,
} from '../contract.ts';
import { asksCardholder, authenticationRequired, type Behaviour, busy } from './cards.ts';
import {
  type Entry,
  isByHand,
  newEntry,
  objectionToCancel,
  objectionToCapture,
  objectionToReference,
  objectionToRefund,
  type Standing,
  standingOf,
} from './ledger.ts';
import { newsOfCharge, newsOfRefund } from './news.ts';
import { found, networkTraces, undoneByCancel } from './outcomes.ts';
import { pageOf } from './pay_decision.ts';
import { followUp, idempotent, type SimulatorStep, stepOf } from './step.ts';
import { type ReadCard, readCard } from './wire.ts';

/** The card whose earlier approvals count: it is challenged only until its cardholder has approved once. */
export function remembered({ instrument }: Pick<AuthorizeRequest, 'instrument'>): string | undefined {
  return readCard(instrument).card ?? undefined;
}

export const authorize = idempotent<AuthorizeRequest>((request, known) => {
  if (request.instrument.kind === 'page') return openPage(request, request.instrument);
  const card = readCard(request.instrument);
  return authorized(request, card, behaviourTowards(request, card, known));
});

/** For an account that is always busy. */
export const declineAsBusy = idempotent<AuthorizeRequest>((request) =>
  authorized(request, readCard(request.instrument), busy),
);

/** A challenge needs the cardholder, who may be absent, or may have approved this card before. */
export function behaviourTowards(
  request: Pick<AuthorizeRequest, 'initiator' | 'declinesChallenge' | 'authentication'> &
    Partial<Pick<AuthorizeRequest, 'storedCredential' | 'networkTransactionId'>>,
  { behaviour, card }: ReadCard,
  known: readonly Entry[],
): Behaviour {
  if (isToAuthenticate(request, behaviour)) return request.declinesChallenge ? authenticationRequired : asksCardholder;
  if (behaviour.result !== 'challenged') return behaviour;
  const approvals = card === null ? [] : known.filter((entry) => entry.card === card && entry.result === 'approved');
  if (request.initiator === 'cardholder') {
    if (approvals.length > 0) return { result: 'approved' };
    return request.declinesChallenge ? authenticationRequired : behaviour;
  }
  const isAgreed = approvals.some(
    ({ authorization_attempt: attempt }) =>
      networkTraces(attempt).networkTransactionId === request.networkTransactionId,
  );
  return isAgreed && request.storedCredential === 'subsequent' ? { result: 'approved' } : authenticationRequired;
}

/** Whether a cardholder is asked whose bank would not have asked. */
function isToAuthenticate(
  { initiator, authentication }: Pick<AuthorizeRequest, 'initiator' | 'authentication'>,
  { result }: Behaviour,
): boolean {
  return (
    authentication === 'always' && initiator === 'cardholder' && (result === 'approved' || result === 'challenged')
  );
}

/** The page of an authorization: its cardholder decides there, also on the card. */
function openPage(request: AuthorizeRequest, instrument: Instrument<'page'>): SimulatorStep {
  const entry = newEntry(request, {
    verb: 'authorize',
    authorization_attempt: request.attempt,
    payment: request.payment,
    ...request.money,
    captures: request.capture,
    ...pageOf(instrument, request),
  });
  return stepOf(entry);
}

function authorized(request: AuthorizeRequest, { last4, checks, card }: ReadCard, behaviour: Behaviour): SimulatorStep {
  if (behaviour.result === 'never_received')
    return { entries: [], outcome: { kind: 'unknown', reason: 'the request was lost on its way' } };
  const isDeclined = behaviour.result === 'declined';
  const entry = newEntry(request, {
    verb: 'authorize',
    authorization_attempt: request.attempt,
    payment: request.payment,
    ...request.money,
    captures: request.capture,
    result: behaviour.result,
    code: isDeclined ? behaviour.code : null,
    decline_code: (isDeclined ? behaviour.declineCode : undefined) ?? null,
    last4,
    checks,
    scenario: (isDeclined ? undefined : behaviour.scenario) ?? null,
    card,
  });
  const isTaken = entry.result === 'approved' && entry.captures;
  return stepOf(entry, isTaken ? newsOfCharge(entry, entry.at) : []);
}

export const capture = idempotent<CaptureRequest>((request, known) => {
  const { authorization, money } = request;
  const standing = standingOf(authorization.attempt, known);
  const objection = objectionToReference(authorization) ?? objectionToCapture(standing, money, request.now);
  const amount = objection === 'already_captured' ? standing.captured : money.amount;
  const entry = followUp('capture', request, standing, amount, objection);
  return stepOf(entry, objection === undefined ? newsOfCharge(standing.opening!, entry.at) : []);
});

export const refund = idempotent<RefundRequest>((request, known) => {
  const { authorization, money } = request;
  const standing = standingOf(authorization.attempt, known);
  const objection = objectionToReference(authorization) ?? objectionToRefund(standing, money);
  const entry = followUp('refund', request, standing, money.amount, objection);
  const scenario = standing.opening?.scenario;
  if (objection !== undefined || (scenario !== 'refund_pending' && scenario !== 'refund_bounces')) return stepOf(entry);
  // The ledger has the final result: a refund that bounces never gave money back, whatever the first answer says.
  const bounced = { result: 'declined', code: 'processing_error', decline_code: 'refund_bounced' } as const;
  const recorded = { ...entry, scenario, ...(scenario === 'refund_bounces' ? bounced : {}) };
  return stepOf(recorded, newsOfRefund(recorded));
});

export const cancel = idempotent<CancelRequest>((request, known) => {
  const { authorization } = request;
  const standing = standingOf(authorization.attempt, known);
  const objection = objectionToReference(authorization) ?? objectionToCancel(standing, request);
  const entry = followUp('cancel', request, standing, released(standing), objection);
  const step = stepOf(entry);
  if (standing.state !== 'none' || objection !== undefined) return step;
  return { ...step, entries: [blockedAuthorization(request), entry] };
});

export function find(
  { attempt, verb, reference }: FindRequest,
  known: readonly Entry[],
): SimulatorStep<InquiryOutcome> {
  const own = known.find((one) => one.attempt === attempt && one.verb === verb);
  const entry = own ?? known.find((one) => isByHand(one) && one.reference === reference && one.verb === verb);
  return { entries: [], outcome: entry === undefined ? { kind: 'not_found' } : found(entry, known) };
}

/** The amount that a cancel releases or gives back. */
function released({ state, opening, authorized, captured }: Standing): number {
  if (state === 'challenged') return opening!.amount;
  if (state !== 'authorized') return 0;
  return captured > 0 ? captured : authorized;
}

/**
 * The canceled authorization has not arrived. This entry takes its place, so that it is declined if it still comes: otherwise a slow
 * request would charge a card for a payment that is over.
 */
function blockedAuthorization({ tenant, authorization: { attempt }, now }: CancelRequest): Entry {
  return newEntry({ tenant, attempt, now }, { verb: 'authorize', authorization_attempt: attempt, ...undoneByCancel });
}

/** The cardholder's answer; undefined when there is nothing left to decide. A cancel competes for the same sequence number. */
export function decision(standing: Standing, choice: 'approve' | 'refuse', now: number): Entry | undefined {
  const { state, opening, next } = standing;
  if (state !== 'challenged' || opening === undefined || opening.page !== null) return undefined;
  const { attempt, scenario } = opening;
  const isApproved = choice === 'approve' && scenario !== 'challenge_then_declined';
  return {
    ...opening,
    attempt: `${attempt}/decision`,
    verb: 'decide',
    sequence: next,
    result: isApproved ? 'approved' : 'declined',
    code: isApproved ? null : 'card_declined',
    decline_code: isApproved ? null : choice === 'refuse' ? 'authentication_failed' : 'generic_decline',
    at: new Date(now),
  };
}
