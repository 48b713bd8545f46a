import { assert } from '../../../base/errors.ts';
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
import type { EventDraft } from '../../../outbox/event.ts';
import { findCustomerById } from '../../payments/customers/operations.ts';
import { secondsOf } from '../../payments/test_clocks/time.ts';
import { alone, givenUp, type InvoiceOwner, saved } from '../invoices/bill.ts';
import type { Room } from '../invoices/deps.ts';
import { findOpenOf } from '../invoices/descriptor.ts';
import { stopRetries } from '../invoices/retry.ts';
import { carryOut, gather } from './carry_out.ts';
import { requireSubscription } from './descriptor.ts';
import { endIncomplete } from './end_incomplete.ts';
import { ownerOf, type SubscriptionOwner } from './owner.ts';
import { planEnd, planRenewal } from './plan.ts';
import { nextDue, type Subscription } from './subscription.ts';
import { announced } from './trial.ts';

/** The operation by which the job, or a test clock, does the next thing that is due for a subscription. */
export const advanceName = 'subscriptions.advance';

const givenUpMax = 50; // in one commit

/**
 * Does one thing that is due: announces the end of a trial, begins a period, ends the subscription, or gives up its invoices. What is
 * due after that is done by the next call, so that missed periods are billed one after the other, oldest first.
 */
export const advanceOperation = (room: Room): AnyOperation =>
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
      if (stored.status === 'incomplete') return { ...(await endIncomplete(context, room, stored, at)), result: {} };
      const notice = announced(stored, at);
      if (notice.events.length > 0) return outcomeOf(stored, notice.subscription, notice.events);
      return nextPeriod(context, room, stored, at);
    },
  });

/** The rows and events of a change without an invoice. */
function outcomeOf(stored: Subscription, after: Subscription, events: readonly EventDraft[] = []): Outcome {
  const { writes, events: all, owner } = ownerOf(stored, after, events).saved();
  const { due_at } = (owner as SubscriptionOwner).subscription;
  return {
    result: {},
    objectId: stored.id,
    writes,
    events: all,
    ...(due_at === null ? {} : { due: due_at.getTime() }),
  };
}

/** The period is over: the next one begins and is billed, or the subscription ends. */
async function nextPeriod(
  context: Context,
  room: Room,
  stored: Subscription,
  at: number,
): Promise<Outcome | RemoteCall | Sequenced> {
  const customer = await findCustomerById(context, stored.customer);
  // The customer is being deleted, which cancels the subscription in a moment.
  if (customer === undefined) return { result: {} };
  const gathered = await gather(context, customer, stored, at);
  const payment_method = stored.default_payment_method ?? customer.default_payment_method ?? undefined;
  const change = { stored, charge: { payment_method, merchantInitiated: true, isRefused: false } };
  if (!stored.cancel_at_period_end) return carryOut(context, room, gathered, planRenewal(stored, gathered), change);
  // As when it is canceled by a request: its open invoices are not tried again.
  const writes = await stopRetries(context, stored.id);
  return carryOut(context, room, gathered, planEnd(stored, stored.current_period_end, []), { ...change, writes });
}

/** Dunning has ended: nobody expects the money of its open invoices any more. */
async function giveUp(context: Context, stored: Subscription, at: number): Promise<Outcome> {
  const parts: Part[] = [];
  let owner: InvoiceOwner | undefined = ownerOf(stored, stored);
  for (const invoice of await findOpenOf(context, stored.id, givenUpMax)) {
    const bill = givenUp({ ...alone(invoice), owner }, at);
    owner = bill.owner;
    parts.push(saved({ ...bill, owner: undefined }, at));
  }
  assert(owner, 'it is its own owner');
  const all = [...parts, owner.saved()];
  return {
    result: {},
    objectId: stored.id,
    writes: all.flatMap(({ writes }) => writes),
    events: all.flatMap(({ events }) => events),
    due: context.now,
  };
}
