import type { Money } from '../../base/money.ts';
import type { Tenant } from '../../base/reads.ts';
import type { Authorization, DeclineCode, Verb } from '../contract.ts';
import type { Scenario } from './cards.ts';

/** One thing that the processor did. Entries are only ever added; everything else is concluded from them. */
export type Entry = {
  tenant: Tenant;
  attempt: string;
  /**
   * decide: the cardholder's answer to a challenge. dispute, close: the cardholder wants the money back, and how that ended. They
   * are nobody's attempt, so their names are made from the attempt that led to them.
   */
  verb: Verb | 'decide' | 'dispute' | 'close';
  authorization_attempt: string;
  /** 0 for the authorization; what is done about it counts on from 1. Two that race want the same number, and one gets it. */
  sequence: number;
  payment: string | null;
  amount: number;
  currency: string | null;
  captures: boolean;
  result: 'approved' | 'declined' | 'challenged';
  code: DeclineCode | null;
  decline_code: string | null;
  reference: string;
  last4: string | null;
  checks: string | null;
  scenario: Scenario | null;
  /** How a dispute was closed. */
  verdict: DisputeVerdict | null;
  at: Date;
};

export type DisputeVerdict = 'won' | 'lost';

/** Why the ledger does not allow a verb. Told as the decline code, with these words. */
export const objections = {
  unknown_authorization: 'The processor knows no such authorization.',
  reference_mismatch: 'The reference is not the one of this authorization.',
  authorization_declined: 'The authorization was declined.',
  authorization_canceled: 'The authorization was canceled.',
  authentication_required: 'The cardholder has not answered the challenge yet.',
  currency_mismatch: 'The currency is not the one of the authorization.',
  amount_invalid: 'The amount is more than what is left, or not above zero.',
  already_captured: 'The authorization was captured already.',
  not_captured: 'Nothing was captured that could be refunded.',
  already_refunded: 'A charge that was refunded in part cannot be canceled.',
  charge_disputed: 'The cardholder has disputed the charge, and has the money back.',
  unknown_dispute: 'The processor knows no such dispute.',
  dispute_closed: 'The dispute is closed.',
  evidence_late: 'The time for evidence is over.',
} as const;
export type Objection = keyof typeof objections;

/** A dispute takes the money at once, and for good unless it is won. There is at most one about an authorization. */
export type SimulatedDispute = { opening: Entry; state: 'open' | 'contested' | DisputeVerdict };

const evidenceMs = 7 * 24 * 3_600_000;

/** Where an authorization stands: the sum of its entries. */
export type Standing = {
  opening: Entry | undefined;
  state: 'none' | 'declined' | 'challenged' | 'authorized' | 'canceled';
  authorized: number;
  captured: number;
  refunded: number;
  dispute: SimulatedDispute | undefined;
  /** What a dispute has taken back: all that was left at that moment. */
  disputed: number;
  /** The number of the next entry. */
  next: number;
};

export function standingOf(authorization: string, known: readonly Entry[]): Standing {
  const entries = known.filter((entry) => entry.authorization_attempt === authorization);
  const opening = entries.find((entry) => entry.verb === 'authorize');
  const approved = entries.filter((entry) => entry.result === 'approved');
  const sum = (verb: Entry['verb']) => amountOf(approved.filter((entry) => entry.verb === verb));
  const authorized = sum('authorize') + sum('decide');
  const dispute = disputeOf(approved);
  return {
    opening,
    state: stateOf(opening, entries),
    authorized,
    captured: opening?.captures ? authorized : sum('capture'),
    refunded: sum('refund'),
    dispute,
    disputed: dispute === undefined || dispute.state === 'won' ? 0 : dispute.opening.amount,
    next: Math.max(0, ...entries.map((entry) => entry.sequence)) + 1,
  };
}

function amountOf(entries: readonly Entry[]): number {
  return entries.reduce((total, entry) => total + entry.amount, 0);
}

function disputeOf(approved: readonly Entry[]): SimulatedDispute | undefined {
  const opening = approved.find((entry) => entry.verb === 'dispute');
  if (opening === undefined) return undefined;
  const has = (verb: Entry['verb']) => approved.some((entry) => entry.verb === verb);
  const verdict = approved.find((entry) => entry.verb === 'close')?.verdict ?? (has('concede') ? 'lost' : undefined);
  const state = verdict ?? (has('contest') ? 'contested' : 'open');
  return { opening, state };
}

/** Evidence is taken until then, epoch milliseconds. */
export function dueByOf(dispute: Entry): number {
  return dispute.at.getTime() + evidenceMs;
}

function stateOf(opening: Entry | undefined, entries: readonly Entry[]): Standing['state'] {
  if (opening === undefined) return 'none';
  if (entries.some((entry) => entry.verb === 'cancel' && entry.result === 'approved')) return 'canceled';
  const result = entries.find((entry) => entry.verb === 'decide')?.result ?? opening.result;
  return result === 'approved' ? 'authorized' : result;
}

const notAuthorized: Record<Exclude<Standing['state'], 'authorized'>, Objection> = {
  none: 'unknown_authorization',
  declined: 'authorization_declined',
  challenged: 'authentication_required',
  canceled: 'authorization_canceled',
};

export function objectionToCapture(standing: Standing, money: Money): Objection | undefined {
  const { state, authorized, captured, opening } = standing;
  if (state !== 'authorized') return notAuthorized[state];
  if (money.currency !== opening!.currency) return 'currency_mismatch';
  if (captured > 0) return 'already_captured';
  return money.amount > 0 && money.amount <= authorized ? undefined : 'amount_invalid';
}

export function objectionToRefund(standing: Standing, money: Money): Objection | undefined {
  const { state, captured, refunded, disputed, opening } = standing;
  if (state !== 'authorized') return notAuthorized[state];
  if (money.currency !== opening!.currency) return 'currency_mismatch';
  if (captured === 0) return 'not_captured';
  if (disputed > 0) return 'charge_disputed';
  return money.amount > 0 && money.amount <= captured - refunded ? undefined : 'amount_invalid';
}

/** Canceling what is not there, or is canceled already, harms nobody and is allowed. */
export function objectionToCancel({ state, refunded, disputed }: Standing): Objection | undefined {
  if (state !== 'authorized') return undefined;
  if (refunded > 0) return 'already_refunded';
  return disputed > 0 ? 'charge_disputed' : undefined;
}

export function objectionToConcede({ dispute }: Standing, name: string): Objection | undefined {
  if (dispute?.opening.reference !== name) return 'unknown_dispute';
  return dispute.state === 'won' || dispute.state === 'lost' ? 'dispute_closed' : undefined;
}

export function objectionToContest(standing: Standing, name: string, now: number): Objection | undefined {
  return objectionToConcede(standing, name) ?? (now > dueByOf(standing.dispute!.opening) ? 'evidence_late' : undefined);
}

/** Whoever names an attempt by the reference of another one has mixed something up. */
export function objectionToReference({ attempt, reference }: Authorization): Objection | undefined {
  return reference === undefined || reference === referenceOf(attempt) ? undefined : 'reference_mismatch';
}

/** The processor's own name for what an attempt did: the same whenever it is told. */
export function referenceOf(attempt: string): string {
  return `sim_${attempt.slice(attempt.indexOf('_') + 1)}`;
}
