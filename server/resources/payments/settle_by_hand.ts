import { Type } from 'typebox';
import { answersByHand, nothingToSettle, refuseUnderWay, statusNotPossible } from '../attempts/by_hand.ts';
import { effectOf } from '../attempts/perform.ts';
import { findLatestAttempt, requireAttempt } from '../attempts/store.ts';
import { type Context, operation } from '../operation.ts';
import { Parameters } from '../shapes.ts';
import { requirePayment } from './operations.ts';
import { type Payment, presentPayment } from './payment.ts';
import { PaymentOutput } from './schema.ts';
import { type Known, type Settled, settle } from './settle.ts';
import type { PaymentTopic } from './topic.ts';

/** What a person says becomes the outcome of the open attempt, by the same rules as a processor's answer. */
export const settleByHand = (topic: PaymentTopic) =>
  operation({
    name: 'payments.settle',
    summary: 'Settle a payment as its processor has told a person',
    method: 'POST',
    route: '/payments/:id/settle',
    scope: 'payments:write',
    callers: ['operator'],
    input: Parameters({ as: Type.String({ maxLength: 40, description: 'The status that it ends in' }) }),
    nulls: 'absent',
    output: PaymentOutput,
    async run(context, { as: wanted }) {
      const before = await requirePayment(context);
      const known = await topic.read(context, await attemptToSettle(context, before));
      refuseUnderWay(known.attempt, before.id, context.now);
      const settled = settledAs(known, wanted, context.now);
      const { payment, attempt } = settled;
      const details = { from: before.status, to: payment.status, attempt: attempt.id, verb: attempt.verb };
      return {
        result: presentPayment(payment),
        objectId: payment.id,
        audit: [{ action: 'payment.settle', subject: payment.id, details }],
        ...(await effectOf(context, topic, settled)),
      };
    },
  });

/** Flagged without an open attempt: the processor refuses to let go of what has expired. Then the last cancel is settled. */
async function attemptToSettle({ reads, tenant }: Context, payment: Payment) {
  const { id, open_attempt, flagged_at, status } = payment;
  if (open_attempt !== null) return requireAttempt(reads, tenant, open_attempt);
  const cancel = flagged_at === null ? undefined : await findLatestAttempt(reads, tenant, id, 'cancel');
  if (cancel === undefined) throw nothingToSettle(id, status);
  return cancel;
}

/** Of the outcomes that there can be, the one that leads to the wanted status. */
function settledAs(known: Known, wanted: string, now: number): Settled {
  const possible = Object.values(answersByHand).map((answer) => settle(known, answer, now));
  const settled = possible.filter(({ payment }) => payment.open_attempt === null);
  const found = settled.find(({ payment }) => payment.status === wanted);
  if (found !== undefined) return found;
  const statuses = settled.map(({ payment }) => payment.status);
  throw statusNotPossible(known.payment.id, statuses, wanted);
}
