import type { Write } from '../../base/commit/index.ts';
import type { Tenant } from '../../base/reads.ts';
import { checked } from '../../connectors/ask.ts';
import type { Connector, Reply } from '../../connectors/contract.ts';
import { post } from '../../ledger/posting.ts';
import type { Asking, Context, Outcome } from '../operation.ts';
import { askRemotely } from '../payments/asking.ts';
import type { Attempt } from '../payments/attempt.ts';
import { firstInquiry } from '../payments/settle.ts';
import { addAttempt, findAttempt, findPayment, replaceAttempt, replacePayment } from '../payments/store.ts';
import { presentRefund, type Refund } from './refund.ts';
import { type KnownRefund, refundMovement, type SettledRefund, settleRefund } from './settle.ts';
import { addRefund, findRefund, replaceRefund } from './store.ts';

/** A refund that is about to go to the processor. The payment counts it already. */
export type RefundStep = KnownRefund & { connector: Connector; call: () => Promise<Reply> };

export async function performRefund(context: Context, step: RefundStep): Promise<Outcome | Asking> {
  const begun = post(context.tenant, context.now, refundMovement(step.refund));
  return step.connector.place === 'local'
    ? performLocally(context, step, begun)
    : performRemotely(context, step, begun);
}

async function performLocally(context: Context, step: RefundStep, begun: Write): Promise<Outcome> {
  const reply = checked(step.attempt.id, await step.call());
  const settled = settleRefund(step, reply, context.now)!;
  const writes = [
    addRefund(settled.refund),
    addAttempt(settled.attempt),
    // Once for both: that it is refunded, and what became of it.
    replacePayment({ ...(settled.payment ?? step.payment), version: step.payment.version + 1 }),
    begun,
    ...settled.movements.map((movement) => post(context.tenant, context.now, movement)),
    ...(reply.writes ?? []),
  ];
  return outcomeOf(settled, writes);
}

function performRemotely(context: Context, step: RefundStep, begun: Write): Asking {
  const attempt = { ...step.attempt, version: 1 };
  const due = firstInquiry(attempt);
  const refund: Refund = { ...step.refund, version: 1, due_at: due };
  const payment = { ...step.payment, version: step.payment.version + 1 };
  return askRemotely<KnownRefund>(context, {
    ...{ objectId: refund.id, attempt, due, call: step.call, known: { refund, payment, attempt } },
    writes: [addRefund(refund), addAttempt(attempt), replacePayment(payment), begun],
    reread: () => rereadRefund(context, refund, attempt),
    isOpen: (now) => now.attempt.state === 'open',
    answer: (now) => answerOf(now.refund),
    settle: (now, reply, later) => commitOutcome(later, settleRefund(now, reply, later.now), now.refund),
  });
}

async function rereadRefund(
  { reads, tenant }: Pick<Context, 'reads' | 'tenant'>,
  { id, payment }: Pick<Refund, 'id' | 'payment'>,
  { id: attempt }: Pick<Attempt, 'id'>,
): Promise<KnownRefund> {
  const [refund, paid, asked] = await Promise.all([
    findRefund(reads, tenant, id),
    findPayment(reads, tenant, payment),
    findAttempt(reads, tenant, attempt),
  ]);
  if (refund === undefined || paid === undefined || asked === undefined) throw new Error(`${id} is not whole`);
  return { refund, payment: paid, attempt: asked };
}

/** Everything about the refund that an attempt was made for. */
export async function knownOfAttempt(
  context: Pick<Context, 'reads' | 'tenant'>,
  attempt: Attempt,
): Promise<KnownRefund> {
  return rereadRefund(context, { id: attempt.refund!, payment: attempt.payment }, attempt);
}

/** The rows of a refund that was committed before, with what became of it. */
export function settledRefundWrites(tenant: Tenant, settled: SettledRefund, now: number): Write[] {
  return [
    replaceRefund(settled.refund),
    replaceAttempt(settled.attempt),
    ...(settled.payment === undefined ? [] : [replacePayment(settled.payment)]),
    ...settled.movements.map((movement) => post(tenant, now, movement)),
  ];
}

function commitOutcome(context: Context, settled: SettledRefund | undefined, before: Refund): Outcome {
  if (settled === undefined) return answerOf(before);
  return outcomeOf(settled, settledRefundWrites(context.tenant, settled, context.now));
}

function outcomeOf({ refund, events }: SettledRefund, writes: Write[]): Outcome {
  return { ...answerOf(refund), writes, events, ...(refund.due_at === null ? {} : { due: refund.due_at.getTime() }) };
}

/** One that the bank refused is an answer like any other: it is there, and it failed. */
export function answerOf(refund: Refund): Outcome {
  return { result: presentRefund(refund), objectId: refund.id };
}

/** What a request owes whose process died after it had committed its refund. */
export async function resumeRefund(context: Context, attemptId: string): Promise<Outcome | undefined> {
  const { reads, tenant, now } = context;
  const attempt = await findAttempt(reads, tenant, attemptId as Attempt['id']);
  if (attempt === undefined) throw new Error(`there is no attempt ${attemptId}`);
  const known = await knownOfAttempt(context, attempt);
  if (attempt.state !== 'open') return answerOf(known.refund);
  if (attempt.deadline_at.getTime() > now) return undefined;
  const lost = { outcome: { kind: 'unknown', reason: 'the gateway was interrupted' }, exchange: {} } as const;
  return commitOutcome(context, settleRefund(known, lost, now), known.refund);
}
