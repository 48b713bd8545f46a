import { newId } from '../../../base/id.ts';
import type { Money } from '../../../base/money.ts';
import type { InquiryOutcome, Notice } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import type { Movement } from '../../../ledger/posting.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import { type Attempt, type ProcessorAnswer, recordAnswer } from '../attempts/attempt.ts';
import { awaitOutcome, idle, settleSubject } from '../attempts/subject.ts';
import type { Payment } from '../payments/payment.ts';
import { createdBy } from '../test_clocks/time.ts';
import {
  type Dispute,
  type DisputeReview,
  type DisputeSignal,
  type DisputeStatus,
  isOver,
  moveDispute,
} from './dispute.ts';
import { disputeEvent, disputeUpdated } from './schema.ts';

export type LoadedDispute = {
  dispute: Dispute;
  attempt: Attempt;
  /** The dispute as it is stored, where this transaction has changed it already. */
  stored?: Dispute;
};
export type SettledDispute = { dispute: Dispute; attempt: Attempt; movements: Movement[]; events: EventDraft[] };
export type OpenedDispute = { dispute: Dispute; payment: Payment; movements: Movement[]; events: EventDraft[] };
export type ClosedDispute = Omit<SettledDispute, 'attempt'>;

/** A new dispute: the cardholder has the money back until it is decided. It is recorded whatever else is in flight. */
export function openDispute(
  notice: Extract<Notice, { kind: 'dispute_opened' }>,
  source: NoticeSource,
  before: Payment,
  now: number,
  time = now,
): OpenedDispute {
  const dispute: Dispute = {
    tenant: before.tenant,
    id: newId('dp', now),
    version: 1,
    payment: before.id,
    ...notice.money,
    reason: notice.reason,
    status: 'needs_response',
    evidence: {},
    due_by: new Date(notice.dueBy),
    submission_count: 0,
    metadata: null,
    ...source,
    reference: notice.dispute,
    review: reviewOf(notice.money, before),
    open_attempt: null,
    ...createdBy(before.test_clock, time),
    ...idle,
  };
  return {
    dispute,
    payment: { ...before, version: before.version + 1, dispute: dispute.id },
    movements: disputeMovements('dispute', dispute),
    events: [disputeEvent('dispute.created', dispute)],
  };
}

/** How the money of a new dispute does not fit the payment; null when it does. */
function reviewOf({ amount, currency }: Money, payment: Payment): DisputeReview | null {
  if (currency !== payment.currency) return 'currency';
  return amount > payment.amount_received ? 'amount' : null;
}

/** The findings of a person: the amount that the processor took, in the currency of the payment. Undefined: as reported. */
export function reviewDispute(before: Dispute, taken: Money | undefined): ClosedDispute {
  const dispute: Dispute = { ...before, ...taken, version: before.version + 1, review: null };
  const isPosted = before.review !== 'currency';
  const end = movementOf[dispute.status];
  const kinds: Movement['kind'][] = isPosted ? [] : ['dispute', ...(end === undefined ? [] : [end])];
  return {
    dispute,
    movements: kinds.map((kind) => disputeMovement(kind, dispute)),
    events: disputeUpdated(before, dispute),
  };
}

/** The end of a dispute that a processor reports. Undefined when it has ended before. An open attempt stays open. */
export function closeDispute(before: Dispute, result: 'won' | 'lost'): ClosedDispute | undefined {
  const status = moveDispute(before.status, result === 'won' ? 'win' : 'lose');
  if (status === undefined) return undefined;
  const dispute = { ...before, version: before.version + 1, status, lease_until: null };
  return { dispute, ...consequences(before, dispute) };
}

/**
 * The dispute after a processor's answer. Pure. A dispute that has ended meanwhile keeps its end: then the answer only frees the slot.
 */
export function settleDispute(loaded: LoadedDispute, answer: ProcessorAnswer, now: number): SettledDispute {
  const { dispute: before, stored = before } = loaded;
  const attempt = recordAnswer(loaded.attempt, answer, now);
  const dispute = isAwaited(answer.outcome)
    ? awaitOutcome(before, attempt, now, { open_attempt: attempt.id })
    : taken(before, attempt);
  return { dispute, attempt, ...consequences(stored, dispute) };
}

function isAwaited({ kind }: InquiryOutcome): boolean {
  return kind === 'unknown' || kind === 'pending' || kind === 'requires_action';
}

function taken(before: Dispute, attempt: Attempt): Dispute {
  const isTaken = attempt.state === 'approved';
  const signal = attempt.verb === 'contest' ? 'submit' : 'concede';
  return settleSubject(before, {
    status: (isTaken ? moveDispute(before.status, signal satisfies DisputeSignal) : undefined) ?? before.status,
    submission_count: before.submission_count + (isTaken && signal === 'submit' ? 1 : 0),
    open_attempt: null,
  });
}

const movementOf: Partial<Record<DisputeStatus, Movement['kind']>> = { won: 'dispute_reversal', lost: 'dispute_lost' };

/** Money moves when a dispute ends. Every change that the API shows has an event. */
function consequences(before: Dispute, after: Dispute): Pick<SettledDispute, 'movements' | 'events'> {
  const kind = movementOf[after.status];
  if (kind !== undefined && !isOver(before.status))
    return { movements: disputeMovements(kind, after), events: [disputeEvent('dispute.closed', after)] };
  return { movements: [], events: disputeUpdated(before, after) };
}

function disputeMovements(kind: Movement['kind'], dispute: Dispute): Movement[] {
  return dispute.review === 'currency' ? [] : [disputeMovement(kind, dispute)];
}

export function disputeMovement(
  kind: Movement['kind'],
  { id, payment, amount, currency, reference }: Dispute,
): Movement {
  return { kind, source: id, payment, reference, money: { amount, currency } };
}
