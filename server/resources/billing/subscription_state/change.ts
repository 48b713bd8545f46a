import type { Part } from '../../../operations/operation.ts';
import { previousAttributes } from '../../../operations/previous.ts';
import type { EventDraft } from '../../../outbox/event.ts';
import type { Reader } from '../../payments/attempts/topic.ts';
import { dueAt } from '../../payments/test_clocks/time.ts';
import { serializeSubscription, subscriptionEvent } from './schema.ts';
import { priceRows, saveSubscription, subscriptionsTable } from './store.ts';
import { nextDue, type Subscription, type SubscriptionId } from './subscription.ts';

/** A subscription as it is stored, and as the next commit makes it. */
export type SubscriptionChange = {
  /** Undefined for one that is not stored yet. */
  before: Subscription | undefined;
  after: Subscription;
  /** They are sent after that of the change itself. */
  events: readonly EventDraft[];
};

/** A stored subscription before anything of it changes. */
export function noChange(subscription: Subscription): SubscriptionChange {
  return { before: subscription, after: subscription, events: [] };
}

export function findSubscription({ reads, tenant }: Reader, id: SubscriptionId): Promise<Subscription | undefined> {
  return reads.one(subscriptionsTable, tenant, id);
}

/** The rows and events of a change, and the subscription as it is stored then. `now` is real time, epoch milliseconds. */
export function saveChange(
  { before, after, events }: SubscriptionChange,
  now: number,
): Part & { subscription: Subscription } {
  const version = (before?.version ?? 0) + 1;
  const lost_at = isLost(before, after) ? new Date(now) : (before?.lost_at ?? null);
  const subscription = dueAt({ ...after, version, lost_at }, nextDue(after));
  return {
    writes: [saveSubscription(subscription), ...priceRows(before, subscription)],
    events: [...eventsOf(before, subscription), ...events.map((event) => ({ ...event, objectVersion: version }))],
    subscription,
  };
}

/** One whose first invoice was never paid has not begun. */
function isLost(before: Subscription | undefined, after: Subscription): boolean {
  const isOngoing = before !== undefined && before.status !== 'canceled' && before.status !== 'incomplete';
  return isOngoing && after.status === 'canceled';
}

/** The event of a change; none when it cannot be seen. */
function eventsOf(before: Subscription | undefined, after: Subscription): EventDraft[] {
  if (before === undefined) return [subscriptionEvent('subscription.created', after)];
  const previous = previousAttributes(serializeSubscription(before), serializeSubscription(after));
  return previous === undefined ? [] : [subscriptionEvent(typeOf(before, after), after, previous)];
}

function typeOf(before: Subscription, { status }: Subscription) {
  if (status === 'canceled' && before.status !== 'canceled') return 'subscription.canceled';
  if (status === 'paused' && before.status !== 'paused') return 'subscription.paused';
  return before.status === 'paused' && status !== 'paused' ? 'subscription.resumed' : 'subscription.updated';
}
