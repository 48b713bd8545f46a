import { type Descriptor, requireRow } from '../../../operations/descriptor.ts';
import { guardedByClock } from '../../payments/test_clocks/time.ts';
import { SubscriptionOutput, serializeSubscription, subscriptionEvent } from '../subscription_state/schema.ts';
import { subscriptionsTable } from '../subscription_state/store.ts';
import type { Subscription } from '../subscription_state/subscription.ts';

export const subscriptionDescriptor: Descriptor<Subscription> = {
  resource: 'subscriptions',
  noun: 'subscription',
  prefix: 'sub',
  table: subscriptionsTable,
  serialize: serializeSubscription,
  output: SubscriptionOutput,
  customer: 'customer',
  changeGuard: guardedByClock,
  event: subscriptionEvent as Descriptor<Subscription>['event'] & {},
};

export const requireSubscription = requireRow(subscriptionDescriptor);
