import type { Found } from '../connectors/contract.ts';
import { findPaymentById, lockAttempt } from '../resources/payments/store.ts';
import { settledRefundWrites } from '../resources/refunds/perform.ts';
import { presentRefund, type Refund } from '../resources/refunds/refund.ts';
import { type KnownRefund, type SettledRefund, settleRefund } from '../resources/refunds/settle.ts';
import { findRefundById } from '../resources/refunds/store.ts';
import { type CommandContext, withTransaction } from './context.ts';
import { print } from './print.ts';
import { writeSettled } from './settled.ts';
import { UsageError } from './usage.ts';

const answers: Record<string, Found> = {
  succeeded: { kind: 'approved' },
  failed: { kind: 'declined', code: 'processing_error', message: 'It was settled by the operator.' },
};

/** A person has asked the processor what became of a refund, and knows. By the same rules as the processor's own answer. */
export async function settleRefundByHand(id: string, options: { as: string; json?: boolean }): Promise<void> {
  const refund = await withTransaction(async (session) => {
    const known = await requirePending(session, id);
    const settled = settledAs(known, options.as, session.actor.now);
    await writeSettled(session, {
      tenant: known.refund.tenant,
      writes: settledRefundWrites(known.refund.tenant, settled, session.actor.now),
      events: settled.events,
      audit: { action: 'refund.settle', subject: id, from: known.refund.status, to: settled.refund.status },
    });
    return settled.refund;
  });
  print(options.json, presentRefund(refund), () => `${refund.id} is ${refund.status}.`);
}

function settledAs(known: KnownRefund, wanted: string, now: number): SettledRefund {
  const outcome = Object.hasOwn(answers, wanted) ? answers[wanted] : undefined;
  if (outcome === undefined)
    throw new UsageError(
      `${known.refund.id} can be settled as ${Object.keys(answers).join(' or ')}, not as ${wanted}.`,
    );
  return settleRefund(known, { outcome, exchange: { settled: 'by hand' } }, now)!;
}

async function requirePending({ client, actor }: CommandContext, id: string): Promise<KnownRefund> {
  const refund: Refund | undefined = await findRefundById(client, id); // not locked: what is written is guarded by its version
  if (refund === undefined) throw new UsageError(`There is no refund ${id}.`);
  if (refund.status !== 'pending') throw new UsageError(`${id} is ${refund.status}: there is nothing to settle.`);
  const attempt = (await lockAttempt(client, refund.tenant, refund.attempt))!;
  if (attempt.deadline_at.getTime() > actor.now)
    throw new UsageError(`${id} is at the processor at this moment. Wait a minute and look again.`);
  return { refund, attempt, payment: (await findPaymentById(client, refund.payment))! };
}
