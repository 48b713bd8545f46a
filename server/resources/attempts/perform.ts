import type { Write } from '../../base/commit/index.ts';
import { checked } from '../../connectors/ask.ts';
import type { Connector, Reply } from '../../connectors/contract.ts';
import type { Asking, Context, Outcome } from '../operation.ts';
import { askRemotely } from './asking.ts';
import { type Attempt, type AttemptFacts, newAttempt } from './attempt.ts';
import { firstInquiry } from './inquiry_times.ts';
import { addAttempt, requireAttempt } from './store.ts';
import type { Settlement, Topic } from './topic.ts';

/** Something that a processor is about to be asked for. */
export type Step<Known> = {
  /** With an attempt that is not stored yet. */
  known: Known;
  connector: Connector;
  call: () => Promise<Reply>;
  /** The rows as they are while a remote processor is asked, and what is known then. */
  begin: (attempt: Attempt, due: Date) => { known: Known; writes: Write[] };
  /** What is committed together with the attempt. */
  writes?: Write[];
};

export function attemptFor(
  context: Pick<Context, 'tenant' | 'now' | 'connectors' | 'requestId'>,
  connector: Connector,
  facts: Omit<AttemptFacts, 'tenant' | 'connector' | 'request_id'>,
): Attempt {
  const { tenant, requestId, now, connectors } = context;
  // A local connector has answered when it returns: there is no call that could still be under way.
  const deadline = connector.place === 'local' ? now : now + connectors.limits.deadlineMs;
  return newAttempt({ ...facts, tenant, connector: connector.name, request_id: requestId }, now, deadline);
}

/** Asks the processor: within the one transaction of a local connector, between two transactions for all others. */
export async function perform<Known extends { attempt: Attempt }, Settled extends Settlement>(
  context: Context,
  topic: Topic<Known, Settled>,
  step: Step<NoInfer<Known>>,
): Promise<Outcome | Asking> {
  return step.connector.place === 'local'
    ? performLocally(context, topic, step)
    : performRemotely(context, topic, step);
}

async function performLocally<Known extends { attempt: Attempt }, Settled extends Settlement>(
  context: Context,
  topic: Topic<Known, Settled>,
  step: Step<Known>,
): Promise<Outcome> {
  const reply = checked(step.known.attempt.id, await step.call());
  const outcome = await settled(context, topic, step.known, reply);
  const { writes = [] } = outcome;
  return { ...outcome, writes: [...writes, ...(reply.writes ?? []), ...(step.writes ?? [])] };
}

function performRemotely<Known extends { attempt: Attempt }, Settled extends Settlement>(
  context: Context,
  topic: Topic<Known, Settled>,
  step: Step<Known>,
): Asking {
  const attempt = { ...step.known.attempt, version: 1 };
  const due = firstInquiry(attempt);
  const { known, writes } = step.begin(attempt, due);
  return askRemotely<Known>(context, {
    objectId: topic.subject(known).id,
    attempt,
    writes: [...writes, addAttempt(attempt), ...(step.writes ?? [])],
    due,
    call: step.call,
    known,
    reread: async () => topic.read(context, await requireAttempt(context.reads, context.tenant, attempt.id)),
    isOpen: topic.isOpen,
    answer: topic.answer,
    settle: (now, reply, later) => settled(later, topic, now, reply),
  });
}

/** The outcome of an operation by what the processor has answered. */
async function settled<Known extends { attempt: Attempt }, Settled extends Settlement>(
  context: Context,
  topic: Topic<Known, Settled>,
  known: Known,
  answer: Parameters<Topic<Known, Settled>['settle']>[1],
): Promise<Outcome> {
  const settlement = topic.settle(known, answer, context.now);
  if (settlement === undefined) return topic.answer(known);
  return { ...topic.answer(settlement), ...(await effectOf(context, topic, settlement)) };
}

/** What is committed for a settlement: its rows, its events, and when a duty sees to it next. */
export async function effectOf<Known extends { attempt: Attempt }, Settled extends Settlement>(
  context: Context,
  topic: Topic<Known, Settled>,
  settlement: Settled,
): Promise<Pick<Outcome, 'writes' | 'events' | 'due'>> {
  const { due_at } = topic.subject(settlement);
  const writes = await topic.writes(context, settlement, context.now);
  const { events } = settlement;
  return due_at === null ? { writes, events } : { writes, events, due: due_at.getTime() };
}

const interrupted = { outcome: { kind: 'unknown', reason: 'the gateway was interrupted' }, exchange: {} } as const;

/**
 * What a call owes whose process died after it had committed its attempt. While the processor may still answer there is nothing to
 * say; after that the outcome is unknown, which is an answer too.
 */
export function resumes<Known extends { attempt: Attempt }, Settled extends Settlement>(topic: Topic<Known, Settled>) {
  return async (context: Context, attemptId: string): Promise<Outcome | undefined> => {
    const attempt = await requireAttempt(context.reads, context.tenant, attemptId);
    const known = await topic.read(context, attempt);
    if (known.attempt.state !== 'open') return topic.answer(known);
    if (known.attempt.deadline_at.getTime() > context.now) return undefined;
    return settled(context, topic, known, interrupted);
  };
}
