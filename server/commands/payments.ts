import { applyWrites, GuardFailed } from '../base/commit/index.ts';
import type { Tenant } from '../base/reads.ts';
import type { Found } from '../connectors/contract.ts';
import { eventWrite } from '../outbox/event.ts';
import { recordAudit } from '../resources/accounts/audit.ts';
import { accountOf, findTerms } from '../resources/accounts/store.ts';
import { type Payment, presentPayment } from '../resources/payments/payment.ts';
import { settledWrites } from '../resources/payments/perform.ts';
import { type Known, type Settled, settle } from '../resources/payments/settle.ts';
import { findPaymentById, listFlagged, lockAttempt } from '../resources/payments/store.ts';
import { print } from './print.ts';
import { inTransaction, type Session } from './session.ts';
import { UsageError } from './usage.ts';

export async function unsettled(options: { json?: boolean }): Promise<void> {
  const flagged = await inTransaction(({ client }) => listFlagged(client));
  const lines = flagged.map(
    ({ id, amount, currency, flagged_at }) => `${id}  ${amount} ${currency}  since ${flagged_at!.toISOString()}`,
  );
  print(options.json, flagged.map(presentPayment), () => (lines.length === 0 ? 'There are none.' : lines.join('\n')));
}

/** A person has asked the processor and knows. What they say becomes the outcome of the open attempt, by the same rules as an answer. */
export async function settlePayment(id: string, options: { as: string; json?: boolean }): Promise<void> {
  const settled = await inTransaction(async (session) => {
    const known = await requireOpen(session, id);
    const decided = settledAs(known, options.as, session.actor.now);
    const { payment } = decided;
    const events = decided.events.map((event) => eventWrite(payment.tenant, null, session.actor.now, event));
    const terms = (tenant: Tenant) =>
      findTerms(async (text, values) => (await session.client.query(text, values)).rows, tenant);
    const writes = await settledWrites(terms, decided, session.actor.now);
    await applyWrites(session.client, [...writes, ...events]).catch((error) => {
      if (!(error instanceof GuardFailed)) throw error;
      throw new UsageError(`A server is looking at ${id} at this moment. Try again.`);
    });
    await recordAudit(session.client, {
      actor: session.actor.name,
      action: 'payment.settle',
      account: await accountOf(session.client, payment.tenant),
      subject: payment.id,
      details: { from: known.payment.status, to: payment.status, attempt: known.attempt.id, verb: known.attempt.verb },
    });
    return payment;
  });
  print(options.json, presentPayment(settled), () => `${settled.id} is ${settled.status}.`);
}

async function requireOpen({ client, actor }: Session, id: string): Promise<Known> {
  const payment = await findPaymentById(client, id); // not locked: what is written is guarded by its version
  if (payment === undefined) throw new UsageError(`There is no payment ${id}.`);
  if (payment.open_attempt === null) throw new UsageError(`${id} is ${payment.status}: there is nothing to settle.`);
  const attempt = (await lockAttempt(client, payment.tenant, payment.open_attempt))!;
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
