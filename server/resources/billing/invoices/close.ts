import { inquiryPause, isOverdue } from '../../payments/attempts/subject.ts';
import type { Invoice } from './invoice.ts';

/*
 * An invoice that is being closed: its payment is canceled, and money that came after all is refunded. All of this is in real time, whatever
 * the customer's clock, because it happens at a processor.
 */

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const firstRefundPauseMs = 15 * minuteMs;
const refundPauseMaxMs = 24 * hourMs;
/** The number of failures before a person is asked. */
const refundTriesMin = 3;

/** How long to wait after a refund has failed: each is a separate refund, with an event, so the pauses are long. */
export function refundPause(tries: number): number {
  return Math.min(firstRefundPauseMs * 2 ** Math.max(0, tries - 1), refundPauseMaxMs);
}

/** The invoice, due after a pause. */
function postpone(invoice: Invoice, now: number, pauseMs: number, change: Partial<Invoice> = {}): Invoice {
  const since = invoice.closing_since ?? new Date(now);
  const due = { due_at: new Date(now + pauseMs), lease_until: null };
  return { ...invoice, version: invoice.version + 1, closing_since: since, ...due, ...change };
}

/** The cancel of its payment is asked for. Should the processor decline it, it is asked for again with growing pauses. */
export function requestCancel(invoice: Invoice, now: number): Invoice {
  const tries = invoice.closing_tries + 1;
  const flagged = isOverdue(invoice.closing_since ?? now, now)
    ? { flagged_at: invoice.flagged_at ?? new Date(now) }
    : {};
  return postpone(invoice, now, inquiryPause(tries), { closing_tries: tries, ...flagged });
}

/** A refund is in flight, or cannot be made yet. Its end makes the invoice due; this due time covers an end that no processor reports. */
export function awaitRefund(invoice: Invoice, now: number): Invoice {
  return postpone(invoice, now, hourMs);
}

/** Only a person can help. It is looked at whether one has. */
export function flagInvoice(invoice: Invoice, now: number): Invoice {
  return postpone(invoice, now, hourMs, { flagged_at: invoice.flagged_at ?? new Date(now) });
}

/** Whether refunds have failed so often that another one would fail too: for days, or until a person was asked. */
export function isRefundHopeless({ closing_tries, closing_since, flagged_at }: Invoice, now: number): boolean {
  return closing_tries >= refundTriesMin && (flagged_at !== null || isOverdue(closing_since ?? now, now));
}

/**
 * A refund has failed, or came back: the money of an invoice that is void has to be given back once more. If a person has given back what
 * the refunds had left, only they know how much that was: they are asked again, and nothing is refunded automatically.
 */
export function recordFailedRefund(invoice: Invoice, now: number): Invoice {
  const failures = invoice.closing_tries + 1;
  const tries = isClosedByHand(invoice) ? Math.max(failures, refundTriesMin) : failures;
  return postpone(invoice, now, refundPause(tries), { closing: 'refund', closing_tries: tries });
}

/** A refund has succeeded: the job checks immediately whether that was all. */
export function recordRefund(invoice: Invoice, now: number): Invoice {
  return postpone(invoice, now, 0);
}

/** The cardholder has the money back. The tries are kept, because the bank may still return the refund. */
export function closeInvoice(invoice: Invoice): Invoice {
  const idle = { closing: null, flagged_at: null, due_at: null, lease_until: null };
  return { ...invoice, version: invoice.version + 1, ...idle };
}

/** A person has given the money back in another way than by a refund. */
export function closeByHand(invoice: Invoice): Invoice {
  return { ...closeInvoice(invoice), flagged_at: invoice.flagged_at };
}

function isClosedByHand({ closing, flagged_at }: Invoice): boolean {
  return closing === null && flagged_at !== null;
}
