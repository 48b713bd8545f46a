import type { Write } from '../../../base/commit/index.ts';
import type { ApiError } from '../../../base/errors.ts';
import { Type } from '../../../base/schema.ts';
import { type Descriptor, requireRow } from '../../../operations/descriptor.ts';
import { apiError } from '../../../operations/errors.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { Parameters } from '../../../operations/schemas.ts';
import { clockTime } from '../test_clocks/time.ts';
import { type Attempt, isUnfinished, type ProcessorAnswer } from './attempt.ts';
import { effectOf } from './perform.ts';
import type { Subject } from './subject.ts';
import type { Settlement, Topic } from './topic.ts';

/** How a wrong settlement by hand is corrected: by the opposite answer, with the money that it moved moved back. */
export type Correction<Row, Loaded extends { attempt: Attempt }, Settled extends Settlement> = {
  /** The attempt that a person may have settled. */
  attemptOf: (context: Context, row: Row) => Promise<Attempt | undefined>;
  /** Why it is too late, as a sentence; undefined when it is not. Pure. */
  obstacle: (loaded: Loaded) => string | undefined;
  /** The settlement by the opposite answer; undefined when the answer changes nothing. Pure. */
  correct: (loaded: Loaded, answer: ProcessorAnswer, now: number, time: number | undefined) => Settled | undefined;
  /** Postings that take back what the wrong settlement has posted. */
  takeBack?: (context: Context, loaded: Loaded, settled: Settled) => Promise<Write[]>;
};

type ByHand<Row, Loaded extends { attempt: Attempt }, Settled extends Settlement> = {
  /** The attempt whose outcome is unknown, if there is something to settle. */
  attemptOf: (context: Context, row: Row) => Promise<Attempt | undefined>;
  /** How a person names a settlement: by the status that it leads to, when not given. */
  nameOf?: (settled: Settled) => string;
  /** Where there is none: the sentence that says what to do instead. */
  correction: Correction<Row, Loaded, Settled> | ((row: Row) => string);
};

/** A settlement, and the postings beside its own. */
type Decision<Settled> = { settled: Settled; writes: Write[] };

/** For a minute after the deadline of a call only the gateway asks: the processor may not even know the request before. */
const inquiriesFirstMs = 60_000;

/**
 * A person has asked the processor for the outcome of an attempt, and enters it here. It is settled by the same rules as a processor's
 * answer. With `correct`, a settlement that a person has entered before is replaced by the opposite one.
 */
export function settleOperation<Row extends Subject, Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  descriptor: Descriptor<Row>,
  topic: Topic<Loaded, Settled>,
  { attemptOf, correction, nameOf = (settled) => topic.subject(settled).status }: ByHand<Row, Loaded, Settled>,
): AnyOperation {
  const require = requireRow(descriptor);
  return operation({
    name: `${descriptor.resource}.settle`,
    summary: `Settle a ${descriptor.noun} as its processor has told a person`,
    route: `POST /${descriptor.resource}/:id/settle`,
    callers: ['operator'],
    input: Parameters({
      as: Type.String({ maxLength: 40, description: 'The status that it ends in; of a dispute, accepted or refused' }),
      correct: Type.Optional(Type.Boolean({ description: 'Replace an earlier settlement by hand, which was wrong' })),
    }),
    output: descriptor.output,
    async run(context, { as: wanted, correct = false }) {
      const before = await require(context);
      const { id, status: from } = before;
      const { settled, writes } = correct
        ? await corrected(context, topic, correction, before, wanted)
        : await settledAs(context, topic, nameOf, await attemptOf(context, before), before, wanted);
      const after = topic.subject(settled) as Row;
      const { id: attempt, verb } = settled.attempt;
      const effect = await effectOf(context, topic, settled, await clockTime(context, before));
      const action = `${topic.name}.${correct ? 'correct' : 'settle'}`;
      return {
        result: descriptor.serialize(after),
        objectId: id,
        audit: [{ action, subject: id, details: { from, to: after.status, attempt, verb } }],
        ...effect,
        writes: [...effect.writes!, ...writes],
      };
    },
  });
}

/** The settlement of an attempt whose outcome is unknown. */
async function settledAs<Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  context: Context,
  topic: Topic<Loaded, Settled>,
  nameOf: (settled: Settled) => string,
  asked: Attempt | undefined,
  { id, status, flagged_at }: Subject,
  wanted: string,
): Promise<Decision<Settled>> {
  if (asked === undefined)
    throw invalid('id', 'there is nothing to settle', `${id} is ${status}: there is nothing to settle.`);
  const loaded = await topic.read(context, asked);
  const deadline = asked.deadline_at.getTime();
  if (isUnfinished(asked.state) && deadline > context.now)
    throw invalid('id', 'its call to the processor is still under way', underWay(id));
  if (flagged_at === null && deadline + inquiriesFirstMs > context.now) {
    const from = new Date(deadline + inquiriesFirstMs).toISOString();
    const message = `The gateway is asking the processor about ${id} itself. From ${from} on it can be settled by hand.`;
    throw invalid('id', 'the processor is being asked', message);
  }
  const time = await clockTime(context, topic.subject(loaded));
  const possible = answersByHand({ settled: byHand })
    .map((answer) => topic.settle(loaded, answer, context.now, time))
    .filter((settled) => settled !== undefined && !topic.isOpen(settled)) as Settled[];
  const names = possible.map(nameOf);
  const found = possible[names.indexOf(wanted)];
  if (found === undefined) throw impossible(id, 'settled as', names, wanted);
  return { settled: found, writes: [] };
}

/** The opposite of a settlement that a person has entered. */
async function corrected<Row extends Subject, Loaded extends { attempt: Attempt }, Settled extends Settlement>(
  context: Context,
  topic: Topic<Loaded, Settled>,
  correction: ByHand<Row, Loaded, Settled>['correction'],
  before: Row,
  wanted: string,
): Promise<Decision<Settled>> {
  if (typeof correction === 'function') throw fixed(correction(before));
  const { id, status } = before;
  const attempt = await correction.attemptOf(context, before);
  const { settled, corrected: again } = lastAnswer(attempt);
  if (again === byHand) throw fixed(`${id} was corrected before. Ask the processor, and compare the books.`);
  if (attempt === undefined || settled !== byHand)
    throw fixed(`${id} was not settled by hand: there is nothing to correct.`);
  const loaded = await topic.read(context, attempt);
  const obstacle = correction.obstacle(loaded);
  if (obstacle !== undefined) throw fixed(obstacle);
  const time = await clockTime(context, before);
  const possible = answersByHand({ corrected: byHand })
    .map((answer) => correction.correct(loaded, answer, context.now, time))
    .filter((one) => one !== undefined && topic.subject(one).status !== status) as Settled[];
  const statuses = possible.map((one) => topic.subject(one).status);
  const found = possible[statuses.indexOf(wanted)];
  if (found === undefined) throw impossible(id, 'corrected to', statuses, wanted);
  return { settled: found, writes: (await correction.takeBack?.(context, loaded, found)) ?? [] };
}

export function underWay(id: string): string {
  return `${id} is at the processor at this moment. Wait a minute and look again.`;
}

function fixed(message: string): ApiError {
  return invalid('id', 'it cannot be corrected', message);
}

function impossible(id: string, how: string, names: readonly string[], wanted: string): ApiError {
  const possible = [...new Set(names)].join(' or ');
  const word = how.split(' ').at(-1);
  return invalid('as', `it can be ${possible}`, `${id} can be ${how} ${possible}, not ${word} ${wanted}.`);
}

function invalid(param: 'id' | 'as', reason: string, message: string): ApiError {
  return apiError('parameter_invalid', { param, reason }).saying(message);
}

const byHand = 'by hand';

/** The answers by which a person can settle an attempt. `exchange` marks them on the attempt. */
function answersByHand(exchange: { settled: string } | { corrected: string }): readonly ProcessorAnswer[] {
  const message = 'It was settled by the operator.';
  return [
    { outcome: { kind: 'approved' }, exchange },
    { outcome: { kind: 'declined', code: 'processing_error', message }, exchange },
  ];
}

/** The stored form of the last answer to an attempt: a person's is marked. */
function lastAnswer(attempt: Attempt | undefined): { settled?: unknown; corrected?: unknown } {
  const exchange = (attempt?.exchange ?? {}) as { inquiry?: object };
  return exchange.inquiry ?? exchange;
}
