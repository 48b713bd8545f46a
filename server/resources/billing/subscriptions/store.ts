import { discard, insert, remove, save, type Table, table, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Reader } from '../../payments/attempts/topic.ts';
import type { PaymentId } from '../../payments/payments/payment.ts';
import type { SubscriptionId } from '../invoices/invoice.ts';
import type { Line } from '../invoices/line.ts';
import type { PendingChange } from './pending_plan.ts';
import type { Subscription } from './subscription.ts';

export const subscriptionsTable: Table<Subscription> = table('subscriptions', {
  int4: 'tenant version interval_count open_invoices waiting_lines',
  text: `id customer status currency billing_interval period_invoice latest_invoice default_payment_method coupon
    test_clock`,
  int8: `billing_cycle_anchor current_period_start current_period_end trial_start trial_end coupon_applied canceled_at
    ended_at paused_at created`,
  bool: 'cancel_at_period_end trial_announced coupon_used gives_up',
  json: 'items credits metadata',
  timestamptz: 'due_at lease_until clock_due_at',
});

export const saveSubscription = (subscription: Subscription): Write => save(subscriptionsTable, subscription);

const columns = subscriptionsTable.columns.join(', ');

/** That a subscription has a price, for lists by price. */
type SubscriptionPrice = { tenant: Tenant; price: string; status: string; id: string; customer: string };

const subscriptionPricesTable: Table<SubscriptionPrice> = table('subscription_prices', {
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

/** A line that waits for the next invoice of its subscription. */
export type WaitingLine = { tenant: Tenant; id: string; version: number; subscription: SubscriptionId; line: Line };

export const waitingLinesTable: Table<WaitingLine> = table('waiting_lines', {
  int4: 'tenant version',
  text: 'id subscription',
  json: 'line',
});

export const addWaitingLine = (waiting: WaitingLine): Write => insert(waitingLinesTable, waiting);
export const takeWaitingLine = (waiting: WaitingLine): Write => remove(waitingLinesTable, waiting);

export const pendingChangesTable: Table<PendingChange> = table('pending_changes', {
  int4: 'tenant version',
  text: 'id',
  json: 'plan',
  timestamptz: 'due_at lease_until',
});

export const savePendingChange = (change: PendingChange): Write => save(pendingChangesTable, change);
export const removePendingChange = (change: PendingChange): Write => remove(pendingChangesTable, change);

/** Whether a change waits for a payment: then a challenge of the payment is a decline. */
export async function hasPendingChange({ reads, tenant }: Reader, payment: PaymentId): Promise<boolean> {
  return (await reads.one(pendingChangesTable, tenant, payment)) !== undefined;
}

export function findWaitingLines(reads: Reads, tenant: Tenant, subscription: SubscriptionId): Promise<WaitingLine[]> {
  return reads.rows(
    `select ${waitingLinesTable.columns.join(', ')} from waiting_lines
      where tenant = $1 and subscription = $2 order by id`,
    [tenant, subscription],
  );
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
