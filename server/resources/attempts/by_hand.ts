import type { Refusal } from '../../base/errors.ts';
import { Type } from '../../base/schema.ts';
import { refusal } from '../errors.ts';
import { type AnyOperation, type Context, operation } from '../operation.ts';
import { Parameters } from '../shapes.ts';
import { type Kind, requireRow } from '../standard.ts';
import type { Attempt, ProcessorAnswer } from './attempt.ts';
import { effectOf } from './perform.ts';
import type { Subject } from './subject.ts';
import type { Settlement, Topic } from './topic.ts';

/**
 * A person has asked the processor for the outcome of an attempt, and enters it here. It is settled by the same rules as a processor's
 * answer. `attemptOf` finds the attempt, if there is something to settle; `details` is added to the entry in the audit log.
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
      if (asked === undefined)
        throw invalid('id', 'there is nothing to settle', `${id} is ${from}: there is nothing to settle.`);
      const known = await topic.read(context, asked);
      if (asked.deadline_at.getTime() > context.now) {
        const message = `${id} is at the processor at this moment. Wait a minute and look again.`;
        throw invalid('id', 'its call to the processor is still under way', message);
      }
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

/** The settlement that leads to the wanted status. */
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
  const statuses = [...new Set(possible.map((settled) => topic.subject(settled).status))].join(' or ');
  const message = `${topic.subject(known).id} can be settled as ${statuses}, not as ${wanted}.`;
  throw invalid('as', `it can be ${statuses}`, message);
}

function invalid(param: 'id' | 'as', reason: string, message: string): Refusal {
  return refusal('parameter_invalid', { param, reason }).saying(message);
}

/** The answers by which a person can settle an attempt. */
const answersByHand: readonly ProcessorAnswer[] = [
  { outcome: { kind: 'approved' }, exchange: { settled: 'by hand' } },
  {
    outcome: { kind: 'declined', code: 'processing_error', message: 'It was settled by the operator.' },
    exchange: { settled: 'by hand' },
  },
];
