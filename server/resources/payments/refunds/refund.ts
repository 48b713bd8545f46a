import type { Id } from '../../../base/id.ts';
import type { AttemptId } from '../../../connectors/contract.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { Subject } from '../attempts/subject.ts';
import type { PaymentId } from '../payments/payment.ts';

export type RefundId = Id<'re'>;

export const refundStatuses = ['pending', 'succeeded', 'failed'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

export const refundReasons = ['duplicate', 'fraudulent', 'requested_by_customer'] as const;
/** Of a refund that was made at the processor without the gateway. */
export const madeAtProcessor = 'made_at_processor';

/** The signals that move a refund. A bank may return a refund that it had accepted. */
export type RefundSignal = 'succeed' | 'fail' | 'wait';
type RefundMoves = Record<RefundStatus, Partial<Record<RefundSignal, RefundStatus>>>;

export const refundMoves = {
  pending: { succeed: 'succeeded', fail: 'failed', wait: 'pending' },
  succeeded: { fail: 'failed' },
  failed: {},
} as const satisfies RefundMoves;

/** The status after a signal; undefined when there is no such move, because a processor may report late or twice. */
export function moveRefund(from: RefundStatus, signal: RefundSignal): RefundStatus | undefined {
  return (refundMoves as RefundMoves)[from][signal];
}

export const refundEvents = {
  'refund.created': 'A refund was created.',
  'refund.updated': 'A pending refund succeeded, or its metadata changed.',
  'refund.failed': 'A refund failed, immediately or later.',
} as const;

export type Refund = Subject & {
  id: RefundId;
  payment: PaymentId;
  amount: number;
  currency: string;
  status: RefundStatus;
  reason: string | null;
  /** Null: never supplied. */
  metadata: Metadata | null;
  failure_reason: string | null;
  /** The attempt by which the processor knows it, or which records it. */
  attempt: AttemptId;
  /** The processor's own name for it, if it was made there without the gateway. */
  processor_reference: string | null;
};
