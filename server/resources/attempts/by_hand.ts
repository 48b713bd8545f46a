import { Type } from 'typebox';
import type { Refusal } from '../../base/errors.ts';
import { refusal } from '../errors.ts';
import { type AnyOperation, type Context, operation } from '../operation.ts';
import { Parameters } from '../shapes.ts';
import { type Kind, requireRow } from '../standard.ts';
import type { Attempt, ProcessorAnswer } from './attempt.ts';
import { effectOf } from './perform.ts';
import type { Subject } from './subject.ts';
import type { Settlement, Topic } from './topic.ts';

/**
 * A person has asked the processor and says how it ended. That becomes the outcome of the attempt, by the same rules as a processor's
 * answer. `attemptOf` finds the attempt, if there is something to settle; `details` adds to what the audit log says.
 */
export function settleOperation<Row extends Subject, Known extends { attempt: Attempt }, Settled extends Settlement>(
  kind: Kind<Row>,
  topic: Topic<Known, Settled>,
  attemptOf: (context: Context, row: Row) => Promise<Attempt | undefined>,
  details: (attempt: Attempt) => object = () => ({}),
): AnyOperation {
  const require = requireRow(kind);
  return operation({
    name: `${kind.resource}.settle`,
    summary: `Settle a ${kind.noun} as its processor has told a person`,
    route: `POST /${kind.resource}/:id/settle`,
    callers: ['operator'],
    input: Parameters({ as: Type.String({ maxLength: 40, description: 'The status that it ends in' }) }),
    output: kind.output,
    async run(context, { as: wanted }) {
      const before = await require(context);
      const { id, status: from } = before;
      const asked = await attemptOf(context, before);
      if (asked === undefined) throw nothingToSettle(id, from);
      const known = await topic.read(context, asked);
      refuseUnderWay(known.attempt, id, context.now);
      const settled = settledAs(topic, known, wanted, context.now);
      const after = topic.subject(settled) as Row;
      const told = { from, to: after.status, ...details(settled.attempt) };
      return {
        result: kind.present(after),
        objectId: id,
        audit: [{ action: `${topic.name}.settle`, subject: id, details: told }],
        ...(await effectOf(context, topic, settled)),
      };
    },
  });
}

/** Of the outcomes that there can be, the one that leads to the wanted status. */
function settledAs<Known extends { attempt: Attempt }, Settled extends Settlement>(
  topic: Topic<Known, Settled>,
  known: Known,
  wanted: string,
  now: number,
): Settled {
  const possible = answersByHand
    .map((answer) => topic.settle(known, answer, now))
    .filter((settled) => settled !== undefined && !topic.isOpen(settled)) as Settled[];
  const found = possible.find((settled) => topic.subject(settled).status === wanted);
  if (found !== undefined) return found;
  const statuses = possible.map((settled) => topic.subject(settled).status);
  throw statusNotPossible(topic.subject(known).id, statuses, wanted);
}

function refuseUnderWay({ deadline_at }: Attempt, id: string, now: number): void {
  if (deadline_at.getTime() <= now) return;
  const reason = 'its call to the processor is still under way';
  throw refusal('parameter_invalid', { param: 'id', reason }).saying(
    `${id} is at the processor at this moment. Wait a minute and look again.`,
  );
}

function nothingToSettle(id: string, status: string): Refusal {
  const reason = 'there is nothing to settle';
  return refusal('parameter_invalid', { param: 'id', reason }).saying(
    `${id} is ${status}: there is nothing to settle.`,
  );
}

function statusNotPossible(id: string, possible: readonly string[], wanted: string): Refusal {
  const statuses = [...new Set(possible)].join(' or ');
  const reason = `it can be ${statuses}`;
  return refusal('parameter_invalid', { param: 'as', reason }).saying(
    `${id} can be settled as ${statuses}, not as ${wanted}.`,
  );
}

/** The answers by which a person can settle an attempt. */
const answersByHand: readonly ProcessorAnswer[] = [
  { outcome: { kind: 'approved' }, exchange: { settled: 'by hand' } },
  {
    outcome: { kind: 'declined', code: 'processing_error', message: 'It was settled by the operator.' },
    exchange: { settled: 'by hand' },
  },
];
