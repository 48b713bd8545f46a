import type { Write } from '../../../base/commit/index.ts';
import { assert } from '../../../base/errors.ts';
import type { Id } from '../../../base/id.ts';
import { ask, checkReply, oneOfSeveral } from '../../../connectors/ask.ts';
import type { Connector, InquiryOutcome, ProcessorOutcome, Reply } from '../../../connectors/contract.ts';
import type { Context, Outcome, RemoteCall, Sequenced } from '../../../operations/operation.ts';
import { happenedAt } from '../../../outbox/event.ts';
import { clockTime } from '../test_clocks/time.ts';
import {
  type Attempt,
  type AttemptFacts,
  askedCall,
  newAttempt,
  type ProcessorAnswer,
  paymentIdOf,
  recordAnswer,
} from './attempt.ts';
import { addAttempt, requireAttempt, saveAttempt } from './store.ts';
import { firstInquiry } from './subject.ts';
import type { Performing, Reader, Settlement, Topic } from './topic.ts';

/** A request that is about to be sent to a processor. */
export type Step<Loaded> = {
  /** With an attempt that is not stored yet. */
  loaded: Loaded;
  connector: Connector;
  call: () => Promise<Reply>;
  /** The rows while a remote processor is asked. */
  begin: (attempt: Attempt, due: Date) => { loaded: Loaded; writes: Write[] };
  /** Rows that are committed together with the attempt. */
  writes?: Write[];
  /** What a remote processor has to have before the attempt is committed: the call by that, and rows beside the attempt. */
  prepare?: () => Promise<Pick<Step<Loaded>, 'call'> & { writes: Write[] }>;
  /** The step with the next processor, given the attempt that has passed the payment on; undefined when no processor is left. */
  next?: (loaded: Loaded, outcome: ProcessorOutcome) => Promise<Step<Loaded> | undefined>;
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
export async function perform<Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Loaded, Settled>,
  step: Step<NoInfer<Loaded>>,
): Promise<Outcome | RemoteCall | Sequenced> {
  const asked = await askLocally(context, step);
  return 'reply' in asked ? settleLocally(context, topic, asked) : performRemotely(context, topic, asked.remote);
}

/** The answer of a local processor, with the rows that are committed beside it; or the step with a remote one, which is next. */
export type LocalReply<Loaded> = { loaded: Loaded; reply: Reply; writes: Write[] } | { remote: Step<Loaded> };

/** Asks local processors, which answer within the transaction, until one of them answers for good or a remote one is next. */
export async function askLocally<Loaded extends { attempt: Attempt }>(
  context: Performing,
  step: Step<Loaded>,
): Promise<LocalReply<Loaded>> {
  if (step.connector.place === 'remote') return { remote: await prepared(step) };
  const reply = checkReply(step.loaded.attempt.id, await step.call(), step.connector.hasLocalPages);
  const writes = [...(reply.writes ?? []), ...(step.writes ?? [])];
  const next = await passOn(step, step.loaded, reply, context.now);
  if (next === undefined) return { loaded: step.loaded, reply, writes };
  return askLocally(context, { ...next, writes: [...writes, ...next.writes] });
}

async function prepared<Loaded>({ prepare, ...step }: Step<Loaded>): Promise<Step<Loaded>> {
  if (prepare === undefined) return step;
  const { call, writes } = await prepare();
  return { ...step, call, writes: [...(step.writes ?? []), ...writes] };
}

/** The outcome by the answer of a local processor. */
export async function settleLocally<Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Loaded, Settled>,
  { loaded, reply, writes: rows }: Exclude<LocalReply<NoInfer<Loaded>>, { remote: unknown }>,
): Promise<Outcome | Sequenced> {
  const decided = await settleAttempt(context, topic, loaded, reply);
  const withRows = (outcome: Outcome) => ({ ...outcome, writes: [...(outcome.writes ?? []), ...rows] });
  return 'sequence' in decided ? mapNumbered(decided, withRows) : withRows(decided);
}

function mapNumbered({ sequence, numbered }: Sequenced, change: (outcome: Outcome) => Outcome): Sequenced {
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
async function passOn<Loaded extends { attempt: Attempt }>(
  { next }: Step<Loaded>,
  loaded: Loaded,
  reply: Reply,
  now: number,
): Promise<(Step<Loaded> & { writes: Write[] }) | undefined> {
  if (next === undefined || !passesOn(reply.outcome)) return undefined;
  const attempt = recordAnswer(loaded.attempt, reply, now);
  const step = await next({ ...loaded, attempt }, reply.outcome);
  return step && { ...step, writes: [saveAttempt(attempt), ...(step.writes ?? [])] };
}

/** Commits the attempt, asks with no transaction open, and commits the outcome. */
export function performRemotely<Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Loaded, Settled>,
  step: Step<Loaded>,
): RemoteCall {
  const attempt = { ...step.loaded.attempt, version: 1 };
  const { tenant, id, deadline_at } = attempt;
  const due = firstInquiry(attempt);
  const begun = step.begin(attempt, due);
  return {
    objectId: topic.subject(begun.loaded).id,
    resumeBy: id,
    writes: [...begun.writes, addAttempt(attempt), ...(step.writes ?? [])],
    due: due.getTime(),
    async ask() {
      const { limits } = context.connectors;
      const about = { ...askedCall(attempt), deadline: deadline_at, hasLocalPages: step.connector.hasLocalPages };
      const answer = await ask(limits, about, step.call);
      let fresh: Loaded | undefined = begun.loaded;
      return async () => {
        // The first time with the rows that were just committed; after a conflict, with the rows that are stored now.
        const loaded = fresh ?? (await topic.read(context, await requireAttempt(context, id)));
        const reply = fresh === undefined ? oneOfSeveral(answer) : answer;
        fresh = undefined;
        // Postings carry the time of the answer, not that of the request.
        const then = { ...context, now: limits.clock.now() };
        if (topic.isOpen(loaded)) {
          const next = await passOn(step, loaded, reply, then.now);
          return next === undefined ? settleAttempt(then, topic, loaded, reply) : perform(then, topic, next);
        }
        // The attempt was settled meanwhile. If this is an approval after all, it has to be reversed.
        limits.onLate(tenant, id, reply.outcome);
        return concludeAttempt(then, topic, loaded);
      };
    },
  };
}

/** The outcome of an operation by what the processor has answered. */
async function settleAttempt<Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Loaded, Settled>,
  loaded: Loaded,
  answer: ProcessorAnswer,
): Promise<Outcome | Sequenced> {
  const time = await clockTime(context, topic.subject(loaded));
  const settlement = topic.settle(loaded, answer, context.now, time);
  if (settlement === undefined) return topic.answer(loaded);
  const outcome = { ...topic.answer(settlement), ...(await effectOf(context, topic, settlement, time)) };
  return topic.numbered?.(settlement, outcome) ?? outcome;
}

/** The answer for an attempt that was settled without its caller. */
async function concludeAttempt<Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Loaded, Settled>,
  loaded: Loaded,
): Promise<Outcome | Sequenced> {
  return topic.conclude === undefined ? topic.answer(loaded) : topic.conclude(context, loaded);
}

/** The effect of a settlement: its rows, its events, and when its job is due next. */
export async function effectOf<Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  context: Performing,
  topic: Topic<Loaded, Settled>,
  settlement: Settled,
  time: number | undefined,
): Promise<Pick<Outcome, 'writes' | 'events' | 'due'>> {
  const { due_at } = topic.subject(settlement);
  const { writes, events: ofOwners } = await topic.part(context, settlement, context.now, time);
  const events = happenedAt(time, [...ofOwners, ...settlement.events]);
  return due_at === null ? { writes, events } : { writes, events, due: due_at.getTime() };
}

/** The payment that an attempt was made for. */
export async function paymentOf(reader: Reader, attemptId: string): Promise<Id<'py'>> {
  return paymentIdOf(await requireAttempt(reader, attemptId));
}

const interrupted = { outcome: { kind: 'unknown', reason: 'the gateway was interrupted' }, exchange: {} } as const;

/**
 * Answers a retry of a call whose process died after it had committed its attempt. Undefined while the processor may still answer; after
 * the deadline the outcome is unknown, which is an answer too.
 */
export function resumeAttempt<Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  topic: Topic<Loaded, Settled>,
) {
  return async (context: Context, attemptId: string): Promise<Outcome | Sequenced | undefined> => {
    const made = await requireAttempt(context, attemptId);
    const attempt = (await topic.successor?.(context, made)) ?? made;
    const loaded = await topic.read(context, attempt);
    if (attempt.state !== 'open') return concludeAttempt(context, topic, loaded);
    if (attempt.deadline_at.getTime() > context.now) return undefined;
    return settleAttempt(context, topic, loaded, interrupted);
  };
}
