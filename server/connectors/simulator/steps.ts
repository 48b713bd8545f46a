import type {
  AuthorizeRequest,
  CancelRequest,
  CaptureRequest,
  FindRequest,
  InquiryOutcome,
  RefundRequest,
} from '../contract.ts';
import {
  type Entry,
  objectionToCancel,
  objectionToCapture,
  objectionToReference,
  objectionToRefund,
  referenceOf,
  type Standing,
  standingOf,
} from './ledger.ts';
import { newsOfCharge, newsOfRefund } from './news.ts';
import { found } from './outcomes.ts';
import { followUp, repeated, type Step, told } from './step.ts';
import { readCard } from './wire.ts';

export function authorize(request: AuthorizeRequest, known: readonly Entry[]): Step {
  const earlier = repeated(request.attempt, known);
  if (earlier !== undefined) return earlier;
  const { tenant, attempt, payment, money, now } = request;
  const { behaviour, last4, checks } = readCard(request.card);
  if (behaviour.result === 'never_received')
    return { entries: [], outcome: { kind: 'unknown', reason: 'the request was lost on its way' } };
  const isDeclined = behaviour.result === 'declined';
  const entry: Entry = {
    tenant,
    attempt,
    verb: 'authorize',
    authorization_attempt: attempt,
    sequence: 0,
    payment,
    amount: money.amount,
    currency: money.currency,
    captures: request.capture,
    result: behaviour.result,
    code: isDeclined ? behaviour.code : null,
    decline_code: (isDeclined ? behaviour.declineCode : undefined) ?? null,
    reference: referenceOf(attempt),
    last4,
    checks,
    scenario: (isDeclined ? undefined : behaviour.scenario) ?? null,
    verdict: null,
    at: new Date(now),
  };
  const isTaken = entry.result === 'approved' && entry.captures;
  return told(entry, isTaken ? newsOfCharge(entry, entry.at) : []);
}

export function capture(request: CaptureRequest, known: readonly Entry[]): Step {
  const earlier = repeated(request.attempt, known);
  if (earlier !== undefined) return earlier;
  const standing = standingOf(request.authorization.attempt, known);
  const objection = objectionToReference(request.authorization) ?? objectionToCapture(standing, request.money);
  const entry = followUp('capture', request, request.authorization.attempt, standing, request.money.amount, objection);
  return told(entry, objection === undefined ? newsOfCharge(standing.opening!, entry.at) : []);
}

export function refund(request: RefundRequest, known: readonly Entry[]): Step {
  const earlier = repeated(request.attempt, known);
  if (earlier !== undefined) return earlier;
  const standing = standingOf(request.authorization.attempt, known);
  const objection = objectionToReference(request.authorization) ?? objectionToRefund(standing, request.money);
  const entry = followUp('refund', request, request.authorization.attempt, standing, request.money.amount, objection);
  const scenario = standing.opening?.scenario;
  if (objection !== undefined || (scenario !== 'refund_pending' && scenario !== 'refund_bounces')) return told(entry);
  // The ledger holds what is true in the end: money that bounces was never given back, whatever is told at first.
  const bounced = { result: 'declined', code: 'processing_error', decline_code: 'refund_bounced' } as const;
  const recorded = { ...entry, scenario, ...(scenario === 'refund_bounces' ? bounced : {}) };
  return told(recorded, newsOfRefund(recorded));
}

export function cancel(request: CancelRequest, known: readonly Entry[]): Step {
  const earlier = repeated(request.attempt, known);
  if (earlier !== undefined) return earlier;
  const standing = standingOf(request.authorization.attempt, known);
  const objection = objectionToReference(request.authorization) ?? objectionToCancel(standing);
  const entry = followUp('cancel', request, request.authorization.attempt, standing, released(standing), objection);
  const step = told(entry);
  if (standing.state !== 'none' || objection !== undefined) return step;
  return { ...step, entries: [blockedAuthorization(request), entry] };
}

export function find({ attempt, verb }: FindRequest, known: readonly Entry[]): Step<InquiryOutcome> {
  const entry = known.find((one) => one.attempt === attempt && one.verb === verb);
  return { entries: [], outcome: entry === undefined ? { kind: 'not_found' } : found(entry, known) };
}

/** What a cancel sets free or gives back. */
function released({ state, opening, authorized, captured }: Standing): number {
  if (state === 'challenged') return opening!.amount;
  if (state !== 'authorized') return 0;
  return captured > 0 ? captured : authorized;
}

/**
 * The authorization that a cancel is about has not arrived. Its place is taken, so that it is refused should it still come: otherwise a
 * request that was only slow would charge a card for a payment which everybody believes to be over.
 */
function blockedAuthorization({ tenant, authorization: { attempt }, now }: CancelRequest): Entry {
  return {
    tenant,
    attempt,
    verb: 'authorize',
    authorization_attempt: attempt,
    sequence: 0,
    payment: null,
    amount: 0,
    currency: null,
    captures: false,
    result: 'declined',
    code: 'processing_error',
    decline_code: 'authorization_canceled',
    reference: referenceOf(attempt),
    last4: null,
    checks: null,
    scenario: null,
    verdict: null,
    at: new Date(now),
  };
}

/** The cardholder's answer; undefined when there is nothing to decide any more. It takes the number that a cancel would take as well. */
export function decision(standing: Standing, choice: 'approve' | 'refuse', now: number): Entry | undefined {
  const { state, opening, next } = standing;
  if (state !== 'challenged' || opening === undefined) return undefined;
  const { attempt, scenario } = opening;
  const isApproved = choice === 'approve' && scenario === 'challenge_then_approved';
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
