import type { Clock } from '../base/clock.ts';
import { settlesWithin } from '../base/keyed_queue.ts';
import type { Tenant } from '../base/reads.ts';
import { type AttemptId, advices, declineCodes, type InquiryOutcome, type Reply } from './contract.ts';

type NoAnswer = { kind: 'unknown' | 'not_sent'; reason: string };

/** How long a call to a processor may take, and what receives an answer that comes later. */
export type CallLimits = {
  clock: Clock;
  deadlineMs: number;
  onLate: (tenant: Tenant, attempt: AttemptId, outcome: InquiryOutcome) => void;
};

const kinds: ReadonlySet<string> = new Set<InquiryOutcome['kind']>([
  'approved',
  'pending',
  'not_sent',
  'unknown',
  'not_found',
]);

function isOutcome(outcome: InquiryOutcome | undefined): boolean {
  if (outcome?.kind === 'declined')
    return declineCodes.includes(outcome.code) && (outcome.advice === undefined || advices.includes(outcome.advice));
  if (outcome?.kind === 'not_sent') return typeof outcome.reason === 'string';
  if (outcome?.kind === 'requires_action') return URL.canParse(outcome.url);
  return outcome !== undefined && kinds.has(outcome.kind);
}

/**
 * Calls a processor over the network. It never rejects: a time-out, a broken connection, an invalid answer and an answer about another
 * attempt are all an unknown outcome. Only a call that never began, because its attempt had no time left, is known: it was not sent.
 */
export async function ask<Told extends InquiryOutcome>(
  limits: CallLimits,
  about: { tenant: Tenant; attempt: AttemptId; deadline?: Date },
  call: () => Promise<Reply<Told>>,
): Promise<Reply<Told | NoAnswer>> {
  // An inquiry relies on the deadline of the attempt, so no call begins after it, however long the commit took.
  const left = about.deadline === undefined ? limits.deadlineMs : about.deadline.getTime() - limits.clock.now();
  if (left <= 0) return failed(about.attempt, 'not_sent', 'there was no time left to ask');
  const answer = call().then(
    (reply) => checked(about.attempt, reply),
    (error: unknown) => unknown(about.attempt, errorName(error)),
  );
  if (await settlesWithin(answer, Math.min(left, limits.deadlineMs))) return answer;
  void answer.then((late) => limits.onLate(about.tenant, about.attempt, late.outcome));
  return unknown(about.attempt, `no answer within ${limits.deadlineMs} ms`);
}

/** The reply if it is valid and about this attempt; otherwise an unknown outcome. */
export function checked<Told extends InquiryOutcome>(attempt: AttemptId, reply: Reply<Told>): Reply<Told | NoAnswer> {
  if (!isOutcome(reply.outcome)) return unknown(attempt, 'the answer could not be understood');
  if (reply.attempt !== attempt) return unknown(attempt, 'the answer was about another attempt');
  return reply;
}

/**
 * The reply where its call was perhaps not the only one for the attempt. Then "not sent" tells nothing: an inquiry follows the attempt
 * itself, and what is due may have been sent by another server meanwhile.
 */
export function oneOfSeveral<Told extends InquiryOutcome>(reply: Reply<Told>): Reply<Told | NoAnswer> {
  const { outcome } = reply;
  return outcome.kind === 'not_sent' ? { ...reply, outcome: { kind: 'unknown', reason: outcome.reason } } : reply;
}

/** Only the code or name of an error is kept: its message may quote the request. */
export function errorName(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'failed';
}

function unknown(attempt: AttemptId, reason: string): Reply<NoAnswer> {
  return failed(attempt, 'unknown', reason);
}

function failed(attempt: AttemptId, kind: NoAnswer['kind'], reason: string): Reply<NoAnswer> {
  return { attempt, outcome: { kind, reason }, exchange: { failure: reason } };
}
