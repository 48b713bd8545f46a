import type { Id } from '../../../base/id.ts';
import type { AttemptId, ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { Subject } from '../attempts/subject.ts';
import type { PaymentId } from '../payments/payment.ts';
import type { Evidence } from './evidence.ts';

export type DisputeId = Id<'dp'>;

export const disputeStatuses = ['needs_response', 'under_review', 'won', 'lost'] as const;
export type DisputeStatus = (typeof disputeStatuses)[number];

/** submit: evidence was accepted. concede: the merchant gives up. win, lose: the verdict, or that nobody responded in time. */
export type DisputeSignal = 'submit' | 'concede' | 'win' | 'lose';
type DisputeMoves = Record<DisputeStatus, Partial<Record<DisputeSignal, DisputeStatus>>>;

/** A verdict may come before the answer to the evidence that it is about, and a cardholder may withdraw. */
export const disputeMoves = {
  needs_response: { submit: 'under_review', concede: 'lost', win: 'won', lose: 'lost' },
  under_review: { submit: 'under_review', concede: 'lost', win: 'won', lose: 'lost' },
  won: {},
  lost: {},
} as const satisfies DisputeMoves;

/** The status after a signal; undefined when there is no such move, because a processor may report late or twice. */
export function moveDispute(from: DisputeStatus, signal: DisputeSignal): DisputeStatus | undefined {
  return (disputeMoves as DisputeMoves)[from][signal];
}

export function isOver(status: DisputeStatus): boolean {
  return status === 'won' || status === 'lost';
}

export const disputeEvents = {
  'dispute.created': 'A payment was disputed.',
  'dispute.updated': 'Evidence was collected or submitted, or metadata changed.',
  'dispute.closed': 'A dispute was won or lost.',
} as const;

/**
 * amount: more than the payment received; posted as reported. currency: another than the payment's; not posted, because nothing was received
 * in it that could leave.
 */
export type DisputeReview = 'amount' | 'currency';

export type Dispute = Subject & {
  id: DisputeId;
  payment: PaymentId;
  amount: number;
  currency: string;
  reason: string;
  status: DisputeStatus;
  /** Gathered so far. It does not change while an attempt is open, so that a retry sends the same. */
  evidence: Evidence;
  /** The deadline for evidence. */
  due_by: Date;
  submission_count: number;
  /** Null: never supplied. */
  metadata: Metadata | null;
  connector: string;
  processor_account: ProcessorAccountId | null;
  /** The name that the processor has for it. */
  reference: string;
  /** How its money does not fit the payment, until a person has reviewed it. */
  review: DisputeReview | null;
  /** The attempt whose outcome is not known yet. Until it is settled, nothing else can be submitted. */
  open_attempt: AttemptId | null;
};
