import type { Tenant } from '../base/reads.ts';
import type { Found } from '../connectors/contract.ts';
import { findTerms } from '../resources/accounts/store.ts';
import { type Payment, presentPayment } from '../resources/payments/payment.ts';
import { settledWrites } from '../resources/payments/perform.ts';
import { type Known, type Settled, settle } from '../resources/payments/settle.ts';
import { findPaymentById, lastCancel, listFlagged, lockAttempt } from '../resources/payments/store.ts';
import { presentRefund } from '../resources/refunds/refund.ts';
import { listFlaggedRefunds } from '../resources/refunds/store.ts';
import { type CommandContext, withTransaction } from './context.ts';
import { print } from './print.ts';
import { settleRefundByHand } from './refunds.ts';
import { writeSettled } from './settled.ts';
import { UsageError } from './usage.ts';

export async function unsettled(options: { json?: boolean }): Promise<void> {
  const { payments, refunds } = await withTransaction(async ({ client }) => ({
    payments: await listFlagged(client),
    refunds: await listFlaggedRefunds(client),
  }));
  const lines = [...payments, ...refunds].map(
    ({ id, amount, currency, flagged_at }) => `${id}  ${amount} ${currency}  since ${flagged_at!.toISOString()}`,
  );
  const shown = [...payments.map(presentPayment), ...refunds.map(presentRefund)];
  print(options.json, shown, () => (lines.length === 0 ? 'There are none.' : lines.join('\n')));
}

/** A person has asked the processor and knows. What they say becomes the outcome of the open attempt, by the same rules as an answer. */
export async function settlePayment(id: string, options: { as: string; json?: boolean }): Promise<void> {
  if (id.startsWith('re_')) return settleRefundByHand(id, options);
  const settled = await withTransaction(async (session) => {
    const known = await requireOpen(session, id);
    const decided = settledAs(known, options.as, session.actor.now);
    const { payment } = decided;
    const terms = (tenant: Tenant) =>
      findTerms(async (text, values) => (await session.client.query(text, values)).rows, tenant);
    const { attempt, payment: before } = known;
    await writeSettled(session, {
      tenant: payment.tenant,
      writes: await settledWrites(terms, decided, session.actor.now),
      events: decided.events,
      audit: {
        ...{ action: 'payment.settle', subject: payment.id, from: before.status, to: payment.status },
        ...{ attempt: attempt.id, verb: attempt.verb },
      },
    });
    return payment;
  });
  print(options.json, presentPayment(settled), () => `${settled.id} is ${settled.status}.`);
}

async function requireOpen({ client, actor }: CommandContext, id: string): Promise<Known> {
  const payment = await findPaymentById(client, id); // not locked: what is written is guarded by its version
  if (payment === undefined) throw new UsageError(`There is no payment ${id}.`);
  // Flagged without an open attempt: the processor refuses to let go of what has expired. Then the last cancel is what is settled.
  const asked = payment.open_attempt ?? (payment.flagged_at === null ? null : await lastCancel(client, payment));
  if (asked === null) throw new UsageError(`${id} is ${payment.status}: there is nothing to settle.`);
  const attempt = (await lockAttempt(client, payment.tenant, asked))!;
  if (attempt.deadline_at.getTime() > actor.now)
    throw new UsageError(`${id} is at the processor at this moment. Wait a minute and look again.`);
  const held = payment.authorization_attempt;
  const authorization = held === null ? undefined : await lockAttempt(client, payment.tenant, held);
  return { payment, attempt, authorization };
}

const answers: Found[] = [
  { kind: 'approved' },
  { kind: 'declined', code: 'processing_error', message: 'It was settled by the operator.' },
];

/** Of the outcomes that there can be, the one that leads to the wanted status. */
function settledAs(known: Known, wanted: string, now: number): Settled {
  const possible = answers.map((outcome) => settle(known, { outcome, exchange: { settled: 'by hand' } }, now));
  const settled = possible.filter(({ payment }) => payment.open_attempt === null);
  const found = settled.find(({ payment }) => payment.status === wanted);
  if (found !== undefined) return found;
  const statuses = [...new Set(settled.map(({ payment }: { payment: Payment }) => payment.status))].join(' or ');
  throw new UsageError(`${known.payment.id} can be settled as ${statuses}, not as ${wanted}.`);
}
