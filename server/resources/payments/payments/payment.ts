import type { Id } from '../../../base/id.ts';
import type { Advice, AttemptId, ProcessorAccountId } from '../../../connectors/contract.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { Subject } from '../attempts/subject.ts';
import type { PaymentMethodId } from '../payment_methods/payment_method.ts';

export type PaymentId = Id<'py'>;

export const paymentStatuses = [
  'requires_action',
  'requires_capture',
  'processing',
  'succeeded',
  'failed',
  'canceled',
] as const;
export type PaymentStatus = (typeof paymentStatuses)[number];

export const captureMethods = ['automatic', 'manual'] as const;

/** The signals that move a payment. */
export type Signal = 'approve' | 'hold' | 'challenge' | 'decline' | 'capture' | 'cancel' | 'reverse' | 'lose' | 'keep';
type PaymentMoves = Record<PaymentStatus | 'none', Partial<Record<Signal, PaymentStatus>>>;

/** Every legal move. `lose` is an outcome that is unknown; a payment that is processing can move to any status. */
export const moves = {
  none: {
    approve: 'succeeded',
    hold: 'requires_capture',
    challenge: 'requires_action',
    decline: 'failed',
    lose: 'processing',
  },
  requires_action: {
    approve: 'succeeded',
    hold: 'requires_capture',
    decline: 'failed',
    cancel: 'canceled',
    lose: 'processing',
    keep: 'requires_action',
  },
  requires_capture: {
    capture: 'succeeded',
    decline: 'failed',
    cancel: 'canceled',
    reverse: 'failed',
    lose: 'processing',
    keep: 'requires_capture',
  },
  processing: {
    approve: 'succeeded',
    hold: 'requires_capture',
    challenge: 'requires_action',
    capture: 'succeeded',
    decline: 'failed',
    cancel: 'canceled',
    reverse: 'failed',
    lose: 'processing',
  },
  succeeded: {},
  failed: {},
  canceled: {},
} as const satisfies PaymentMoves;

/** The status after a signal. An illegal move is a bug, because callers are refused before. */
export function move(from: PaymentStatus | 'none', signal: Signal): PaymentStatus {
  const to = (moves as PaymentMoves)[from][signal];
  if (to === undefined) throw new Error(`a payment that is ${from} cannot ${signal}`);
  return to;
}

export function isFinal(status: PaymentStatus): boolean {
  return status === 'succeeded' || status === 'failed' || status === 'canceled';
}

/** A payment that no longer waits for its cardholder, or still does because its processor refuses the cancel. */
export function closedAs({ status }: { status: PaymentStatus }): 'closed' | 'paid' | 'unknown' {
  if (status === 'canceled' || status === 'failed') return 'closed';
  return status === 'succeeded' || status === 'requires_capture' ? 'paid' : 'unknown';
}

export const paymentEvents = {
  'payment.succeeded': 'A payment was captured.',
  'payment.failed': 'A payment was declined, or never reached the processor.',
  'payment.requires_action': 'The cardholder must authenticate.',
  'payment.requires_capture': 'A payment was authorized.',
  'payment.processing': 'The outcome of a payment is unknown.',
  'payment.canceled': 'A payment was canceled, or expired.',
  'payment.updated': 'Description or metadata of a payment changed, or the payment was linked to an invoice.',
  'payment.refunded': 'A refund of a payment succeeded.',
} as const;

export type Payment = Subject & {
  id: PaymentId;
  amount: number;
  amount_received: number;
  currency: string;
  customer: Id<'cus'> | null;
  description: string | null;
  /** Null: the cardholder chooses it on a page of the processor, which has not named it yet. */
  payment_method: PaymentMethodId | null;
  /** Of the payment method, for those who look for the payment; null: not known. */
  last4: string | null;
  /** Of the payment method, for statistics; null: not filled in yet. */
  brand: string | null;
  /** Of the billing address when it was made, for statistics; null: not known. */
  country: string | null;
  status: PaymentStatus;
  /** Null: not supplied, which is automatic. */
  capture_method: (typeof captureMethods)[number] | null;
  return_url: string | null;
  /** Whether the merchant has charged it without the cardholder; null: no. */
  off_session: true | null;
  /** Null: never supplied. */
  metadata: Metadata | null;
  /** The setup by which the cardholder has agreed to it, who was not there. */
  setup: Id<'set'> | null;
  /** The invoice that it pays. */
  invoice: Id<'in'> | null;
  /** The checkout session that it is a try of. */
  checkout_session: Id<'cs'> | null;
  /** What it gets with the approval, and not before: it is made in the same commit. Null: nothing. */
  on_approval: OnApproval | null;
  /** Where the cardholder has to go. */
  next_action: string | null;
  failure_code: string | null;
  failure_decline_code: string | null;
  failure_message: string | null;
  /** What to do about the decline by which it failed; null: nobody has said. */
  advice: Advice | null;
  canceled_at: Date | null;
  cancellation_reason: string | null;
  /** Whether it was captured at the processor without the gateway; null: no. */
  captured_elsewhere: boolean | null;
  /** Refunds that are pending or succeeded; null before the first one. */
  amount_refunded: number | null;
  /** The latest dispute about it. */
  dispute: Id<'dp'> | null;
  /** The attempt that holds or took the money. */
  authorization_attempt: AttemptId | null;
  /** The attempt whose outcome is not known yet. Until it is settled, no other verb is sent to the processor. */
  open_attempt: AttemptId | null;
  /** The processor account that took it; null for a processor that needs none. */
  processor: PaymentProcessor | null;
  /** That of `processor`, for statistics and lists. */
  processor_account: ProcessorAccountId | null;
  /** When it is canceled, unless the cardholder or the merchant acts before. */
  expires_at: Date | null;
};

type PaymentProcessor = { account: ProcessorAccountId; connector: string; reference?: string };

/** A processor account that has taken a payment; null for a processor that needs none. */
export function takenBy(processor: PaymentProcessor | null): Pick<Payment, 'processor' | 'processor_account'> {
  return { processor, processor_account: processor?.account ?? null };
}

/**
 * The customer whose payment it becomes, and the invoice that it pays then. `becomes_default`: its method, which is kept, pays the next
 * invoices of the subscription too.
 */
export type OnApproval = { customer?: Id<'cus'>; invoice?: Id<'in'>; becomes_default?: true };

/** The payment once it is approved. */
export function approved(payment: Payment): Payment {
  const { on_approval, customer, invoice } = payment;
  if (on_approval === null) return payment;
  return {
    ...payment,
    customer: customer ?? on_approval.customer ?? null,
    invoice: invoice ?? on_approval.invoice ?? null,
    on_approval: null,
  };
}

export const untouched = {
  next_action: null,
  failure_code: null,
  failure_decline_code: null,
  failure_message: null,
  advice: null,
  canceled_at: null,
  cancellation_reason: null,
  amount_refunded: null,
  dispute: null,
  open_attempt: null,
  expires_at: null,
} as const;
