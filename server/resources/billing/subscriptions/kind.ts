import { type Kind, requireRow } from '../../../operations/descriptor.ts';
import { SubscriptionOutput } from './schema.ts';
import { subscriptionsTable } from './store.ts';
import { presentSubscription, type Subscription, subscriptionEvent } from './subscription.ts';

export const subscriptionKind: Kind<Subscription> = {
  resource: 'subscriptions',
  noun: 'subscription',
  prefix: 'sub',
  table: subscriptionsTable,
  present: presentSubscription,
  output: SubscriptionOutput,
  clockOf: ({ test_clock }) => test_clock,
  event: subscriptionEvent as Kind<Subscription>['event'] & {},
};

export const requireSubscription = requireRow(subscriptionKind);
