import { belonging } from '../../../operations/descriptor.ts';
import { type AnyOperation, type Context, operation } from '../../../operations/operation.ts';
import { requireCustomer } from '../../payments/customers/operations.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import { clockCodes } from '../../payments/test_clocks/errors.ts';
import { clockedFor } from '../../payments/test_clocks/time.ts';
import { chargeByMerchant } from '../invoices/collect.ts';
import { stopRetries } from '../invoices/retry.ts';
import { SubscriptionOutput } from '../subscription_state/schema.ts';
import { methodFor, type Subscription, type SubscriptionStatus } from '../subscription_state/subscription.ts';
import { applyPlan, type PlanTerms, resumeSubscription } from './apply_plan.ts';
import { requireSubscription, subscriptionDescriptor } from './descriptor.ts';
import { endIncomplete } from './end_incomplete.ts';
import { apiError } from './errors.ts';
import { type Plan, planEnd, planPause, planResume } from './plan.ts';
import { creditsFor } from './read_creditable.ts';
import { CancelInput } from './schema.ts';
import { type InvoiceSources, readSources } from './sources.ts';

/** The subscription of a request, and everything that a change of it is made from. */
type Found = { stored: Subscription; sources: InvoiceSources; terms: PlanTerms };

async function find(context: Context): Promise<Found> {
  const stored = await requireSubscription(context);
  const customer = await requireCustomer(context, stored.customer);
  const { now, writes } = await clockedFor(context, customer.test_clock);
  const sources = await readSources(context, customer, stored, Math.floor(now / 1_000));
  return {
    stored,
    sources,
    terms: { stored, charge: chargeByMerchant(methodFor(stored, customer)), writes },
  };
}

function refuseUnless({ status }: Subscription, statuses: readonly SubscriptionStatus[], verb: string): void {
  if (statuses.includes(status)) return;
  const reason = `it is ${status}, and only ${statuses.join(' or ')} can be ${verb}`;
  throw apiError('subscription_not_updatable', { param: 'id', reason });
}

export const living = ['incomplete', 'trialing', 'active', 'past_due', 'unpaid', 'paused'] as const;

const cancel = (payments: PaymentTopic) =>
  operation({
    name: 'subscriptions.cancel',
    summary: 'Cancel a subscription, now or at the end of its period',
    description:
      'Ends it now, and credits nothing unless `proration` is `create`. With `at_period_end` it ends with its period; until then an update can undo that. If it is `incomplete`, its first invoice becomes void, and a payment of it that still succeeds is refunded. A canceled subscription cannot be resumed.',
    route: 'POST /subscriptions/:id/cancel',
    right: 'handle',
    customers: {
      about: belonging(subscriptionDescriptor),
      parameters: ['at_period_end', 'reason'],
      allows: ({ cancel: choice }, { at_period_end }) =>
        choice === 'now' || (choice === 'period_end' && at_period_end === true),
    },
    input: CancelInput,
    output: SubscriptionOutput,
    errors: [...clockCodes, ...apiError.codes('subscription_not_updatable')],
    check({ at_period_end, proration }) {
      if (at_period_end && proration === 'create') {
        const reason = 'at the end of a period nothing is left to credit';
        throw apiError('parameter_invalid', { param: 'proration', reason });
      }
    },
    async run(context, { at_period_end = false, proration = 'none', reason }) {
      const { stored: found, sources, terms: given } = await find(context);
      refuseUnless(found, living, 'canceled');
      const stored = { ...found, cancellation_reason: reason ?? found.cancellation_reason };
      const terms = { ...given, stored: found };
      const { at } = sources;
      if (at_period_end) {
        const canceled_at = stored.cancel_at_period_end ? stored.canceled_at : at;
        const plan = { subscription: { ...stored, cancel_at_period_end: true, canceled_at } };
        return applyPlan(context, payments, sources, plan, terms);
      }
      if (stored.status === 'incomplete') return endIncomplete(context, stored, at, terms.writes);
      const credits = proration === 'create' ? (await creditsFor(context, stored, sources)).lines : [];
      // Its open invoices stay open and payable, and are not tried again.
      const stopped = await stopRetries(context, stored.id);
      const writes = [...(terms.writes ?? []), ...stopped];
      return applyPlan(context, payments, sources, planEnd(stored, at, credits), { ...terms, writes });
    },
    resume: resumeSubscription(payments),
  });

/** As a cancel, and nothing is billed: what waits for its next invoice would be charged by a last one. */
const end = (payments: PaymentTopic) =>
  operation({
    name: 'subscriptions.end',
    summary: 'End a subscription now, without a last invoice',
    route: 'POST /subscriptions/:id/end',
    callers: ['operator'],
    output: SubscriptionOutput,
    async run(context) {
      const { stored, sources, terms } = await find(context);
      refuseUnless(stored, living, 'ended');
      const { at } = sources;
      if (stored.status === 'incomplete') return endIncomplete(context, stored, at, terms.writes);
      const { subscription } = planEnd(stored, at, []);
      const writes = [...(terms.writes ?? []), ...(await stopRetries(context, stored.id))];
      return applyPlan(context, payments, sources, { subscription }, { ...terms, writes });
    },
  });

/** An operation without parameters that makes a plan. */
const verb = (
  payments: PaymentTopic,
  facts: { name: 'pause' | 'resume'; summary: string; description: string },
  plan: (context: Context, found: Found) => Plan | Promise<Plan>,
) =>
  operation({
    ...facts,
    name: `subscriptions.${facts.name}`,
    route: `POST /subscriptions/:id/${facts.name}`,
    customers: { about: belonging(subscriptionDescriptor), allows: (settings) => settings[facts.name] },
    output: SubscriptionOutput,
    errors: [...clockCodes, ...apiError.codes('subscription_not_updatable')],
    async run(context) {
      const found = await find(context);
      return applyPlan(context, payments, found.sources, await plan(context, found), found.terms);
    },
    resume: resumeSubscription(payments),
  });

const pausing = {
  name: 'pause',
  summary: 'Pause a subscription',
  description:
    'Only while it is `active`. The rest of the period becomes credit of the customer, and there are no invoices until it is resumed.',
} as const;
const resuming = {
  name: 'resume',
  summary: 'Resume a paused subscription',
  description: 'Begins a period now that ends at the next boundary, and bills its share immediately.',
} as const;

const pause = (payments: PaymentTopic) =>
  verb(payments, pausing, async (context, { stored, sources }) => {
    refuseUnless(stored, ['active'], 'paused');
    return planPause(stored, sources.at, (await creditsFor(context, stored, sources)).lines);
  });

const resume = (payments: PaymentTopic) =>
  verb(payments, resuming, (_context, { stored, sources }) => {
    refuseUnless(stored, ['paused'], 'resumed');
    return planResume(stored, sources);
  });

export function lifecycleOperations(payments: PaymentTopic): AnyOperation[] {
  return [cancel(payments), end(payments), pause(payments), resume(payments)];
}
