import { Type } from 'typebox';
import { answersByHand, nothingToSettle, refuseUnderWay, statusNotPossible } from '../attempts/by_hand.ts';
import { effectOf } from '../attempts/perform.ts';
import { requireAttempt } from '../attempts/store.ts';
import { operation } from '../operation.ts';
import { Parameters } from '../shapes.ts';
import { requireRefund } from './operations.ts';
import { presentRefund } from './refund.ts';
import { RefundOutput } from './schema.ts';
import { settleRefund } from './settle.ts';
import { refundTopic } from './topic.ts';

const answers = { succeeded: answersByHand.approved, failed: answersByHand.declined };

/** A person has asked the processor what became of a refund, and says so. By the same rules as the processor's own answer. */
export const settleByHand = operation({
  name: 'refunds.settle',
  summary: 'Settle a refund as its processor has told a person',
  method: 'POST',
  route: '/refunds/:id/settle',
  scope: 'refunds:write',
  callers: ['operator'],
  input: Parameters({ as: Type.String({ maxLength: 40, description: 'The status that it ends in' }) }),
  nulls: 'absent',
  output: RefundOutput,
  async run(context, { as: wanted }) {
    const before = await requireRefund(context);
    if (before.status !== 'pending') throw nothingToSettle(before.id, before.status);
    const known = await refundTopic.read(context, await requireAttempt(context.reads, context.tenant, before.attempt));
    refuseUnderWay(known.attempt, before.id, context.now);
    const answer = Object.hasOwn(answers, wanted) ? answers[wanted as keyof typeof answers] : undefined;
    if (answer === undefined) throw statusNotPossible(before.id, Object.keys(answers), wanted);
    const settled = settleRefund(known, answer, context.now)!;
    const details = { from: before.status, to: settled.refund.status };
    return {
      result: presentRefund(settled.refund),
      objectId: before.id,
      audit: [{ action: 'refund.settle', subject: before.id, details }],
      ...(await effectOf(context, refundTopic, settled)),
    };
  },
});
