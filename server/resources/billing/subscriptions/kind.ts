import { type Kind, requireRow } from '../../../operations/descriptor.ts';
import { guardedByClock } from '../../payments/test_clocks/time.ts';
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
  changeGuard: guardedByClock,
  event: subscriptionEvent as Kind<Subscription>['event'] & {},
};

export const requireSubscription = requireRow(subscriptionKind);
