import { assert } from '../../base/errors.ts';
import type { ConcedeRequest, ContestRequest } from '../contract.ts';
import type { Scenario } from './cards.ts';
import {
  type DisputeVerdict,
  type Entry,
  objectionToConcede,
  objectionToContest,
  type Standing,
  standingOf,
} from './ledger.ts';
import { newsOfEvidence } from './news.ts';
import { followUp, idempotent, stepOf } from './step.ts';

const namePrefix = 'sim_dp_';
const attemptPrefix = 'att_';

/** The processor's name for the dispute about an authorization. */
function disputeName(authorization: string): string {
  return namePrefix + authorization.slice(attemptPrefix.length);
}

/** The authorization that a dispute is about. For any other text the result is the id of nothing that exists. */
export function authorizationOf(dispute: string): string {
  return dispute.startsWith(namePrefix) ? attemptPrefix + dispute.slice(namePrefix.length) : dispute;
}

export const contest = idempotent<ContestRequest>((request, known) => {
  const standing = standingOf(authorizationOf(request.dispute), known);
  const objection = objectionToContest(standing, request.dispute, request.now);
  const entry = followUp('contest', request, standing, 0, objection);
  if (objection !== undefined) return stepOf(entry);
  // Of the evidence only the resulting scenario is stored: the text may hold personal data.
  const judged = { ...entry, scenario: scenarioOf(request.evidence) };
  return stepOf(judged, newsOfEvidence(judged));
});

/** Other evidence leaves the dispute under review. */
function scenarioOf(evidence: Readonly<Record<string, string>>): Scenario | null {
  const says = (text: Scenario) => Object.values(evidence).some((field) => field.includes(text));
  if (says('winning_evidence')) return 'winning_evidence';
  return says('losing_evidence') ? 'losing_evidence' : null;
}

export const concede = idempotent<ConcedeRequest>((request, known) => {
  const standing = standingOf(authorizationOf(request.dispute), known);
  const objection = objectionToConcede(standing, request.dispute);
  return stepOf(followUp('concede', request, standing, 0, objection));
});

const reasons: Partial<Record<Scenario, string>> = {
  dispute_fraudulent: 'fraudulent',
  dispute_product_not_received: 'product_not_received',
};

export function reasonOf(dispute: Entry): string {
  const reason = dispute.scenario === null ? undefined : reasons[dispute.scenario];
  assert(reason, `the dispute ${dispute.reference} has no reason`);
  return reason;
}

/** The cardholder wants the remaining money back; undefined when none is left. A refund competes for the same sequence number. */
export function openDispute({ state, opening, captured, refunded, next }: Standing, now: number): Entry | undefined {
  const amount = captured - refunded;
  if (state !== 'authorized' || opening === undefined || amount <= 0) return undefined;
  return {
    ...opening,
    attempt: `${opening.attempt}/dispute`,
    verb: 'dispute',
    sequence: next,
    amount,
    captures: false,
    result: 'approved',
    reference: disputeName(opening.attempt),
    checks: null,
    at: new Date(now),
  };
}

/** The id of a close names its cause, so that only the news which led to the close reports it. */
export function closeName(attempt: string): string {
  return `${attempt}/close`;
}

/** A concession competes for the same sequence number: one of the two ends the dispute. */
export function closeDispute(
  { dispute, next }: Standing,
  { attempt, verdict, now }: { attempt: string; verdict: DisputeVerdict; now: number },
): Entry {
  assert(dispute, `there is no dispute that ${attempt} could close`);
  return { ...dispute.opening, attempt: closeName(attempt), verb: 'close', sequence: next, verdict, at: new Date(now) };
}
