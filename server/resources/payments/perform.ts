import type { Write } from '../../base/commit/index.ts';
import { Busy } from '../../base/errors.ts';
import { checked } from '../../connectors/ask.ts';
import type { Connector, Reply } from '../../connectors/contract.ts';
import type { Asking, Context, Outcome } from '../operation.ts';
import { askRemotely } from './asking.ts';
import { type Attempt, type AttemptFacts, newAttempt } from './attempt.ts';
import { refusal } from './errors.ts';
import { isFinal, type Payment, presentPayment } from './payment.ts';
import { receipt, type TermsOf } from './receipt.ts';
import { failureRefusal, firstInquiry, type Known, type Settled, settle } from './settle.ts';
import { addAttempt, addPayment, findAttempt, findPayment, replaceAttempt, replacePayment } from './store.ts';

/** A verb that is about to go to the processor. */
export type Step = Known & {
  connector: Connector;
  call: () => Promise<Reply>;
  /** What goes into the transaction that commits the attempt. */
  writes?: Write[];
};

export function attemptFor(
  context: Pick<Context, 'tenant' | 'now' | 'connectors'> & { requestId: string | null },
  connector: Connector,
  facts: Omit<AttemptFacts, 'tenant' | 'connector' | 'request_id'>,
): Attempt {
  const { tenant, requestId, now, connectors } = context;
  // A local connector has answered when it returns: there is no call that could still be under way.
  const deadline = connector.place === 'local' ? now : now + connectors.patience.deadlineMs;
  return newAttempt({ ...facts, tenant, connector: connector.name, request_id: requestId }, now, deadline);
}

/** Asks the processor: within the one transaction of a local connector, between two transactions for all others. */
export async function perform(context: Context, step: Step): Promise<Outcome | Asking> {
  return step.connector.place === 'local' ? performLocally(context, step) : performRemotely(context, step);
}

async function performLocally(context: Context, step: Step): Promise<Outcome> {
  const reply = checked(step.attempt.id, await step.call());
  const settled = settle(step, reply, context.now);
  const writes = [
    step.isNew ? addPayment(settled.payment) : replacePayment(settled.payment),
    addAttempt(settled.attempt),
    ...(await receipt(context.terms, settled, context.now)),
    ...(settled.authorization === undefined ? [] : [replaceAttempt(settled.authorization)]),
    ...(reply.writes ?? []),
    ...(step.writes ?? []),
  ];
  return outcomeOf(settled, writes);
}

function performRemotely(context: Context, step: Step): Asking {
  const attempt = { ...step.attempt, version: 1 };
  const due = firstInquiry(attempt);
  const payment: Payment = {
    ...step.payment,
    version: step.payment.version + 1,
    status: step.isNew ? 'processing' : step.payment.status,
    open_attempt: attempt.id,
    inquiries: 0,
    due_at: due,
    lease_until: null,
  };
  const known: Known = { ...step, payment, attempt, isNew: false };
  return askRemotely(context, {
    ...{ objectId: payment.id, attempt, due, known, call: step.call },
    writes: [step.isNew ? addPayment(payment) : replacePayment(payment), addAttempt(attempt), ...(step.writes ?? [])],
    reread: () => reread(context, known),
    isOpen: (now) => now.payment.open_attempt === attempt.id,
    answer: (now) => answerOf(now.payment, isRefused(now.attempt)),
    settle: (now, reply, later) => commitOutcome(later, settle(now, reply, later.now)),
  });
}

async function reread(context: Context, known: Known): Promise<Known> {
  const { tenant } = known.payment;
  const [payment, attempt] = await Promise.all([
    findPayment(context.reads, tenant, known.payment.id),
    findAttempt(context.reads, tenant, known.attempt.id),
  ]);
  return { ...known, payment: payment!, attempt: attempt! };
}

/** The rows of an attempt that was committed before, with its outcome. */
export async function settledWrites(termsOf: TermsOf, settled: Settled, now: number): Promise<Write[]> {
  return [
    replacePayment(settled.payment),
    replaceAttempt(settled.attempt),
    ...(await receipt(termsOf, settled, now)),
    ...(settled.authorization === undefined ? [] : [replaceAttempt(settled.authorization)]),
  ];
}

async function commitOutcome({ terms, now }: Context, settled: Settled): Promise<Outcome> {
  return outcomeOf(settled, await settledWrites(terms, settled, now));
}

function isRefused(attempt: Attempt): boolean {
  return attempt.state === 'declined' && attempt.verb !== 'reverse';
}

function outcomeOf(settled: Settled, writes: Write[]): Outcome {
  const { payment, events } = settled;
  const { due_at } = payment;
  return {
    ...answerOf(payment, isRefused(settled.attempt)),
    writes,
    events,
    ...(due_at === null ? {} : { due: due_at.getTime() }),
  };
}

/** A payment as the answer to the request that changed it: a failed one is a refusal that names it. */
export function answerOf(payment: Payment, refused = false): Outcome {
  const answer = { result: presentPayment(payment), objectId: payment.id };
  if (payment.status === 'failed') return { ...answer, refusal: failureRefusal(payment) };
  if (!refused) return answer;
  const reason = 'The processor refused; the payment is as it was.';
  return { ...answer, refusal: refusal('processing_error', { reason, decline: { payment: payment.id } }) };
}

/**
 * What a request owes whose process died after it had committed its attempt. While its call may still be under way there is nothing
 * to say; after that the outcome is unknown, which is an answer too.
 */
export async function resumePayment(context: Context, attemptId: string): Promise<Outcome | undefined> {
  const { reads, tenant, now } = context;
  const attempt = await findAttempt(reads, tenant, attemptId as Attempt['id']);
  const payment = attempt && (await findPayment(reads, tenant, attempt.payment));
  if (attempt === undefined || payment === undefined) throw new Error(`there is no attempt ${attemptId}`);
  if (attempt.state !== 'open') return answerOf(payment, isRefused(attempt));
  if (attempt.deadline_at.getTime() > now) return undefined;
  const lost = { outcome: { kind: 'unknown', reason: 'the gateway was interrupted' }, exchange: {} } as const;
  return commitOutcome(context, settle({ payment, attempt }, lost, now));
}

/** Another verb of the same payment is at the processor: worth waiting for, unless nobody knows when it will be settled. */
export function waitForSlot(payment: Payment): void {
  const settles = payment.status === 'processing' || isFinal(payment.status);
  if (payment.open_attempt !== null && !settles) throw new Busy('an attempt is on its way');
}
