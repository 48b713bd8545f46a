import type { Clock } from '../base/clock.ts';
import { settlesWithin } from '../base/keyed_queue.ts';
import type { Tenant } from '../base/reads.ts';
import { type AttemptId, declineCodes, type InquiryOutcome, type Reply } from './contract.ts';

type Unknown = { kind: 'unknown'; reason: string };

/** How long a call to a processor may take, and what happens to an answer that comes after that. */
export type CallLimits = {
  clock: Clock;
  deadlineMs: number;
  onLate: (tenant: Tenant, attempt: AttemptId, outcome: InquiryOutcome) => void;
};

const kinds: ReadonlySet<string> = new Set<InquiryOutcome['kind']>(['approved', 'pending', 'unknown', 'not_found']);

function isOutcome(outcome: InquiryOutcome | undefined): boolean {
  if (outcome?.kind === 'declined') return declineCodes.includes(outcome.code);
  if (outcome?.kind === 'requires_action') return URL.canParse(outcome.url);
  return outcome !== undefined && kinds.has(outcome.kind);
}

/**
 * Asks a processor over the network. It never rejects: no answer in time, a broken connection, an answer that makes no sense or that
 * is about something else all mean that the outcome is not known.
 */
export async function ask<Told extends InquiryOutcome>(
  limits: CallLimits,
  about: { tenant: Tenant; attempt: AttemptId; deadline?: Date },
  call: () => Promise<Reply<Told>>,
): Promise<Reply<Told | Unknown>> {
  // Whoever asks what became of an attempt counts on its deadline, so nothing is begun after it, however long the commit took.
  const left = about.deadline === undefined ? limits.deadlineMs : about.deadline.getTime() - limits.clock.now();
  if (left <= 0) return unknown(about.attempt, 'there was no time left to ask');
  const answer = call().then(
    (reply) => checked(about.attempt, reply),
    (error: unknown) => unknown(about.attempt, nameOf(error)),
  );
  if (await settlesWithin(answer, Math.min(left, limits.deadlineMs))) return answer;
  void answer.then((late) => limits.onLate(about.tenant, about.attempt, late.outcome));
  return unknown(about.attempt, `no answer within ${limits.deadlineMs} ms`);
}

/** An answer that can be believed to be one, about this attempt; else the outcome is unknown. */
export function checked<Told extends InquiryOutcome>(attempt: AttemptId, reply: Reply<Told>): Reply<Told | Unknown> {
  if (!isOutcome(reply.outcome)) return unknown(attempt, 'the answer could not be understood');
  if (reply.attempt !== attempt) return unknown(attempt, 'the answer was about another attempt');
  return reply;
}

/** Of an error only its kind is kept: its words may quote what was sent. */
function nameOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'failed';
}

function unknown(attempt: AttemptId, reason: string): Reply<Unknown> {
  return { attempt, outcome: { kind: 'unknown', reason }, exchange: { failure: reason } };
}
