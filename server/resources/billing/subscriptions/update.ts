import { checkExternalId } from '../../../operations/external_id.ts';
import { changeMetadata } from '../../../operations/metadata.ts';
import { type AnyOperation, type Context, type Input, operation } from '../../../operations/operation.ts';
import { declineCodes } from '../../payments/attempts/errors.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import { requireCustomer } from '../../payments/customers/operations.ts';
import { methodCodes } from '../../payments/payment_methods/errors.ts';
import { requireMethodOf } from '../../payments/payment_methods/operations.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import { clockCodes } from '../../payments/test_clocks/errors.ts';
import { clockedFor } from '../../payments/test_clocks/time.ts';
import { chargeByMerchant } from '../invoices/collect.ts';
import { SubscriptionOutput } from '../subscription_state/schema.ts';
import { type Item, inStatus, methodFor, recurringOf, type Subscription } from '../subscription_state/subscription.ts';
import { applyPlan, resumeSubscription } from './apply_plan.ts';
import { changedByCustomers } from './by_customers.ts';
import { changeItems, type ItemChange } from './change.ts';
import type { Creditable } from './creditable.ts';
import { requireSubscription, subscriptionDescriptor } from './descriptor.ts';
import { apiError } from './errors.ts';
import { retriesOf } from './pending_change.ts';
import { type ItemsPlan, type Plan, type Proration, planFirst, planInterval, planItems } from './plan.ts';
import { creditableOf, periodInvoices } from './read_creditable.ts';
import { checkAnchor, checkItems, checkTrialEnd, readCoupon, readPrices } from './read_input.ts';
import { SubscriptionInput } from './schema.ts';
import { type InvoiceSources, readSources } from './sources.ts';
import { announceTrialEnd } from './trial.ts';

type UpdateWish = Input<typeof SubscriptionInput, 'clear'>;

export const updateOperation = (payments: PaymentTopic): AnyOperation =>
  operation({
    name: 'subscriptions.update',
    summary: 'Update a subscription',
    description:
      'Changes only what it names. A change of items is prorated on the next invoice, unless `proration` says otherwise. Another payment method is tried immediately for open invoices that have failed, and a change to prices of another period begins a new period now. If the charge for an invoice that is made now fails, the change stays, and the subscription is `past_due`; with `payment_behavior` `error_if_incomplete` the answer is 402, and nothing has changed.',
    route: 'POST /subscriptions/:id',
    // Who may cancel may take it back.
    lesser: { right: 'handle', parameters: { cancel_at_period_end: false } },
    customers: changedByCustomers,
    input: SubscriptionInput,
    nulls: 'clear',
    output: SubscriptionOutput,
    errors: [
      ...clockCodes,
      ...methodCodes,
      ...declineCodes,
      ...apiError.codes('subscription_not_updatable', 'amount_too_large', 'coupon_not_usable', 'parameter_missing'),
    ],
    check(input) {
      for (const param of [
        'items',
        'proration',
        'proration_date',
        'trial_end',
        'cancel_at_period_end',
        'payment_behavior',
      ] as const)
        if (input[param] === null) throw apiError('parameter_invalid', { param, reason: 'it cannot be cleared' });
      if (input.proration_date !== undefined && input.items === undefined)
        throw apiError('parameter_invalid', { param: 'proration_date', reason: 'it is for a change of items' });
    },
    async run(context, input) {
      const stored = await requireSubscription(context);
      const customer = await requireCustomer(context, stored.customer);
      const { now, writes } = await clockedFor(context, customer.test_clock);
      const at = Math.floor(now / 1_000);
      const changed = await withPlainChanges(context, stored, customer, input, at);
      const sources = await readSources(context, customer, changed, at, pricesIn(input.items ?? []));
      const plan = await planOf(context, changed, sources, input);
      const { subscription, events } = announceTrialEnd(plan.subscription, at);
      const retries = await retriesOf(context, stored, subscription, at);
      const terms = {
        stored,
        charge: chargeByMerchant(methodFor(subscription, customer)),
        paysFirst: input.payment_behavior === 'error_if_incomplete',
        events: [...events, ...retries.events],
        writes: retries.writes,
        clockWrites: writes,
      };
      return applyPlan(context, payments, sources, { ...plan, subscription }, terms);
    },
    resume: resumeSubscription(payments),
  });

export function pricesIn(items: readonly ItemChange[]): string[] {
  return items.flatMap(({ price }) => price ?? []);
}

function refuse(reason: string, param = 'id') {
  return apiError('subscription_not_updatable', { param, reason });
}

/** The parameters that a canceled subscription can be updated with. */
const alwaysChangeable = new Set(['metadata', 'external_id']);

/** The changes that bill nothing: method, coupon, metadata, and whether it ends with its period. */
async function withPlainChanges(
  context: Context,
  before: Subscription,
  customer: Customer,
  input: UpdateWish,
  at: number,
): Promise<Subscription> {
  const metadata = changeMetadata(before.metadata, input.metadata);
  const { default_payment_method: method, coupon, cancel_at_period_end: atEnd } = input;
  const { external_id = before.external_id } = input;
  const isMore = Object.entries(input).some(([name, value]) => !alwaysChangeable.has(name) && value !== undefined);
  if (before.status === 'canceled' && isMore)
    throw refuse('it is canceled, and only its metadata and its external_id can be changed');
  await checkExternalId(context, subscriptionDescriptor, external_id, before);
  if (typeof method === 'string') await requireMethodOf(context, customer, method);
  if (typeof coupon === 'string') await readCoupon(context, coupon, before.currency);
  const isOther = coupon !== undefined && coupon !== before.coupon;
  return {
    ...before,
    metadata,
    external_id,
    ...(method === undefined ? {} : { default_payment_method: method as Subscription['default_payment_method'] }),
    ...(isOther
      ? { coupon: coupon as Subscription['coupon'], coupon_applied: coupon === null ? null : at, coupon_used: false }
      : {}),
    ...(typeof atEnd === 'boolean' && atEnd !== before.cancel_at_period_end
      ? { cancel_at_period_end: atEnd, canceled_at: atEnd ? at : null, cancellation_reason: null }
      : {}),
  };
}

async function planOf(
  context: Context,
  subscription: Subscription,
  sources: InvoiceSources,
  input: UpdateWish,
): Promise<Plan> {
  const { items, trial_end } = input;
  const { trial_end: _, ...rest } = input;
  if (trial_end === 'now' && subscription.status === 'trialing') {
    const changed =
      items == null ? { subscription } : await planItemsOf(context, subscription, sources, rest as ItemsWish);
    return endTrial(changed.subscription, sources);
  }
  const timed = trial_end == null ? subscription : withTrialEnd(subscription, trial_end as number, sources.at);
  return items == null ? { subscription: timed } : planItemsOf(context, timed, sources, rest as ItemsWish);
}

/** The first period begins now. */
function endTrial(subscription: Subscription, sources: InvoiceSources): Plan {
  const { at } = sources;
  const isFree = subscription.billing_cycle_anchor === subscription.trial_end;
  const ended = { ...inStatus(subscription, 'active'), trial_end: at, current_period_end: at };
  const anchored = isFree ? { ...ended, billing_cycle_anchor: at } : ended;
  if (!isFree) checkAnchor(anchored.billing_cycle_anchor, recurringOf(anchored), at, 'trial_end');
  return planFirst(anchored, sources, at, 'subscription_update', 'create');
}

/** An anchor at the end of the trial moves with it. */
function withTrialEnd(before: Subscription, end: number | 'now', at: number): Subscription {
  if (before.status !== 'trialing') throw refuse(`it is ${before.status}, not trialing`, 'trial_end');
  if (end === 'now') return before;
  checkTrialEnd(end, at);
  const isFree = before.billing_cycle_anchor === before.trial_end;
  const anchor = isFree ? end : before.billing_cycle_anchor;
  if (!isFree) checkAnchor(anchor, recurringOf(before), end, 'trial_end');
  const after = { ...before, trial_end: end, current_period_end: end, billing_cycle_anchor: anchor };
  return { ...after, trial_announced: false };
}

export type ItemsWish = { items: ItemChange[]; proration?: Proration; proration_date?: number };

/** A change of items: within the interval, or to another one. */
export async function planItemsOf(
  context: Context,
  subscription: Subscription,
  sources: InvoiceSources,
  wish: ItemsWish,
): Promise<Plan> {
  const { at, now, prices, coupon } = sources;
  const { proration = 'create' } = wish;
  if (!['trialing', 'active', 'past_due'].includes(subscription.status))
    throw refuse(
      `it is ${subscription.status}, and items can be changed while it is trialing, active or past_due`,
      'items',
    );
  const after = await readChangedItems(context, subscription, wish.items, now);
  const price = checkItems(after, prices);
  if (price.currency !== subscription.currency)
    throw apiError('parameter_invalid', { param: 'items', reason: `all prices must be in ${subscription.currency}` });
  const isOther =
    price.interval !== subscription.billing_interval || price.interval_count !== subscription.interval_count;
  const isProrated = proration !== 'none' && subscription.status !== 'trialing';
  const from = isOther ? at : prorationDate(subscription, wish.proration_date, at, isProrated);
  const invoices = isProrated ? await creditableInPeriod(context, subscription) : [];
  const change: ItemsPlan = {
    before: subscription.items,
    after,
    proration,
    terms: { prices, coupon, from, now, invoices },
  };
  return isOther ? planInterval(subscription, sources, change, price) : planItems(subscription, sources, change);
}

/** Every price that an item gets must be active. A price that an item has may go on. */
async function readChangedItems(
  context: Context,
  { items }: Subscription,
  changes: readonly ItemChange[],
  now: number,
): Promise<Item[]> {
  const named: { price: string; param: string }[] = [];
  for (const [index, { id, price, deleted }] of changes.entries()) {
    const param = `items.${index}.price`;
    if (id === undefined && price === undefined) throw apiError('parameter_missing', { param });
    if (id === undefined && deleted) throw apiError('parameter_missing', { param: `items.${index}.id` });
    const isKept = price !== undefined && items.some((item) => item.id === id && item.price === price);
    if (price !== undefined && !isKept) named.push({ price, param });
  }
  await readPrices(context, named);
  const after = changeItems(items, changes, now);
  if (typeof after === 'number') throw apiError('resource_missing', { param: `items.${after}.id`, resource: 'item' });
  return after;
}

/**
 * From which moment a change counts. What was charged for an item begins with its latest change: from before that, time would be charged
 * twice.
 */
function prorationDate(
  { current_period_start: start, current_period_end: end, items }: Subscription,
  wanted: number | undefined,
  at: number,
  isProrated: boolean,
): number {
  const invalid = (reason: string) => apiError('parameter_invalid', { param: 'proration_date', reason });
  if (wanted !== undefined && (wanted < start || wanted >= end))
    throw invalid(`it must be within the current period, from ${start} to before ${end}`);
  const from = wanted ?? at;
  const latest = Math.max(start, ...items.map(({ charged }) => charged?.start ?? start));
  if (isProrated && from < latest)
    throw invalid(`it must not be before the latest change of an item, which counts from ${latest}`);
  return from;
}

/** While the invoice of the current period is open, nothing can be prorated. */
async function creditableInPeriod(context: Context, subscription: Subscription): Promise<Creditable[]> {
  const { all, charging } = await periodInvoices(context, subscription);
  const open = charging.find(({ status }) => status === 'open');
  if (open !== undefined)
    throw refuse(
      `the invoice ${open.id} of the current period is open, so only proration none is possible`,
      'proration',
    );
  return creditableOf(context, all);
}
