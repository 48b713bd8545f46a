import type { Dunning } from '../../people/accounts/account.ts';
import { periodAt } from '../arithmetic/calendar.ts';
import { cancel, type InvoiceRef, inStatus, recurringOf, type Subscription } from './subscription.ts';

/** An event of an invoice that changes its subscription. */
export type InvoiceEvent = {
  type: 'opened' | 'paid' | 'reopened' | 'failed' | 'voided' | 'given_up' | 'exhausted';
  invoice: InvoiceRef;
  /** Epoch seconds, by the customer's clock. */
  at: number;
  /** The status of the subscription after dunning. */
  dunningEnd: Dunning['end'];
};

/** The subscription after an event of one of its invoices. Pure. */
export function applyInvoiceEvent(before: Subscription, event: InvoiceEvent): Subscription {
  const { type, invoice, at } = event;
  switch (type) {
    case 'opened':
      return { ...before, open_invoices: before.open_invoices + 1, latest_invoice: invoice };
    case 'reopened':
      return { ...before, open_invoices: before.open_invoices + 1 };
    case 'paid':
      return settleInvoiceOf(before.status === 'incomplete' ? inStatus(before, 'active') : before, at);
    case 'failed':
      return before.status === 'active' ? inStatus(before, 'past_due') : before;
    case 'voided':
    case 'given_up':
      return settleInvoiceOf(before, at);
    case 'exhausted':
      return endDunningOf(before, event);
  }
}

/** One of its open invoices is settled. When none is left, it goes on. */
function settleInvoiceOf(before: Subscription, at: number): Subscription {
  const subscription = { ...before, open_invoices: before.open_invoices - 1 };
  if (subscription.open_invoices > 0) return subscription;
  if (subscription.status === 'past_due') return inStatus(subscription, 'active');
  if (subscription.status === 'incomplete') return cancel(subscription, at);
  return subscription.status === 'unpaid' ? billAgain(subscription, at) : subscription;
}

/** It is billed again from the next boundary on. The time since the last period is never billed. */
function billAgain(before: Subscription, at: number): Subscription {
  const active = inStatus(before, 'active');
  if (at < before.current_period_end) return active;
  const { start, end } = periodAt(before.billing_cycle_anchor, recurringOf(before), at);
  const items = before.items.map((item) => ({ ...item, charged: null }));
  return { ...active, current_period_start: start, current_period_end: end, period_invoice: null, items };
}

function endDunningOf(before: Subscription, { at, dunningEnd }: InvoiceEvent): Subscription {
  if (before.status !== 'past_due' || dunningEnd === 'past_due') return before;
  return dunningEnd === 'unpaid' ? inStatus(before, 'unpaid') : { ...cancel(before, at), gives_up: true };
}
