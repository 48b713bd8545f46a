import { newId } from '../../../base/id.ts';
import { checkExternalId } from '../../../operations/external_id.ts';
import { mergeMetadata } from '../../../operations/metadata.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { declineCodes } from '../../payments/attempts/errors.ts';
import type { Customer } from '../../payments/customers/customer.ts';
import { requireCustomer } from '../../payments/customers/operations.ts';
import { methodCodes } from '../../payments/payment_methods/errors.ts';
import { requireMethodOf } from '../../payments/payment_methods/operations.ts';
import { apiError as paymentError } from '../../payments/payments/errors.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import { checkReturnUrl } from '../../payments/returns/url.ts';
import type { SetupTopic } from '../../payments/setups/topic.ts';
import { clockCodes } from '../../payments/test_clocks/errors.ts';
import { clockedFor } from '../../payments/test_clocks/time.ts';
import type { RecurringPrice } from '../prices/price.ts';
import { SubscriptionOutput } from '../subscription_state/schema.ts';
import type { Subscription, SubscriptionId } from '../subscription_state/subscription.ts';
import { isFree, resumeSubscription } from './apply_plan.ts';
import { subscriptionDescriptor } from './descriptor.ts';
import { apiError } from './errors.ts';
import { planFirst } from './plan.ts';
import { checkAnchor, checkItems, newItems, readCoupon, readPrices, readTrialEnd } from './read_input.ts';
import { type NewSubscription, NewSubscriptionInput } from './schema.ts';
import { readSources } from './sources.ts';
import { applyStart, resumeStart, type Start, startWithSetup, subscriptionSetUpBy } from './start.ts';

export const createOperation = (payments: PaymentTopic, setups: SetupTopic): AnyOperation =>
  operation({
    name: 'subscriptions.create',
    summary: 'Create a subscription',
    description:
      'The first period is invoiced and charged immediately, unless there is a trial. Unless `payment_behavior` says otherwise, the answer is 200 whatever the outcome of the first payment is: until it has succeeded, the status is `incomplete`, and after 23 hours the subscription is canceled. With a trial, or with nothing to pay, the payment method is set up without a charge, unless its cardholder has agreed to later charges before. Each further period is invoiced when it begins.',
    route: 'POST /subscriptions',
    input: NewSubscriptionInput,
    output: SubscriptionOutput,
    errors: [
      ...clockCodes,
      ...methodCodes,
      ...declineCodes,
      ...paymentError.codes('return_url_invalid'),
      ...apiError.codes('amount_too_large', 'coupon_not_usable', 'parameters_exclusive', 'subscription_not_updatable'),
    ],
    check({ return_url, off_session = false }, { mode }) {
      if (return_url !== undefined && off_session)
        throw apiError('parameters_exclusive', { param: 'off_session', other: 'return_url' });
      if (return_url !== undefined) checkReturnUrl(return_url, mode);
    },
    alsoChanges: ({ customer }) => customer,
    async run(context, input) {
      const id = newId('sub', context.now);
      const start = await planStart(context, input, id);
      if (!start.isFree || input.off_session) return applyStart(context, payments, start, null);
      return startWithSetup(context, { payments, setups }, start, () => planStart(context, input, id));
    },
    async resume(context, attempt, input) {
      const id = await subscriptionSetUpBy(context, attempt);
      if (id === undefined) return resumeSubscription(payments)(context, attempt);
      return resumeStart(context, { payments, setups }, attempt, id, () => planStart(context, input, id));
    },
  });

/** Everything about a new subscription up to the first charge, or the setup of its method. */
async function planStart(context: Context, input: NewSubscription, id: SubscriptionId): Promise<Start> {
  const customer = await requireCustomer(context, input.customer, 'customer');
  const { now, writes } = await clockedFor(context, customer.test_clock, 'customer');
  const at = Math.floor(now / 1_000);
  const subscription: Subscription = { ...(await readNew(context, input, customer, at)), id };
  const sources = await readSources(context, customer, subscription, at);
  const plan =
    subscription.status === 'trialing'
      ? { subscription }
      : planFirst(subscription, sources, at, 'subscription_create', input.proration ?? 'create');
  const isBilled = (plan.invoice?.lines.length ?? 0) > 0;
  const { default_payment_method, return_url, off_session = false, payment_behavior } = input;
  const payment_method = default_payment_method ?? customer.default_payment_method ?? undefined;
  // The cardholder is taken to be present, unless the request says otherwise. Nothing to charge with is refused, and nothing is made.
  const charge = { payment_method, return_url, merchantInitiated: off_session, isRefused: true };
  const paysFirst = payment_behavior === 'error_if_incomplete';
  const terms = { stored: undefined, charge, paysFirst, clockWrites: writes, holdsCustomer: true };
  const begun = { ...plan, subscription: isBilled ? plan.subscription : activateIfIncomplete(plan.subscription) };
  return { sources, plan: begun, terms, isFree: isFree(sources, begun, terms) };
}

/** With nothing to pay first, it is active immediately. */
function activateIfIncomplete(subscription: Subscription): Subscription {
  return subscription.status === 'incomplete' ? { ...subscription, status: 'active' } : subscription;
}

/** A subscription in its trial, or before its first invoice. */
async function readNew(
  context: Context,
  input: NewSubscription,
  customer: Customer,
  at: number,
): Promise<Subscription> {
  const named = input.items.map(({ price }, index) => ({ price, param: `items.${index}.price` }));
  const prices = await readPrices(context, named);
  await checkExternalId(context, subscriptionDescriptor, input.external_id);
  const items = newItems(input.items, context.now);
  const price = checkItems(items, prices);
  const { default_payment_method, coupon } = input;
  if (default_payment_method !== undefined) await requireMethodOf(context, customer, default_payment_method);
  if (coupon !== undefined) await readCoupon(context, coupon, price.currency);
  const trialEnd = readTrialEnd(input, at);
  const anchor = input.billing_cycle_anchor ?? trialEnd ?? at;
  if (input.billing_cycle_anchor !== undefined) checkAnchor(anchor, price, trialEnd ?? at);
  return {
    ...emptySubscription(context, customer, price, at),
    status: trialEnd === null ? 'incomplete' : 'trialing',
    items,
    billing_cycle_anchor: anchor,
    current_period_end: trialEnd ?? at + 1,
    trial_start: trialEnd === null ? null : at,
    trial_end: trialEnd,
    cancel_at_period_end: input.cancel_at_period_end ?? false,
    canceled_at: input.cancel_at_period_end ? at : null,
    default_payment_method: (default_payment_method as Subscription['default_payment_method']) ?? null,
    coupon: (coupon as Subscription['coupon']) ?? null,
    coupon_applied: coupon === undefined ? null : at,
    external_id: input.external_id ?? null,
    metadata: input.metadata === undefined ? null : mergeMetadata({}, input.metadata),
  };
}

type EmptySubscription = Omit<Subscription, 'status' | 'items' | 'billing_cycle_anchor' | 'trial_start' | 'trial_end'>;

export function emptySubscription(
  context: Pick<Context, 'tenant' | 'now'>,
  customer: Pick<Customer, 'id' | 'test_clock'>,
  price: RecurringPrice,
  at: number,
): EmptySubscription {
  return {
    tenant: context.tenant,
    id: newId('sub', context.now),
    version: 0, // not stored yet
    customer: customer.id,
    currency: price.currency,
    billing_interval: price.interval,
    interval_count: price.interval_count,
    current_period_start: at,
    current_period_end: at,
    period_invoice: null,
    latest_invoice: null,
    credits: null,
    open_invoices: 0,
    waiting_lines: 0,
    cancel_at_period_end: false,
    default_payment_method: null,
    trial_announced: false,
    coupon: null,
    coupon_applied: null,
    coupon_used: false,
    canceled_at: null,
    cancellation_reason: null,
    ended_at: null,
    paused_at: null,
    gives_up: false,
    pending_setup: null,
    mrr: null,
    lost_at: null,
    external_id: null,
    metadata: null,
    test_clock: customer.test_clock,
    created: at,
    due_at: null,
    lease_until: null,
    clock_due_at: null,
  };
}
