import type { Write } from '../../base/commit/index.ts';
import { ask } from '../../connectors/ask.ts';
import type { InquiryOutcome, Reply } from '../../connectors/contract.ts';
import { eventWrite } from '../../outbox/event.ts';
import type { Services } from '../services.ts';
import type { Attempt, ProcessorAnswer } from './attempt.ts';
import type { Settlement, Topic } from './topic.ts';

export type InquiryServices = Pick<
  Services,
  'reads' | 'durable' | 'committer' | 'connectors' | 'terms' | 'clock' | 'log' | 'onDue'
>;

const notYet: ProcessorAnswer = { outcome: { kind: 'unknown', reason: 'not found yet' }, exchange: {} };

/** How often a decision is repeated because of a conflict. */
export const conflictsMax = 5;

/** Asks the processor for the outcome of an attempt. */
export function find(services: InquiryServices, attempt: Attempt): Promise<ProcessorAnswer> {
  const { clock, connectors } = services;
  const { tenant, id } = attempt;
  const verb = attempt.verb === 'reverse' ? 'cancel' : attempt.verb;
  const connector = connectors.byName(attempt.connector);
  return askAgain(services, attempt, () => connector.find({ tenant, attempt: id, verb, now: clock.now() }));
}

/** A call whose late answer is dropped, because the next inquiry finds it. */
export function askAgain(
  { connectors }: InquiryServices,
  { tenant, id }: Attempt,
  call: () => Promise<Reply<InquiryOutcome>>,
): Promise<ProcessorAnswer> {
  return ask({ ...connectors.limits, onLate: () => {} }, { tenant, attempt: id }, call);
}

/**
 * Inquires about an attempt. When its processor has never received it, and "not found" can no longer mean "not yet", `otherwise`
 * decides.
 */
export async function inquire(
  services: InquiryServices,
  attempt: Attempt,
  otherwise: () => Promise<ProcessorAnswer | undefined>,
): Promise<ProcessorAnswer | undefined> {
  const found = await find(services, attempt);
  if (found.outcome.kind !== 'not_found') return found;
  const { visibleAfterMs } = services.connectors.byName(attempt.connector);
  const isEarly = services.clock.now() < attempt.deadline_at.getTime() + visibleAfterMs;
  return isEarly ? notYet : otherwise();
}

/** Settles a subject by an answer, and commits. Undefined after a conflict: then nothing was written. */
export async function settleAnswer<Known extends { attempt: Attempt }, Settled extends Settlement>(
  services: InquiryServices,
  topic: Topic<Known, Settled>,
  known: Known,
  answer: ProcessorAnswer,
): Promise<Known | Settled | undefined> {
  const now = services.clock.now();
  const settled = topic.settle(known, answer, now);
  if (settled === undefined) return known;
  const { tenant, id, due_at, flagged_at } = topic.subject(settled);
  const events = settled.events.map((event) => eventWrite(tenant, null, now, event));
  const writes = [...(await topic.writes(services, settled, now)), ...events, ...(answer.writes ?? [])];
  if (!(await commitDue(services, writes, due_at))) return undefined;
  if (flagged_at !== null && topic.subject(known).flagged_at === null)
    services.log.error({ [topic.name]: id, attempt: settled.attempt.id }, topic.flagMessage);
  return settled;
}

/** False after a conflict: then whoever changed the row is responsible for it. */
export async function commitDue(
  { committer, onDue }: Pick<InquiryServices, 'committer' | 'onDue'>,
  writes: Write[],
  due: Date | null = null,
): Promise<boolean> {
  const held = (await committer.commit({ writes })) === 'committed';
  if (held && due !== null) onDue(due.getTime());
  return held;
}
