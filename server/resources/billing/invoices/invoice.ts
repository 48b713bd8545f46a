import type { Id } from '../../../base/id.ts';
import type { Leasable } from '../../../base/lease.ts';
import type { Metadata } from '../../../operations/metadata.ts';
import type { CustomerId } from '../../payments/customers/customer.ts';
import type { PaymentId } from '../../payments/payments/payment.ts';
import type { Period } from '../arithmetic/calendar.ts';
import type { SubscriptionId } from '../subscription_state/subscription.ts';
import { type Line, totalsOf } from './line.ts';
import type { Parties } from './parties.ts';

export type InvoiceId = Id<'in'>;

export const invoiceStatuses = ['draft', 'open', 'paid', 'void', 'uncollectible'] as const;
export type InvoiceStatus = (typeof invoiceStatuses)[number];

export const billingReasons = ['subscription_create', 'subscription_cycle', 'subscription_update', 'manual'] as const;
export type BillingReason = (typeof billingReasons)[number];

export type InvoiceSignal = 'finalize' | 'pay' | 'void' | 'give_up' | 'reopen' | 'give_up_again';
type InvoiceMoves = Record<InvoiceStatus, Partial<Record<InvoiceSignal, InvoiceStatus>>>;

export const invoiceMoves = {
  draft: { finalize: 'open', void: 'void' },
  open: { pay: 'paid', void: 'void', give_up: 'uncollectible' },
  uncollectible: { pay: 'paid', void: 'void' },
  paid: { reopen: 'open', give_up_again: 'uncollectible' },
  void: {},
} as const satisfies InvoiceMoves;

/** The status after a signal; undefined when there is no such move. */
export function moveInvoice(from: InvoiceStatus, signal: InvoiceSignal): InvoiceStatus | undefined {
  return (invoiceMoves as InvoiceMoves)[from][signal];
}

export const invoiceEvents = {
  'invoice.created': 'A draft of an invoice was created; an invoice of a subscription begins as one too.',
  'invoice.updated': 'The metadata of an invoice changed.',
  'invoice.finalized': 'An invoice got its number and is open.',
  'invoice.paid': 'An invoice was paid, by a payment, by credit, or because nothing was due.',
  'invoice.payment_failed': 'A payment of an invoice failed, or there was no method to charge.',
  'invoice.payment_action_required': 'A payment of an invoice needs the cardholder, who is not on its page.',
  'invoice.voided': 'An invoice became void.',
  'invoice.marked_uncollectible': 'An invoice was given up, by a request or at the end of the retries.',
} as const;

/** Why a charge has failed. */
export type LastFailure = { code: string; decline_code?: string; message: string };

/** Times are epoch seconds, by the customer's test clock where there is one. */
export type Invoice = Leasable & {
  id: InvoiceId;
  customer: CustomerId;
  subscription: SubscriptionId | null;
  status: InvoiceStatus;
  billing_reason: BillingReason;
  currency: string;
  /** Null in a draft. */
  number: number | null;
  lines: readonly Line[];
  subtotal: number;
  discount: number;
  /** The part of the customer's credit that is used for it. */
  credit_applied: number;
  amount_due: number;
  amount_paid: number;
  period_start: number;
  period_end: number;
  /** The latest payment that was made for it. */
  payment: PaymentId | null;
  /** Its payment has no outcome yet. */
  is_charging: boolean;
  attempt_count: number;
  /** When collecting it failed for the first time: the days of dunning count from here. */
  failed_at: number | null;
  next_payment_attempt: number | null;
  last_failure: LastFailure | null;
  paid_at: number | null;
  /** When it was paid after a failure, or given up, in real time. */
  dunning_ended_at: Date | null;
  /** It was uncollectible when it was paid. */
  was_given_up: boolean;
  voided_at: number | null;
  /** void: as soon as its payment is over. refund: it is void, and its payment has succeeded after all. */
  closing: 'void' | 'refund' | null;
  /** How often its payment was canceled, or refunded, in vain. */
  closing_tries: number;
  /** Since when it is being closed, in real time. */
  closing_since: Date | null;
  /** When it was found that only a person can close it. It stays where the person has given the money back in another way. */
  flagged_at: Date | null;
  /** As they were when it was finalized; null: it was not, or long ago. */
  seller: Parties['seller'] | null;
  buyer: Parties['buyer'];
  finalized_at: number | null;
  /** Of the page where the customer sees and pays it; null: as `seller`. */
  hosted_url: string | null;
  /** Null: never supplied. */
  metadata: Metadata | null;
  test_clock: Id<'clock'> | null;
  created: number;
  /** When it is due by its test clock; `due_at` is by real time. */
  clock_due_at: Date | null;
};

/** Of an invoice that is not being closed. */
export const notClosing = { closing: null, closing_tries: 0, closing_since: null, flagged_at: null } as const;

/** The members that can make an invoice large. */
export const largeParts = ({ lines, metadata, seller, buyer }: Invoice) => [lines, metadata, seller, buyer];

export type NewInvoice = Pick<
  Invoice,
  'tenant' | 'id' | 'customer' | 'subscription' | 'billing_reason' | 'currency' | 'test_clock' | 'created'
> & { period: Period; lines: readonly Line[] };

/** A draft. It is not stored yet. */
export function newInvoice({ period, lines, ...facts }: NewInvoice): Invoice {
  const { subtotal, discount } = totalsOf(lines);
  return {
    ...facts,
    version: 0,
    status: 'draft',
    number: null,
    lines,
    subtotal,
    discount,
    credit_applied: 0,
    amount_due: Math.max(0, subtotal - discount),
    amount_paid: 0,
    period_start: period.start,
    period_end: period.end,
    payment: null,
    is_charging: false,
    attempt_count: 0,
    failed_at: null,
    next_payment_attempt: null,
    last_failure: null,
    paid_at: null,
    dunning_ended_at: null,
    was_given_up: false,
    voided_at: null,
    ...notClosing,
    seller: null,
    buyer: null,
    finalized_at: null,
    hosted_url: null,
    metadata: null,
    due_at: null,
    lease_until: null,
    clock_due_at: null,
  };
}

/** Below 0 when the customer gets credit for it. */
export function totalOf({ subtotal, discount }: Pick<Invoice, 'subtotal' | 'discount'>): number {
  return subtotal - discount;
}

export function numberText(number: number): string {
  return `INV-${String(number).padStart(6, '0')}`;
}
