import { invalid, unfit } from './errors.ts';
import { listOf, listParams } from './lists.ts';
import type { FakeParams } from './reading.ts';
import { type FakeCall, type FakeEndpoint, inPath, named, namedCustomer, retrieval } from './route.ts';
import type {
  FakeCoupon,
  FakeCustomer,
  FakeDiscount,
  FakePaymentMethod,
  FakePrice,
  FakeSubscription,
  FakeSubscriptionItem,
} from './shapes.ts';
import { billFrom, endSubscription, periodEnd, renewLater, setPeriod } from './subscription_billing.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/subscriptions';
// biome-ignore format: a list of words
const facts = [
  'cancel_at_period_end', 'collection_method', 'customer', 'days_until_due', 'default_payment_method', 'description',
  'discounts', 'items', 'metadata', 'trial_end',
];
// biome-ignore format: a list of words
const statuses = [
  'all', 'ended', 'active', 'canceled', 'incomplete', 'incomplete_expired', 'past_due', 'paused', 'trialing', 'unpaid',
] as const;

export const subscriptionEndpoints: readonly FakeEndpoint[] = [
  { method: 'POST', path, run: create },
  {
    method: 'GET',
    path,
    run: ({ world, params }) => {
      params.only(...listParams, 'customer', 'status');
      const [customer, status] = [params.text('customer'), params.oneOf('status', statuses)];
      const fits = (one: FakeSubscription) =>
        hasStatus(one, status) && (customer === undefined || one.customer === customer);
      return listOf(path, params, world.all<FakeSubscription>('subscription'), fits);
    },
  },
  retrieval<FakeSubscription>('subscription', path),
  { method: 'POST', path: `${path}/:id`, run: update },
  {
    method: 'DELETE',
    path: `${path}/:id`,
    run: (call) => {
      call.params.only('expand');
      const subscription = inPath<FakeSubscription>(call, 'subscription');
      requireCurrent(subscription);
      endSubscription(call.world, subscription);
      return subscription;
    },
  },
];

/** Without a status, all are listed that have not been canceled, as at Stripe. */
function hasStatus({ status, ended_at }: FakeSubscription, wanted: (typeof statuses)[number] | undefined): boolean {
  if (wanted === undefined) return status !== 'canceled';
  if (wanted === 'all') return true;
  return wanted === 'ended' ? ended_at !== null : status === wanted;
}

/** A deleted customer has no subscriptions left. */
export function endSubscriptionsOf(world: FakeWorld, { id }: FakeCustomer): void {
  for (const one of world.all<FakeSubscription>('subscription'))
    if (one.customer === id && one.ended_at === null) endSubscription(world, one);
}

function create({ world, params }: FakeCall): object {
  params.only(...facts, 'expand');
  const customer = namedCustomer(world, params.needed('customer'));
  const subscription = newSubscription(world, params, customer);
  const [price] = pricesOf(subscription);
  const { trial_end, billing_cycle_anchor: anchor } = subscription;
  setPeriod(subscription, world.seconds(), trial_end ?? periodEnd(anchor, price!.recurring!, 0));
  world.add(subscription);
  if (trial_end === null) billFrom(world, subscription, 0);
  else renewLater(world, subscription, 0);
  world.report('customer.subscription.created', subscription);
  return subscription;
}

function pricesOf({ items }: FakeSubscription): FakePrice[] {
  return items.data.map(({ price }) => price);
}

function newSubscription(world: FakeWorld, params: FakeParams, customer: FakeCustomer): FakeSubscription {
  const id = world.newId('sub');
  const now = world.seconds();
  const data = itemsOf(world, params, id);
  const trialEnd = params.integer('trial_end') ?? null;
  if (trialEnd !== null && trialEnd <= now)
    throw invalid('trial_end must be a timestamp in the future.', { param: 'trial_end' });
  return {
    id,
    object: 'subscription',
    application: null,
    application_fee_percent: null,
    automatic_tax: { enabled: false },
    billing_cycle_anchor: trialEnd ?? now,
    billing_thresholds: null,
    cancel_at: null,
    cancel_at_period_end: params.flag('cancel_at_period_end') ?? false,
    canceled_at: null,
    cancellation_details: { comment: null, feedback: null, reason: null },
    collection_method:
      params.oneOf('collection_method', ['charge_automatically', 'send_invoice']) ?? 'charge_automatically',
    created: now,
    currency: data[0]!.price.currency,
    customer: customer.id,
    days_until_due: params.integer('days_until_due') ?? null,
    default_payment_method: ownMethodOf(world, params, customer),
    default_source: null,
    default_tax_rates: [],
    description: params.text('description') ?? null,
    discounts: discountsOf(world, params, id, customer),
    ended_at: null,
    items: { object: 'list', data, has_more: false, url: `/v1/subscription_items?subscription=${id}` },
    latest_invoice: null,
    livemode: world.settings.livemode,
    metadata: params.metadata(),
    next_pending_invoice_item_invoice: null,
    on_behalf_of: null,
    pause_collection: null,
    pending_invoice_item_interval: null,
    pending_setup_intent: null,
    pending_update: null,
    schedule: null,
    start_date: now,
    status: trialEnd === null ? 'active' : 'trialing',
    test_clock: null,
    transfer_data: null,
    trial_end: trialEnd,
    trial_start: trialEnd === null ? null : now,
  };
}

function itemsOf(world: FakeWorld, params: FakeParams, subscription: string): FakeSubscriptionItem[] {
  const items = params.groups('items').map((given): FakeSubscriptionItem => {
    given.only('price', 'quantity');
    const price = named<FakePrice>(world, 'price', given.needed('price'), 'items[0][price]');
    if (price.recurring === null)
      throw invalid(
        'The price specified is set to `type=one_time` but this field only accepts prices with `type=recurring`.',
        { param: 'items[0][price]' },
      );
    return {
      id: world.newId('si'),
      object: 'subscription_item',
      billing_thresholds: null,
      created: world.seconds(),
      current_period_end: 0,
      current_period_start: 0,
      discounts: [],
      metadata: {},
      price,
      quantity: given.integer('quantity') ?? 1,
      subscription,
      tax_rates: [],
    };
  });
  if (items.length > 0) return items;
  throw invalid('Missing required param: items.', { code: 'parameter_missing', param: 'items' });
}

function ownMethodOf(world: FakeWorld, params: FakeParams, customer: FakeCustomer): string | null {
  const id = params.text('default_payment_method');
  if (id === undefined) return null;
  const method = named<FakePaymentMethod>(world, 'payment_method', id, 'default_payment_method');
  if (method.customer === customer.id) return method.id;
  throw unfit('The customer does not have a payment method with the ID provided.', { param: 'default_payment_method' });
}

function discountsOf(world: FakeWorld, params: FakeParams, subscription: string, customer: FakeCustomer): string[] {
  return params.groups('discounts').map((given) => {
    given.only('coupon');
    const coupon = named<FakeCoupon>(world, 'coupon', given.needed('coupon'), 'discounts[0][coupon]');
    const start = world.seconds();
    const months = coupon.duration_in_months;
    const discount: FakeDiscount = {
      id: world.newId('di'),
      object: 'discount',
      checkout_session: null,
      customer: customer.id,
      end:
        months === null
          ? null
          : periodEnd(start, { interval: 'month', interval_count: months, usage_type: 'licensed' }, 0),
      invoice: null,
      invoice_item: null,
      promotion_code: null,
      source: { coupon: coupon.id, type: 'coupon' },
      start,
      subscription,
    };
    coupon.times_redeemed += 1;
    return world.add(discount).id;
  });
}

function requireCurrent({ ended_at, id }: FakeSubscription): void {
  if (ended_at === null) return;
  throw unfit(`No such subscription: '${id}'`, { code: 'resource_missing', param: 'id' });
}

/** Of one that has ended, metadata alone can be changed. */
function update(call: FakeCall): object {
  const { world, params } = call;
  params.only('cancel_at_period_end', 'default_payment_method', 'metadata', 'pause_collection', 'expand');
  const subscription = inPath<FakeSubscription>(call, 'subscription');
  if (params.names().some((name) => name !== 'metadata' && name !== 'expand')) requireCurrent(subscription);
  const customer = world.get<FakeCustomer>(subscription.customer);
  subscription.default_payment_method = ownMethodOf(world, params, customer) ?? subscription.default_payment_method;
  subscription.metadata = params.metadata(subscription.metadata);
  const ends = params.flag('cancel_at_period_end');
  if (ends !== undefined && ends !== subscription.cancel_at_period_end) {
    const end = subscription.items.data[0]!.current_period_end;
    Object.assign(subscription, {
      cancel_at_period_end: ends,
      cancel_at: ends ? end : null,
      canceled_at: ends ? world.seconds() : null,
    });
  }
  if (params.has('pause_collection')) subscription.pause_collection = pauseOf(params);
  world.report('customer.subscription.updated', subscription);
  return subscription;
}

/** An empty text ends the pause. */
function pauseOf(params: FakeParams): FakeSubscription['pause_collection'] {
  if (params.isEmpty('pause_collection')) return null;
  const given = params.group('pause_collection').only('behavior');
  given.needed('behavior');
  return { behavior: given.oneOf('behavior', ['keep_as_draft', 'mark_uncollectible', 'void'])!, resumes_at: null };
}
