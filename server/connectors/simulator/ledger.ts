import { isId } from '../../base/id.ts';
import type { Money } from '../../base/money.ts';
import type { Tenant } from '../../base/reads.ts';
import type {
  AttemptId,
  Authorization,
  CancelRequest,
  DeclineCode,
  ProcessorAccountId,
  RequestedPage,
  Verb,
} from '../contract.ts';
import type { Scenario } from './cards.ts';

/** One thing that the processor did. Entries are only ever added; everything else is derived from them. */
export type Entry = {
  tenant: Tenant;
  /** The processor account that it was made through; null: none. */
  account: ProcessorAccountId | null;
  attempt: string;
  /**
   * decide: the cardholder's answer to a challenge. dispute: the cardholder wants the money back. close: the end of the dispute.
   * The gateway made no attempt for these three, so their ids are derived from the attempt that led to them.
   */
  verb: Verb | 'decide' | 'dispute' | 'close';
  authorization_attempt: string;
  /** 0 for the authorization or the setup, then 1 and up. Of two entries that race, both want the same number, and one gets it. */
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
  /** Tells one card from another; null where that makes no difference. */
  card: string | null;
  /** How a dispute was closed. */
  verdict: DisputeVerdict | null;
  /** What the page of an authorization or a setup shows, and until when; null: it has no page. */
  page: SimulatedPage | null;
  /** Of a decision on such a page: the name of the test card. */
  paid_with: string | null;
  at: Date;
};

export type SimulatedPage = Omit<RequestedPage, 'returnUrl' | 'email'>;

export type DisputeVerdict = 'won' | 'lost';

/** The entry of an attempt. Facts that are not given are empty. */
export function newEntry(
  { tenant, attempt, now }: { tenant: Tenant; attempt: string; now: number },
  facts: Pick<Entry, 'verb' | 'authorization_attempt' | 'result'> & Partial<Entry>,
): Entry {
  return {
    tenant,
    account: null, // set by the runner of the step
    attempt,
    sequence: 0,
    payment: null,
    amount: 0,
    currency: null,
    captures: false,
    code: null,
    decline_code: null,
    reference: referenceOf(attempt),
    last4: null,
    checks: null,
    scenario: null,
    card: null,
    verdict: null,
    page: null,
    paid_with: null,
    at: new Date(now),
    ...facts,
  };
}

/** Why the ledger does not allow a verb: the decline code and its message. */
export const objections = {
  setup_succeeded: 'The setup has succeeded, and can no longer be canceled.',
  unknown_authorization: 'The processor knows no such authorization.',
  reference_mismatch: 'The reference is not the one of this authorization.',
  authorization_declined: 'The authorization was declined.',
  authorization_canceled: 'The authorization was canceled.',
  authorization_expired: 'The authorization was not captured in time.',
  challenge_unanswered: 'The cardholder has not answered the challenge yet.',
  currency_mismatch: 'The currency is not the one of the authorization.',
  amount_invalid: 'The amount is more than what is left, or not above zero.',
  already_captured: 'The authorization was captured already.',
  already_paid: 'The cardholder has paid already.',
  not_captured: 'Nothing was captured that could be refunded.',
  already_refunded: 'A charge that was refunded in part cannot be canceled.',
  charge_disputed: 'The cardholder has disputed the charge, and has the money back.',
  unknown_dispute: 'The processor knows no such dispute.',
  dispute_closed: 'The dispute is closed.',
  evidence_late: 'The time for evidence is over.',
} as const;
export type Objection = keyof typeof objections;

/** A dispute withdraws the money immediately, and for good unless it is won. There is at most one about an authorization. */
export type SimulatedDispute = { opening: Entry; state: 'open' | 'contested' | DisputeVerdict };

const dayMs = 24 * 3_600_000;
const evidenceMs = 7 * dayMs;
/** How long an authorization holds the money. */
export const authorizationDays = 7;

/** The state of an authorization, summed up from its entries. */
export type Standing = {
  authorization: string;
  opening: Entry | undefined;
  state: 'none' | 'declined' | 'challenged' | 'authorized' | 'canceled';
  authorized: number;
  captured: number;
  /** The separate capture; undefined if there is none, or if the authorization takes the money itself. */
  capturedBy: string | undefined;
  refunded: number;
  dispute: SimulatedDispute | undefined;
  /** The amount that a dispute has taken back: everything that was left at that moment. */
  disputed: number;
  /** The number of the next entry. */
  next: number;
};

export function standingOf(authorization: string, known: readonly Entry[]): Standing {
  const entries = known.filter((entry) => entry.authorization_attempt === authorization);
  const opening = entries.find(({ verb }) => verb === 'authorize' || verb === 'setup');
  const approved = entries.filter((entry) => entry.result === 'approved');
  const sum = (verb: Entry['verb']) =>
    approved.reduce((total, entry) => total + (entry.verb === verb ? entry.amount : 0), 0);
  const authorized = sum('authorize') + sum('decide');
  const dispute = disputeOf(approved);
  return {
    authorization,
    opening,
    state: stateOf(opening, entries),
    authorized,
    captured: opening?.captures ? authorized : sum('capture'),
    capturedBy: approved.find((entry) => entry.verb === 'capture')?.attempt,
    refunded: sum('refund'),
    dispute,
    disputed: dispute === undefined || dispute.state === 'won' ? 0 : dispute.opening.amount,
    next: Math.max(0, ...entries.map((entry) => entry.sequence)) + 1,
  };
}

function disputeOf(approved: readonly Entry[]): SimulatedDispute | undefined {
  const opening = approved.find((entry) => entry.verb === 'dispute');
  if (opening === undefined) return undefined;
  const has = (verb: Entry['verb']) => approved.some((entry) => entry.verb === verb);
  const verdict = approved.find((entry) => entry.verb === 'close')?.verdict ?? (has('concede') ? 'lost' : undefined);
  const state = verdict ?? (has('contest') ? 'contested' : 'open');
  return { opening, state };
}

/** The deadline for evidence, in epoch milliseconds. */
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
  challenged: 'challenge_unanswered',
  canceled: 'authorization_canceled',
};

/** Whether the bank has released the money, because it was not captured. A setup holds none. */
export function isExpired({ state, opening, captured }: Standing, now: number): boolean {
  if (state !== 'authorized' || opening?.verb !== 'authorize' || captured > 0) return false;
  return now > opening.at.getTime() + authorizationDays * dayMs;
}

export function objectionToCapture(standing: Standing, money: Money, now: number): Objection | undefined {
  const { state, authorized, captured, opening } = standing;
  if (state !== 'authorized') return notAuthorized[state];
  if (isExpired(standing, now)) return 'authorization_expired';
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

/** It is allowed to cancel an authorization that does not exist or is canceled already. `captures` are those that are given back. */
export function objectionToCancel(
  standing: Standing,
  { captures = [], unlessPaid = false }: Pick<CancelRequest, 'captures' | 'unlessPaid'> = {},
): Objection | undefined {
  const { state, capturedBy, refunded, disputed } = standing;
  if (state !== 'authorized') return undefined;
  if (unlessPaid) return 'already_paid';
  if (capturedBy !== undefined && !captures.some((one) => one === capturedBy)) return 'already_captured';
  if (refunded > 0) return 'already_refunded';
  return disputed > 0 ? 'charge_disputed' : undefined;
}

/** Canceling a setup that does not exist, or has ended without success, is harmless. */
export function objectionToCancelSetup({ state }: Standing): Objection | undefined {
  return state === 'authorized' ? 'setup_succeeded' : undefined;
}

export function objectionToConcede({ dispute }: Standing, name: string): Objection | undefined {
  if (dispute?.opening.reference !== name) return 'unknown_dispute';
  return dispute.state === 'won' || dispute.state === 'lost' ? 'dispute_closed' : undefined;
}

export function objectionToContest(standing: Standing, name: string, now: number): Objection | undefined {
  return objectionToConcede(standing, name) ?? (now > dueByOf(standing.dispute!.opening) ? 'evidence_late' : undefined);
}

/** The reference of another authorization means that the gateway has mixed two of them up. */
export function objectionToReference({
  attempt,
  reference,
}: Pick<Authorization, 'attempt' | 'reference'>): Objection | undefined {
  return reference === undefined || reference === referenceOf(attempt) ? undefined : 'reference_mismatch';
}

/** Entries that were made at the processor without the gateway have a name that no attempt has. */
export function byHandName(authorization: string, sequence: number): string {
  return `${authorization}/by_hand_${sequence}`;
}

export function isByHand({ attempt }: Pick<Entry, 'attempt'>): boolean {
  return attempt.includes('/by_hand_');
}

/** The attempt that has this name; undefined if none can have it. */
export function attemptOf(reference: string): AttemptId | undefined {
  const id = reference.replace(/^sim_/, 'att_');
  return id !== reference && isId('att', id) ? id : undefined;
}

/** The processor's own name for an attempt. */
export function referenceOf(attempt: string): string {
  return `sim_${attempt.slice(attempt.indexOf('_') + 1)}`;
}
