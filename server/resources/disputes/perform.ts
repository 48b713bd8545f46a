import type { Write } from '../../base/commit/index.ts';
import type { Refusal } from '../../base/errors.ts';
import type { Tenant } from '../../base/reads.ts';
import { checked } from '../../connectors/ask.ts';
import type { Connector, Reply } from '../../connectors/contract.ts';
import { post } from '../../ledger/posting.ts';
import { eventWrite } from '../../outbox/event.ts';
import type { Asking, Context, Outcome } from '../operation.ts';
import { askRemotely } from '../payments/asking.ts';
import type { Attempt } from '../payments/attempt.ts';
import { firstInquiry } from '../payments/settle.ts';
import { addAttempt, findAttempt, replaceAttempt } from '../payments/store.ts';
import { previousAttributes } from '../previous.ts';
import { type Dispute, disputeEvent, isOver, presentDispute } from './dispute.ts';
import { refusal } from './errors.ts';
import { type KnownDispute, type SettledDispute, settleDispute } from './settle.ts';
import { findDispute, replaceDispute } from './store.ts';

/** Something that is about to be said in a dispute. `stored` is the dispute without what this request adds to it. */
export type DisputeStep = KnownDispute & { stored: Dispute; connector: Connector; call: () => Promise<Reply> };

export async function performDispute(context: Context, step: DisputeStep): Promise<Outcome | Asking> {
  return step.connector.place === 'local' ? performLocally(context, step) : performRemotely(context, step);
}

async function performLocally(context: Context, step: DisputeStep): Promise<Outcome> {
  const reply = checked(step.attempt.id, await step.call());
  const settled = settleDispute(step, reply, context.now, step.stored);
  const writes = [
    replaceDispute(settled.dispute),
    addAttempt(settled.attempt),
    ...settled.movements.map((movement) => post(context.tenant, context.now, movement)),
    ...(reply.writes ?? []),
  ];
  return outcomeOf(settled, writes);
}

function performRemotely(context: Context, step: DisputeStep): Asking {
  const attempt = { ...step.attempt, version: 1 };
  const due = firstInquiry(attempt);
  const slot = { open_attempt: attempt.id, inquiries: 0, due_at: due, lease_until: null };
  const dispute: Dispute = { ...step.dispute, version: step.dispute.version + 1, ...slot };
  return askRemotely<KnownDispute>(context, {
    ...{ objectId: dispute.id, attempt, due, call: step.call, known: { dispute, attempt } },
    writes: [replaceDispute(dispute), addAttempt(attempt), ...gathered(context, step.stored, dispute)],
    reread: () => knownOf(context, attempt),
    isOpen: (now) => now.dispute.open_attempt === attempt.id,
    answer: (now) => answerOf(now),
    settle: (now, reply, later) => commitOutcome(later, settleDispute(now, reply, later.now)),
  });
}

/** The evidence is kept before the processor is asked, whatever that says then: so it is told of now. */
function gathered({ tenant, requestId, now }: Context, before: Dispute, after: Dispute): Write[] {
  const previous = previousAttributes(presentDispute(before), presentDispute(after));
  if (previous === undefined) return [];
  return [eventWrite(tenant, requestId, now, disputeEvent('dispute.updated', after, previous))];
}

async function knownOf({ reads, tenant }: Context, { id, dispute }: Attempt): Promise<KnownDispute> {
  const [found, attempt] = await Promise.all([findDispute(reads, tenant, dispute!), findAttempt(reads, tenant, id)]);
  if (found === undefined || attempt === undefined) throw new Error(`${dispute} is not whole`);
  return { dispute: found, attempt };
}

/** The rows of an attempt that was committed before, with its outcome. */
export function settledDisputeWrites(tenant: Tenant, settled: SettledDispute, now: number): Write[] {
  return [
    replaceDispute(settled.dispute),
    replaceAttempt(settled.attempt),
    ...settled.movements.map((movement) => post(tenant, now, movement)),
  ];
}

function commitOutcome({ tenant, now }: Context, settled: SettledDispute): Outcome {
  return outcomeOf(settled, settledDisputeWrites(tenant, settled, now));
}

function outcomeOf(settled: SettledDispute, writes: Write[]): Outcome {
  const { due_at } = settled.dispute;
  const due = due_at === null ? {} : { due: due_at.getTime() };
  return { ...answerOf(settled), writes, events: settled.events, ...due };
}

/** The dispute as it is, unless the processor has refused. One whose outcome is not known is as it was, and will be told of. */
function answerOf({ dispute, attempt }: KnownDispute): Outcome {
  const answer = { result: presentDispute(dispute), objectId: dispute.id };
  return attempt.state === 'declined' ? { ...answer, refusal: refusalOf(dispute, attempt) } : answer;
}

/** A processor may know of an end, or of a deadline, before we do. */
function refusalOf(dispute: Dispute, { decline_code, verb }: Attempt): Refusal {
  if (decline_code === 'dispute_closed') return refuseClosed(dispute);
  if (decline_code === 'evidence_late') return refusePastDue(dispute);
  const what = verb === 'contest' ? 'take the evidence, which is kept here' : 'close the dispute';
  const decline = { ...(decline_code === null ? {} : { decline_code }), payment: dispute.payment };
  return refusal('processing_error', {
    reason: `The processor did not ${what}; the dispute is as it was.`,
    decline,
  });
}

export function refuseClosed({ status }: Dispute): Refusal {
  return refusal('dispute_closed', { param: 'id', outcome: isOver(status) ? status : 'decided by the processor' });
}

export function refusePastDue({ due_by }: Dispute): Refusal {
  return refusal('evidence_past_due', { param: 'evidence', due_by: due_by.toISOString() });
}

/** What a request owes whose process died after it had committed its attempt. */
export async function resumeDispute(context: Context, attemptId: string): Promise<Outcome | undefined> {
  const { reads, tenant, now } = context;
  const attempt = await findAttempt(reads, tenant, attemptId as Attempt['id']);
  if (attempt === undefined) throw new Error(`there is no attempt ${attemptId}`);
  const known = await knownOf(context, attempt);
  if (known.attempt.state !== 'open') return answerOf(known);
  if (attempt.deadline_at.getTime() > now) return undefined;
  const lost = { outcome: { kind: 'unknown', reason: 'the gateway was interrupted' }, exchange: {} } as const;
  return commitOutcome(context, settleDispute(known, lost, now));
}
