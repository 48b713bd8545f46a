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
import { followUp, repeated, type SimulatorStep, told } from './step.ts';

const namePrefix = 'sim_dp_';
const attemptPrefix = 'att_';

/** The processor's name for the dispute about an authorization. */
function disputeName(authorization: string): string {
  return namePrefix + authorization.slice(attemptPrefix.length);
}

/** The authorization that a dispute is about, by its name. Of something that is no name it makes nothing that exists. */
export function authorizationOf(dispute: string): string {
  return dispute.startsWith(namePrefix) ? attemptPrefix + dispute.slice(namePrefix.length) : dispute;
}

export function contest(request: ContestRequest, known: readonly Entry[]): SimulatorStep {
  const earlier = repeated(request.attempt, known);
  if (earlier !== undefined) return earlier;
  const authorization = authorizationOf(request.dispute);
  const standing = standingOf(authorization, known);
  const objection = objectionToContest(standing, request.dispute, request.now);
  const entry = followUp('contest', request, authorization, standing, 0, objection);
  if (objection !== undefined) return told(entry);
  // Of the evidence only what it decides is kept: it may tell of people, and the simulator has no use for that.
  const judged = { ...entry, scenario: scenarioOf(request.evidence) };
  return told(judged, newsOfEvidence(judged));
}

/** Other evidence leaves the dispute under review. */
function scenarioOf(evidence: Readonly<Record<string, string>>): Scenario | null {
  const says = (text: Scenario) => Object.values(evidence).some((field) => field.includes(text));
  if (says('winning_evidence')) return 'winning_evidence';
  return says('losing_evidence') ? 'losing_evidence' : null;
}

export function concede(request: ConcedeRequest, known: readonly Entry[]): SimulatorStep {
  const earlier = repeated(request.attempt, known);
  if (earlier !== undefined) return earlier;
  const authorization = authorizationOf(request.dispute);
  const standing = standingOf(authorization, known);
  const objection = objectionToConcede(standing, request.dispute);
  return told(followUp('concede', request, authorization, standing, 0, objection));
}

const reasons: Partial<Record<Scenario, string>> = {
  dispute_fraudulent: 'fraudulent',
  dispute_product_not_received: 'product_not_received',
};

export function reasonOf(dispute: Entry): string {
  const reason = dispute.scenario === null ? undefined : reasons[dispute.scenario];
  assert(reason, `the dispute ${dispute.reference} has no reason`);
  return reason;
}

/** The cardholder wants back what is left; undefined when nothing is. It takes the number that a refund would take as well. */
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

/** Whose close it is can be seen from its name: only what led to it tells of it. */
export function closeName(attempt: string): string {
  return `${attempt}/close`;
}

/** It takes the number that a concession would take as well: of the two, one ends the dispute. */
export function closeDispute(
  { dispute, next }: Standing,
  { attempt, verdict, now }: { attempt: string; verdict: DisputeVerdict; now: number },
): Entry {
  assert(dispute, `there is no dispute that ${attempt} could close`);
  return { ...dispute.opening, attempt: closeName(attempt), verb: 'close', sequence: next, verdict, at: new Date(now) };
}
