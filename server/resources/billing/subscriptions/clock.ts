import { dueByClock } from '../../payments/test_clocks/due_by_clock.ts';
import { priceRows, removeSubscription, subscriptionsTable } from '../subscription_state/store.ts';
import { advanceName } from './advance.ts';

/** Subscriptions under a test clock. They go with a deleted clock. */
export const subscriptionsOfClocks = dueByClock({
  table: subscriptionsTable,
  job: 'subscriptions',
  operation: advanceName,
  isOver: `status = 'canceled'`,
  remove: (subscription) => [removeSubscription(subscription), ...priceRows(subscription, undefined)],
});
