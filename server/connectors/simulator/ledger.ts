import type { Money } from '../../base/money.ts';
import type { Tenant } from '../../base/reads.ts';
import type { Authorization, DeclineCode, Verb } from '../contract.ts';
import type { Scenario } from './cards.ts';

/** One thing that the processor did. Entries are only ever added; everything else is concluded from them. */
export type Entry = {
  tenant: Tenant;
  attempt: string;
  /** decide: the cardholder's answer to a challenge. It is nobody's attempt, so its name is made from that of the authorization. */
  verb: Verb | 'decide';
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
  at: Date;
};

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
} as const;
export type Objection = keyof typeof objections;

/** Where an authorization stands: the sum of its entries. */
export type Standing = {
  opening: Entry | undefined;
  state: 'none' | 'declined' | 'challenged' | 'authorized' | 'canceled';
  authorized: number;
  captured: number;
  refunded: number;
  /** The number of the next entry. */
  next: number;
};

export function standingOf(authorization: string, known: readonly Entry[]): Standing {
  const entries = known.filter((entry) => entry.authorization_attempt === authorization);
  const opening = entries.find((entry) => entry.verb === 'authorize');
  const approved = entries.filter((entry) => entry.result === 'approved');
  const sum = (verb: Entry['verb']) => amountOf(approved.filter((entry) => entry.verb === verb));
  const authorized = sum('authorize') + sum('decide');
  return {
    opening,
    state: stateOf(opening, entries),
    authorized,
    captured: opening?.captures ? authorized : sum('capture'),
    refunded: sum('refund'),
    next: Math.max(0, ...entries.map((entry) => entry.sequence)) + 1,
  };
}

function amountOf(entries: readonly Entry[]): number {
  return entries.reduce((total, entry) => total + entry.amount, 0);
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
  const { state, captured, refunded, opening } = standing;
  if (state !== 'authorized') return notAuthorized[state];
  if (money.currency !== opening!.currency) return 'currency_mismatch';
  if (captured === 0) return 'not_captured';
  return money.amount > 0 && money.amount <= captured - refunded ? undefined : 'amount_invalid';
}

/** Canceling what is not there, or is canceled already, harms nobody and is allowed. */
export function objectionToCancel(standing: Standing): Objection | undefined {
  return standing.state === 'authorized' && standing.refunded > 0 ? 'already_refunded' : undefined;
}

/** Whoever names an attempt by the reference of another one has mixed something up. */
export function objectionToReference({ attempt, reference }: Authorization): Objection | undefined {
  return reference === undefined || reference === referenceOf(attempt) ? undefined : 'reference_mismatch';
}

/** The processor's own name for what an attempt did: the same whenever it is told. */
export function referenceOf(attempt: string): string {
  return `sim_${attempt.slice(attempt.indexOf('_') + 1)}`;
}
