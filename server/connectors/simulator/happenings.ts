import type { AttemptId, Notice } from '../contract.ts';
import { closeDispute, closeName, openDispute, reasonOf } from './disputes.ts';
import { type DisputeVerdict, dueByOf, type Entry, type Standing, standingOf } from './ledger.ts';
import { type News, newsOf } from './news.ts';
import { finalOutcome } from './outcomes.ts';

/** The effect of a piece of news: rows to add, and the notice to send. Without a notice there is nothing to send, now or later. */
export type Happening = { entries: Entry[]; news: News[]; notice: Notice | undefined };

const nothing: Happening = { entries: [], news: [], notice: undefined };

/** Pure and idempotent: of what has happened already, only the notice is made again. */
export function happening(news: News, known: readonly Entry[], now: number): Happening {
  const standing = standingOf(news.authorization_attempt, known);
  switch (news.kind) {
    case 'dispute':
      return disputeHappens(news, standing, now);
    case 'deadline':
    case 'verdict':
      return closeHappens(news, standing, known, now);
    case 'bounce':
    case 'settle':
      return refundHappens(news, known);
    case 'elsewhere':
      return { ...nothing, notice: noticeOfByHand(news, known) };
  }
}

function disputeHappens({ tenant, id, attempt }: News, standing: Standing, now: number): Happening {
  const earlier = standing.dispute;
  const opening = earlier?.opening ?? openDispute(standing, now);
  if (opening === undefined) return nothing;
  const dueBy = dueByOf(opening);
  const notice: Notice = {
    id,
    tenant,
    kind: 'dispute_opened',
    dispute: opening.reference,
    authorization: attempt as AttemptId,
    money: { amount: opening.amount, currency: opening.currency! },
    reason: reasonOf(opening),
    dueBy,
  };
  if (earlier !== undefined) return { ...nothing, notice };
  return { entries: [opening], news: [newsOf('deadline', standing.opening!, new Date(dueBy))], notice };
}

function closeHappens(news: News, standing: Standing, known: readonly Entry[], now: number): Happening {
  const { tenant, id, attempt } = news;
  const tell = ({ reference, verdict }: Entry): Notice => {
    return { id, tenant, kind: 'dispute_closed', dispute: reference, result: verdict! };
  };
  const earlier = known.find((entry) => entry.attempt === closeName(attempt));
  if (earlier !== undefined) return { ...nothing, notice: tell(earlier) };
  const verdict = verdictOf(news, standing, known);
  if (verdict === undefined) return nothing;
  const entry = closeDispute(standing, { attempt, verdict, now });
  return { entries: [entry], news: [], notice: tell(entry) };
}

/** Undefined when there is nothing to decide: evidence came in time, or the dispute is closed already. */
function verdictOf(
  { kind, attempt }: News,
  { dispute }: Standing,
  known: readonly Entry[],
): DisputeVerdict | undefined {
  if (kind === 'deadline') return dispute?.state === 'open' ? 'lost' : undefined;
  if (dispute?.state !== 'contested') return undefined;
  const evidence = known.find((entry) => entry.attempt === attempt);
  return evidence?.scenario === 'winning_evidence' ? 'won' : 'lost';
}

/** The entry of a refund has its final result from the start. */
function refundHappens({ tenant, id, attempt }: News, known: readonly Entry[]): Happening {
  const refund = known.find((entry) => entry.attempt === attempt);
  if (refund === undefined) return nothing;
  const outcome = finalOutcome(refund);
  return { ...nothing, notice: { id, tenant, kind: 'refund_settled', attempt: attempt as AttemptId, outcome } };
}

/** It has happened already: only the gateway does not know it. */
function noticeOfByHand(
  { tenant, id, attempt, authorization_attempt }: News,
  known: readonly Entry[],
): Notice | undefined {
  const entry = known.find((one) => one.attempt === attempt);
  if (entry === undefined) return undefined;
  const { verb, amount, currency, reference } = entry;
  const about = { id, tenant };
  const authorization = authorization_attempt as AttemptId;
  const money = { amount, currency: currency! };
  if (verb === 'refund') return { ...about, kind: 'refunded_elsewhere', refund: reference, authorization, money };
  if (verb === 'capture') return { ...about, kind: 'captured_elsewhere', attempt: authorization, money };
  return { ...about, kind: 'canceled_elsewhere', attempt: authorization };
}
