import type { Write } from '../../../base/commit/index.ts';
import { assert } from '../../../base/errors.ts';
import { ask, checked, oneOfSeveral } from '../../../connectors/ask.ts';
import type { Connector, InquiryOutcome, ProcessorOutcome, Reply } from '../../../connectors/contract.ts';
import type { Asking, Context, Numbered, Outcome } from '../../../operations/operation.ts';
import { happenedAt } from '../../../outbox/event.ts';
import { clockTime } from '../test_clocks/time.ts';
import { type Attempt, type AttemptFacts, answered, askedCall, newAttempt, type ProcessorAnswer } from './attempt.ts';
import { addAttempt, requireAttempt, saveAttempt } from './store.ts';
import { firstInquiry } from './subject.ts';
import type { Performing, Reader, Settlement, Topic } from './topic.ts';

/** A request that is about to be sent to a processor. */
export type Step<Known> = {
  /** With an attempt that is not stored yet. */
  known: Known;
  connector: Connector;
  call: () => Promise<Reply>;
  /** The rows while a remote processor is asked. */
  begin: (attempt: Attempt, due: Date) => { known: Known; writes: Write[] };
  /** Rows that are committed together with the attempt. */
  writes?: Write[];
  /** The step with the next processor, given the attempt that has passed the payment on; undefined when no processor is left. */
  next?: (known: Known, outcome: ProcessorOutcome) => Promise<Step<Known> | undefined>;
};

export function attemptFor(
  context: Pick<Context, 'tenant' | 'now' | 'connectors' | 'requestId'>,
  connector: Connector,
  facts: Omit<AttemptFacts, 'tenant' | 'connector' | 'processor_account' | 'request_id'>,
  latest = Number.POSITIVE_INFINITY,
): Attempt {
  const { tenant, requestId, now, connectors } = context;
  // A local connector has answered when it returns: no call can still be in flight.
  const deadline = connector.place === 'local' ? now : Math.min(now + connectors.limits.deadlineMs, latest);
  const { name, account = null } = connector;
  const made = { ...facts, tenant, connector: name, processor_account: account, request_id: requestId };
  return newAttempt(made, now, deadline);
}

/** Asks the processor: a local connector within one transaction, a remote one between two. */
export async function perform<Known extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Known, Settled>,
  step: Step<NoInfer<Known>>,
): Promise<Outcome | Asking | Numbered> {
  const asked = await askLocally(context, step);
  return 'reply' in asked ? settleLocally(context, topic, asked) : performRemotely(context, topic, asked.remote);
}

/** The answer of a local processor, with the rows that are committed beside it; or the step with a remote one, which is next. */
export type LocallyAsked<Known> = { known: Known; reply: Reply; writes: Write[] } | { remote: Step<Known> };

/** Asks local processors, which answer within the transaction, until one of them answers for good or a remote one is next. */
export async function askLocally<Known extends { attempt: Attempt }>(
  context: Performing,
  step: Step<Known>,
): Promise<LocallyAsked<Known>> {
  if (step.connector.place === 'remote') return { remote: step };
  const reply = checked(step.known.attempt.id, await step.call(), step.connector.hasLocalPages);
  const writes = [...(reply.writes ?? []), ...(step.writes ?? [])];
  const next = await passedOn(step, step.known, reply, context.now);
  if (next === undefined) return { known: step.known, reply, writes };
  return askLocally(context, { ...next, writes: [...writes, ...next.writes] });
}

/** The outcome by the answer of a local processor. */
export async function settleLocally<Known extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Known, Settled>,
  { known, reply, writes: rows }: Exclude<LocallyAsked<NoInfer<Known>>, { remote: unknown }>,
): Promise<Outcome | Numbered> {
  const decided = await settled(context, topic, known, reply);
  const withRows = (outcome: Outcome) => ({ ...outcome, writes: [...(outcome.writes ?? []), ...rows] });
  return 'sequence' in decided ? mapNumbered(decided, withRows) : withRows(decided);
}

function mapNumbered({ sequence, numbered }: Numbered, change: (outcome: Outcome) => Outcome): Numbered {
  return {
    sequence,
    numbered(number) {
      const decided = numbered(number);
      assert(!('ask' in decided), 'an answer has come, so no processor is asked');
      return change(decided);
    },
  };
}

/** Whether another processor may be tried: this one provably did not act, or says that another may approve. */
export function passesOn(outcome: InquiryOutcome): boolean {
  return outcome.kind === 'not_sent' || (outcome.kind === 'declined' && outcome.advice === 'another_processor');
}

/** The step with the next processor. The attempt that has passed the payment on is committed with it. */
async function passedOn<Known extends { attempt: Attempt }>(
  { next }: Step<Known>,
  known: Known,
  reply: Reply,
  now: number,
): Promise<(Step<Known> & { writes: Write[] }) | undefined> {
  if (next === undefined || !passesOn(reply.outcome)) return undefined;
  const attempt = answered(known.attempt, reply, now);
  const step = await next({ ...known, attempt }, reply.outcome);
  return step && { ...step, writes: [saveAttempt(attempt), ...(step.writes ?? [])] };
}

/** Commits the attempt, asks with no transaction open, and commits the outcome. */
export function performRemotely<Known extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Known, Settled>,
  step: Step<Known>,
): Asking {
  const attempt = { ...step.known.attempt, version: 1 };
  const { tenant, id, deadline_at } = attempt;
  const due = firstInquiry(attempt);
  const begun = step.begin(attempt, due);
  return {
    objectId: topic.subject(begun.known).id,
    resumeBy: id,
    writes: [...begun.writes, addAttempt(attempt), ...(step.writes ?? [])],
    due: due.getTime(),
    async ask() {
      const { limits } = context.connectors;
      const about = { ...askedCall(attempt), deadline: deadline_at, hasLocalPages: step.connector.hasLocalPages };
      const answer = await ask(limits, about, step.call);
      let fresh: Known | undefined = begun.known;
      return async () => {
        // The first time with the rows that were just committed; after a conflict, with the rows that are stored now.
        const known = fresh ?? (await topic.read(context, await requireAttempt(context, id)));
        const reply = fresh === undefined ? oneOfSeveral(answer) : answer;
        fresh = undefined;
        // Postings carry the time of the answer, not that of the request.
        const then = { ...context, now: limits.clock.now() };
        if (topic.isOpen(known)) {
          const next = await passedOn(step, known, reply, then.now);
          return next === undefined ? settled(then, topic, known, reply) : perform(then, topic, next);
        }
        // The attempt was settled meanwhile. If this is an approval after all, it has to be reversed.
        limits.onLate(tenant, id, reply.outcome);
        return concluded(then, topic, known);
      };
    },
  };
}

/** The outcome of an operation by what the processor has answered. */
async function settled<Known extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Known, Settled>,
  known: Known,
  answer: ProcessorAnswer,
): Promise<Outcome | Numbered> {
  const time = await clockTime(context, topic.subject(known));
  const settlement = topic.settle(known, answer, context.now, time);
  if (settlement === undefined) return topic.answer(known);
  const outcome = { ...topic.answer(settlement), ...(await effectOf(context, topic, settlement, time)) };
  return topic.numbered?.(settlement, outcome) ?? outcome;
}

/** The answer for an attempt that was settled without its caller. */
async function concluded<Known extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Known, Settled>,
  known: Known,
): Promise<Outcome | Numbered> {
  return topic.conclude === undefined ? topic.answer(known) : topic.conclude(context, known);
}

/** What is committed for a settlement: its rows, its events, and when its job is due next. */
export async function effectOf<Known extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Known, Settled>,
  settlement: Settled,
  time: number | undefined,
): Promise<Pick<Outcome, 'writes' | 'events' | 'due'>> {
  const { due_at } = topic.subject(settlement);
  const writes = await topic.writes(context, settlement, context.now, time);
  const events = happenedAt(time, settlement.events);
  return due_at === null ? { writes, events } : { writes, events, due: due_at.getTime() };
}

/** The payment that an attempt was made for. */
export async function paymentOf(reader: Reader, attemptId: string): Promise<Attempt['payment']> {
  return (await requireAttempt(reader, attemptId)).payment;
}

const interrupted = { outcome: { kind: 'unknown', reason: 'the gateway was interrupted' }, exchange: {} } as const;

/**
 * Answers a retry of a call whose process died after it had committed its attempt. Undefined while the processor may still answer; after
 * the deadline the outcome is unknown, which is an answer too.
 */
export function resumes<Known extends { attempt: Attempt }, Settled extends Settlement>(topic: Topic<Known, Settled>) {
  return async (context: Context, attemptId: string): Promise<Outcome | Numbered | undefined> => {
    const made = await requireAttempt(context, attemptId);
    const attempt = (await topic.successor?.(context, made)) ?? made;
    const known = await topic.read(context, attempt);
    if (attempt.state !== 'open') return concluded(context, topic, known);
    if (attempt.deadline_at.getTime() > context.now) return undefined;
    return settled(context, topic, known, interrupted);
  };
}
