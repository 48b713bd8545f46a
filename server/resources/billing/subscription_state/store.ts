import { discard, insert, remove, save, type Table, table, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Subscription } from './subscription.ts';

export const subscriptionsTable: Table<Subscription> = table('subscriptions', {
  int4: 'tenant version interval_count open_invoices waiting_lines',
  text: `id customer status currency billing_interval period_invoice latest_invoice default_payment_method coupon
    test_clock external_id pending_setup cancellation_reason`,
  int8: `billing_cycle_anchor current_period_start current_period_end trial_start trial_end coupon_applied canceled_at
    ended_at paused_at created mrr`,
  bool: 'cancel_at_period_end trial_announced coupon_used gives_up',
  json: 'items credits metadata',
  timestamptz: 'due_at lease_until clock_due_at lost_at',
});

export const saveSubscription = (subscription: Subscription): Write => save(subscriptionsTable, subscription);

const columns = subscriptionsTable.columns.join(', ');

/** That a subscription has a price, for lists by price. */
type SubscriptionPrice = { tenant: Tenant; price: string; status: string; id: string; customer: string };

export const subscriptionPricesTable: Table<SubscriptionPrice> = table('subscription_prices', {
  int4: 'tenant',
  text: 'price status id customer',
  key: ['tenant', 'price', 'status', 'id'],
});

/** The rows by which a subscription is found by its prices, as far as they change. */
export function priceRows(before: Subscription | undefined, after: Subscription | undefined): Write[] {
  const [old, fresh] = [before, after].map((one) => (one === undefined ? new Map() : priceKeys(one))) as [
    PriceKeys,
    PriceKeys,
  ];
  return [
    ...[...old].filter(([key]) => !fresh.has(key)).map(([, row]) => discard(subscriptionPricesTable, row)),
    ...[...fresh].filter(([key]) => !old.has(key)).map(([, row]) => insert(subscriptionPricesTable, row)),
  ];
}

type PriceKeys = Map<string, SubscriptionPrice>;

function priceKeys({ tenant, id, status, items, customer }: Subscription): PriceKeys {
  return new Map(items.map(({ price }) => [`${price}/${status}`, { tenant, price, status, id, customer }]));
}

/** The subscriptions of a customer that are not canceled, oldest first. */
export function findLivingOf(reads: Reads, tenant: Tenant, customer: string, max: number): Promise<Subscription[]> {
  return reads.rows(
    `select ${columns} from subscriptions
      where tenant = $1 and customer = $2 and status in ('incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused')
      order by id limit $3`,
    [tenant, customer, max],
  );
}

export const removeSubscription = (subscription: Subscription): Write => remove(subscriptionsTable, subscription);
