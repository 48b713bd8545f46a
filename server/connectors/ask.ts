import { settlesWithin } from '../base/keyed_queue.ts';
import type { Tenant } from '../base/reads.ts';
import type { AttemptId, Found, Reply } from './contract.ts';

type Unknown = { kind: 'unknown'; reason: string };

/** How long a processor may take, and who is told of an answer that comes after that. */
export type Patience = {
  deadlineMs: number;
  onLate: (tenant: Tenant, attempt: AttemptId, outcome: Found) => void;
};

const kinds: ReadonlySet<string> = new Set<Found['kind']>([
  'approved',
  'declined',
  'requires_action',
  'pending',
  'unknown',
  'not_found',
]);

/**
 * Asks a processor over the network. It never rejects: no answer in time, a broken connection, an answer that makes no sense or that
 * is about something else all mean that the outcome is not known.
 */
export async function ask<Told extends Found>(
  patience: Patience,
  about: { tenant: Tenant; attempt: AttemptId },
  call: () => Promise<Reply<Told>>,
): Promise<Reply<Told | Unknown>> {
  const answer = call().then(
    (reply) => checked(about.attempt, reply),
    (error: unknown) => unknown(about.attempt, error instanceof Error ? error.message : String(error)),
  );
  if (await settlesWithin(answer, patience.deadlineMs)) return answer;
  void answer.then((late) => patience.onLate(about.tenant, about.attempt, late.outcome));
  return unknown(about.attempt, `no answer within ${patience.deadlineMs} ms`);
}

/** An answer that can be believed to be one, about this attempt; else the outcome is unknown. */
export function checked<Told extends Found>(attempt: AttemptId, reply: Reply<Told>): Reply<Told | Unknown> {
  if (!kinds.has(reply.outcome?.kind)) return unknown(attempt, 'the answer could not be understood');
  if (reply.attempt !== attempt) return unknown(attempt, 'the answer was about another attempt');
  return reply;
}

function unknown(attempt: AttemptId, reason: string): Reply<Unknown> {
  return { attempt, outcome: { kind: 'unknown', reason }, exchange: { failure: reason } };
}
