import { Type } from '../../../base/schema.ts';
import {
  type AnyOperation,
  type Context,
  type Outcome,
  operation,
  type Part,
  type RemoteCall,
  type Sequenced,
} from '../../../operations/operation.ts';
import { findCustomerById } from '../../payments/customers/operations.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import { secondsOf } from '../../payments/test_clocks/time.ts';
import { giveUpBill, saveBill, standaloneBill } from '../invoices/bill.ts';
import { chargeByMerchant } from '../invoices/collect.ts';
import { findOpenOf } from '../invoices/descriptor.ts';
import { stopRetries } from '../invoices/retry.ts';
import { noChange, type SubscriptionChange, saveChange } from '../subscription_state/change.ts';
import { methodFor, nextDue, type Subscription } from '../subscription_state/subscription.ts';
import { applyPlan } from './apply_plan.ts';
import { requireSubscription } from './descriptor.ts';
import { endIncomplete } from './end_incomplete.ts';
import { planEnd, planRenewal } from './plan.ts';
import { readSources } from './sources.ts';
import { announceTrialEnd } from './trial.ts';

/** The operation by which the job, or a test clock, does the next thing that is due for a subscription. */
export const advanceName = 'subscriptions.advance';

const givenUpMax = 50; // in one commit

/**
 * Does one thing that is due: announces the end of a trial, begins a period, ends the subscription, or gives up its invoices. What is
 * due after that is done by the next call, so that missed periods are billed one after the other, oldest first.
 */
export const advanceOperation = (payments: PaymentTopic): AnyOperation =>
  operation({
    name: advanceName,
    summary: 'Do the next thing that is due for a subscription',
    route: 'POST /subscriptions/:id/advance',
    callers: ['job'],
    output: Type.Object({}),
    async run(context) {
      const stored = await requireSubscription(context);
      const at = await secondsOf(context, stored);
      const due = nextDue(stored);
      if (due === null || due > at) return { result: {} };
      if (stored.status === 'canceled') return giveUp(context, stored, at);
      if (stored.status === 'incomplete') return { ...(await endIncomplete(context, stored, at)), result: {} };
      const notice = announceTrialEnd(stored, at);
      if (notice.events.length > 0)
        return outcomeOf({ before: stored, after: notice.subscription, events: notice.events }, context.now);
      return nextPeriod(context, payments, stored, at);
    },
  });

/** The rows and events of a change without an invoice. */
function outcomeOf(change: SubscriptionChange, now: number): Outcome {
  const { writes, events, subscription } = saveChange(change, now);
  const due = subscription.due_at?.getTime();
  return { result: {}, objectId: subscription.id, writes, events, ...(due === undefined ? {} : { due }) };
}

/** The period is over: the next one begins and is billed, or the subscription ends. */
async function nextPeriod(
  context: Context,
  payments: PaymentTopic,
  stored: Subscription,
  at: number,
): Promise<Outcome | RemoteCall | Sequenced> {
  const customer = await findCustomerById(context, stored.customer);
  // The customer is being deleted, which cancels the subscription in a moment.
  if (customer === undefined) return { result: {} };
  const sources = await readSources(context, customer, stored, at);
  const terms = { stored, charge: chargeByMerchant(methodFor(stored, customer)) };
  if (!stored.cancel_at_period_end) return applyPlan(context, payments, sources, planRenewal(stored, sources), terms);
  // As when it is canceled by a request: its open invoices are not tried again.
  const writes = await stopRetries(context, stored.id);
  return applyPlan(context, payments, sources, planEnd(stored, stored.current_period_end, []), { ...terms, writes });
}

/** Dunning has ended: the money of its open invoices is no longer expected. */
async function giveUp(context: Context, stored: Subscription, at: number): Promise<Outcome> {
  const parts: Part[] = [];
  let change = noChange(stored);
  for (const invoice of await findOpenOf(context, stored.id, givenUpMax)) {
    const { subscription = change, ...bill } = giveUpBill({ ...standaloneBill(invoice), subscription: change }, at);
    parts.push(saveBill({ ...bill, subscription: undefined }, at, context.now));
    change = subscription;
  }
  const all = [...parts, saveChange(change, context.now)];
  return {
    result: {},
    objectId: stored.id,
    writes: all.flatMap(({ writes }) => writes),
    events: all.flatMap(({ events }) => events),
    due: context.now,
  };
}
