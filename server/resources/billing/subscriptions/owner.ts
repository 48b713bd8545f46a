import type { Part } from '../../../operations/operation.ts';
import { previousAttributes } from '../../../operations/previous.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import type { Dunning } from '../../people/accounts/account.ts';
import { periodAt } from '../arithmetic/calendar.ts';
import type { InvoiceNews, InvoiceOwner } from '../invoices/bill.ts';
import { dueAt, type Invoice } from '../invoices/invoice.ts';
import { priceRows, saveSubscription } from './store.ts';
import {
  canceled,
  inStatus,
  nextDue,
  recurringOf,
  type Subscription,
  serializeSubscription,
  subscriptionEvent,
} from './subscription.ts';

/** A subscription as its invoices see it. Immutable. */
export type SubscriptionOwner = InvoiceOwner & { subscription: Subscription };

/** `stored` is undefined for one that is not stored yet. `events` are sent after that of the change itself. */
export function ownerOf(
  stored: Subscription | undefined,
  subscription: Subscription,
  events: readonly EventDraft[] = [],
): SubscriptionOwner {
  const { status } = subscription;
  return {
    subscription,
    isDunned: status === 'active' || status === 'past_due' || status === 'unpaid' || status === 'paused',
    isEnded: status === 'canceled',
    told: (news, invoice, at, dunning) => ownerOf(stored, after(subscription, news, invoice, at, dunning), events),
    saved: () => saved(stored, subscription, events),
  };
}

/** The subscription after news of one of its invoices. Pure. */
export function after(
  before: Subscription,
  news: InvoiceNews,
  invoice: Invoice,
  at: number,
  { end }: Pick<Dunning, 'end'>,
): Subscription {
  switch (news) {
    case 'opened':
      return { ...before, open_invoices: before.open_invoices + 1, latest_invoice: invoice.id };
    case 'reopened':
      return { ...before, open_invoices: before.open_invoices + 1 };
    case 'paid':
      return settled(before.status === 'incomplete' ? inStatus(before, 'active') : before, at);
    case 'failed':
      return before.status === 'active' ? inStatus(before, 'past_due') : before;
    case 'voided':
    case 'given_up':
      return settled(before, at);
    case 'exhausted':
      return exhausted(before, end, at);
  }
}

/** One of its open invoices is settled. When none is left, it goes on. */
function settled(before: Subscription, at: number): Subscription {
  const subscription = { ...before, open_invoices: before.open_invoices - 1 };
  if (subscription.open_invoices > 0) return subscription;
  if (subscription.status === 'past_due') return inStatus(subscription, 'active');
  if (subscription.status === 'incomplete') return canceled(subscription, at);
  return subscription.status === 'unpaid' ? billedAgain(subscription, at) : subscription;
}

/** It is billed again from the next boundary on. The time since the last period is never billed. */
function billedAgain(before: Subscription, at: number): Subscription {
  const active = inStatus(before, 'active');
  if (at < before.current_period_end) return active;
  const { start, end } = periodAt(before.billing_cycle_anchor, recurringOf(before), at);
  const items = before.items.map((item) => ({ ...item, charged: null }));
  return { ...active, current_period_start: start, current_period_end: end, period_invoice: null, items };
}

function exhausted(before: Subscription, end: Dunning['end'], at: number): Subscription {
  if (before.status !== 'past_due' || end === 'past_due') return before;
  return end === 'unpaid' ? inStatus(before, 'unpaid') : { ...canceled(before, at), gives_up: true };
}

function saved(
  stored: Subscription | undefined,
  changed: Subscription,
  events: readonly EventDraft[],
): Part & { owner: InvoiceOwner } {
  const version = (stored?.version ?? 0) + 1;
  const subscription = dueAt({ ...changed, version }, nextDue(changed));
  return {
    writes: [saveSubscription(subscription), ...priceRows(stored, subscription)],
    events: [...eventsOf(stored, subscription), ...events.map((event) => ({ ...event, objectVersion: version }))],
    owner: ownerOf(subscription, subscription),
  };
}

/** The event of a change; none when it cannot be seen. */
function eventsOf(stored: Subscription | undefined, subscription: Subscription): EventDraft[] {
  if (stored === undefined) return [subscriptionEvent('subscription.created', subscription)];
  const previous = previousAttributes(serializeSubscription(stored), serializeSubscription(subscription));
  return previous === undefined ? [] : [subscriptionEvent(typeOf(stored, subscription), subscription, previous)];
}

function typeOf(stored: Subscription, { status }: Subscription) {
  if (status === 'canceled' && stored.status !== 'canceled') return 'subscription.canceled';
  if (status === 'paused' && stored.status !== 'paused') return 'subscription.paused';
  return stored.status === 'paused' && status !== 'paused' ? 'subscription.resumed' : 'subscription.updated';
}
