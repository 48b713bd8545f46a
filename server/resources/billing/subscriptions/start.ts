import { ApiError, assert } from '../../../base/errors.ts';
import type { Context, Outcome, RemoteCall, Sequenced } from '../../../operations/operation.ts';
import { eventWrites, happenedAt } from '../../../outbox/event.ts';
import { findAttempt } from '../../payments/attempts/find.ts';
import { askLocally, effectOf, performRemotely, resumeAttempt, type Step } from '../../payments/attempts/perform.ts';
import { couldKeep } from '../../payments/payment_methods/kept_cards.ts';
import type { PaymentMethodId } from '../../payments/payment_methods/payment_method.ts';
import { findAgreements } from '../../payments/payments/agreement.ts';
import type { PaymentTopic } from '../../payments/payments/topic.ts';
import { beginSetup, type PreparedSetup } from '../../payments/setups/begin.ts';
import { failedSetup, findSetups, holdSetup } from '../../payments/setups/operations.ts';
import type { LoadedSetup } from '../../payments/setups/settle.ts';
import { isOver, type Setup } from '../../payments/setups/setup.ts';
import { answerOf, type SetupTopic } from '../../payments/setups/topic.ts';
import { findSubscription } from '../subscription_state/change.ts';
import type { Subscription, SubscriptionId } from '../subscription_state/subscription.ts';
import { answerWith, applyPlan, type PlanTerms } from './apply_plan.ts';
import { apiError } from './errors.ts';
import type { Plan } from './plan.ts';
import type { InvoiceSources } from './sources.ts';
import { announceTrialEnd } from './trial.ts';

/** A planned start. */
export type Start = {
  sources: InvoiceSources;
  plan: Plan;
  terms: PlanTerms;
  /** Whether nothing is paid first: there is a trial, or the first invoice needs no payment. */
  isFree: boolean;
};

type Topics = { payments: PaymentTopic; setups: SetupTopic };

/** Applies the plan of a start. `pending` is the setup that the subscription waits for. */
export function applyStart(
  context: Context,
  payments: PaymentTopic,
  { sources, plan, terms }: Start,
  pending: Subscription['pending_setup'],
): Promise<Outcome | RemoteCall | Sequenced> {
  const waiting = { ...plan.subscription, pending_setup: pending };
  const { subscription, events } = announceTrialEnd(waiting, sources.at);
  return applyPlan(context, payments, sources, { ...plan, subscription }, { ...terms, events });
}

/**
 * Starts a subscription that has nothing to pay, and sets its method up while the cardholder is there, where the processor can. It starts
 * whatever becomes of the setup; with `error_if_incomplete`, a setup that fails is answered 402, and no subscription is made.
 */
export async function startWithSetup(
  context: Context,
  topics: Topics,
  start: Start,
  again: () => Promise<Start>,
): Promise<Outcome | RemoteCall | Sequenced> {
  const { payments, setups } = topics;
  const { clockWrites = [], paysFirst = false } = start.terms;
  const prepared = await prepareSetup(context, start);
  if (prepared === undefined) return applyStart(context, payments, start, null);
  if ('failed' in prepared) {
    const failed = failedSetup(prepared);
    if (paysFirst) return { ...failed, writes: [...(failed.writes ?? []), ...clockWrites] };
    return join(await applyStart(context, payments, start, null), failed);
  }
  const asked = await askLocally(context, prepared.step);
  if ('remote' in asked) return askRemotely(context, topics, start, asked.remote, again);
  const time = timeOf(start);
  const settled = setups.settle(asked.loaded, asked.reply, context.now, time);
  assert(settled, 'the first answer settles a setup');
  const { writes = [], ...effect } = await effectOf(context, setups, settled, time);
  const also = { ...setups.answer(settled), ...effect, writes: [...writes, ...asked.writes] };
  if (paysFirst && also.error !== undefined) return { ...also, writes: [...also.writes, ...clockWrites] };
  return join(await applyStart(context, payments, start, pendingOf(settled.setup)), also);
}

/**
 * Undefined where there is no method, or none that a processor can set up, or where the cardholder has agreed to later charges before: unless
 * the processor charges card numbers under what it keeps, and does not keep this one.
 */
async function prepareSetup(context: Context, { sources, plan, terms }: Start): Promise<PreparedSetup | undefined> {
  const { charge, paysFirst } = terms;
  const { payment_method, return_url } = charge;
  if (payment_method === undefined) return undefined;
  const { id, customer } = plan.subscription;
  const charged = { id: payment_method as PaymentMethodId, customer };
  const { isByCardholder: isAgreed } = await findAgreements(context.reads, context.tenant, charged);
  const wish = { payment_method, customer, return_url, subscription: id, declinesChallenge: paysFirst };
  try {
    const prepared = await beginSetup(context, { ...wish, time: sources.at * 1_000 });
    return isAgreed && !(await isUnkept(context, payment_method, prepared)) ? undefined : prepared;
  } catch (error) {
    if (error instanceof ApiError && (isAgreed || error.code === 'payment_method_not_usable')) return undefined;
    throw error;
  }
}

/** Whether the setup is of a card number that its processor can keep, and has never been asked to. Of a token nothing is prepared. */
async function isUnkept(context: Context, method: string, prepared: PreparedSetup): Promise<boolean> {
  if (!('step' in prepared) || prepared.step.prepare === undefined) return false;
  return couldKeep(context, method, prepared.step.connector);
}

/** The subscription is committed with the attempt, and shows the setup; with `error_if_incomplete`, it is committed with the answer. */
async function askRemotely(
  context: Context,
  topics: Topics,
  start: Start,
  step: Step<LoadedSetup>,
  again: () => Promise<Start>,
): Promise<RemoteCall | Sequenced> {
  const { tenant, requestId, now } = context;
  const { clockWrites = [], paysFirst = false } = start.terms;
  const { id } = start.plan.subscription;
  const conclude = (decided: Outcome) => concludeStart(context, topics.payments, id, decided, again);
  const call = ({ writes = [], events = [], due }: Partial<Outcome>): RemoteCall => {
    const rows = [...writes, ...eventWrites(tenant, requestId, now, happenedAt(timeOf(start), events))];
    const asking = performRemotely(context, topics.setups, { ...step, writes: [...(step.writes ?? []), ...rows] });
    const soonest = due === undefined ? asking.due : Math.min(due, asking.due);
    return afterwards({ ...asking, objectId: id, due: soonest }, conclude);
  };
  if (paysFirst) return call({ writes: [...clockWrites] });
  const started = await applyStart(context, topics.payments, start, step.loaded.setup.id);
  assert(!('ask' in started), 'nothing is paid');
  if (!('sequence' in started)) return call(started);
  return { ...started, numbered: (number) => call(outcomeOf(started.numbered(number))) };
}

/** The call with what follows its outcome, whichever processor brings it. */
function afterwards(call: RemoteCall, conclude: (decided: Outcome) => Promise<Outcome | Sequenced>): RemoteCall {
  return {
    ...call,
    async ask() {
      const decide = await call.ask();
      return async () => {
        const decided = await decide();
        if ('ask' in decided) return afterwards(decided, conclude);
        assert(!('sequence' in decided), 'a setup needs no number');
        return conclude(decided);
      };
    },
  };
}

/**
 * The answer once the setup has an outcome. A subscription that is stored shows whether it still waits. One that is not, because it was to
 * start only if the setup does not fail, is made now. If it can no longer be, the outcome of the setup is committed with the refusal.
 */
async function concludeStart(
  context: Context,
  payments: PaymentTopic,
  id: SubscriptionId,
  decided: Outcome,
  again: () => Promise<Start>,
): Promise<Outcome | Sequenced> {
  const stored = await findSubscription(context, id);
  if (stored !== undefined) {
    const { error: _, ...rest } = decided;
    return { ...rest, ...answerWith({ ...stored, pending_setup: stored.pending_setup && pendingIn(decided) }) };
  }
  const setUp = await holdOutcome(context, decided);
  if (setUp.error !== undefined) return setUp;
  const started = await startNow(context, payments, again, pendingIn(setUp));
  return started instanceof ApiError ? { ...setUp, error: started } : join(started, setUp);
}

/** Without rows, the outcome was committed before. The setup must not end while a subscription that waits for it is made. */
async function holdOutcome(context: Context, decided: Outcome): Promise<Outcome> {
  if ((decided.writes ?? []).length > 0) return decided;
  const { id } = decided.result as Pick<Setup, 'id'>;
  const setup = (await findSetups(context, [id])).get(id);
  assert(setup, 'a setup that was asked for is stored');
  return { ...answerOf(setup), writes: isOver(setup.status) ? [] : [holdSetup(setup)] };
}

/** The start as it can be made now; the refusal if something has changed while the method was set up. */
async function startNow(
  context: Context,
  payments: PaymentTopic,
  again: () => Promise<Start>,
  pending: Subscription['pending_setup'],
): Promise<Outcome | Sequenced | ApiError> {
  try {
    const start = await again();
    if (!start.isFree) return apiError('subscription_not_updatable', { param: 'customer', reason: payable });
    const started = await applyStart(context, payments, start, pending);
    assert(!('ask' in started), 'nothing is paid');
    return started;
  } catch (error) {
    if (error instanceof ApiError && error.status !== 429) return error;
    throw error;
  }
}

const payable =
  'its first invoice has to be paid, because the customer, its credit or its waiting items have changed while the payment method was set up';

/** The subscription that an attempt was made for as its setup. */
export async function subscriptionSetUpBy(context: Context, attempt: string): Promise<SubscriptionId | undefined> {
  const setup = (await findAttempt(context.reads, context.tenant, attempt))?.setup ?? '';
  return (await findSetups(context, [setup])).get(setup)?.subscription ?? undefined;
}

/** Answers a retry of a request whose process died while a processor was asked to set the method up. */
export async function resumeStart(
  context: Context,
  { payments, setups }: Topics,
  attempt: string,
  id: SubscriptionId,
  again: () => Promise<Start>,
): Promise<Outcome | Sequenced | undefined> {
  const decided = await resumeAttempt(setups)(context, attempt);
  if (decided === undefined) return undefined;
  assert(!('sequence' in decided), 'a setup needs no number');
  return concludeStart(context, payments, id, decided, again);
}

/** The setup in an outcome, unless it has ended. */
const pendingIn = ({ result }: Outcome) => pendingOf(result as Pick<Setup, 'id' | 'status'>);

function pendingOf({ id, status }: Pick<Setup, 'id' | 'status'>): Setup['id'] | null {
  return isOver(status) ? null : id;
}

/** Of the test clock; undefined for a customer that lives in real time. */
function timeOf({ sources: { customer, at } }: Start): number | undefined {
  return customer.test_clock === null ? undefined : at * 1_000;
}

function outcomeOf(decided: Outcome | RemoteCall): Outcome {
  assert(!('ask' in decided), 'nothing is paid');
  return decided;
}

type Joined<Decided> = Decided extends Sequenced ? Sequenced : Outcome;

/** The start of a subscription, and the rows and events of its setup in the same commit. */
function join<Decided extends Outcome | RemoteCall | Sequenced>(decided: Decided, also: Outcome): Joined<Decided> {
  assert(!('ask' in decided), 'nothing is paid');
  if ('sequence' in decided)
    return { ...decided, numbered: (number: number) => join(decided.numbered(number), also) } as Joined<Decided>;
  const { writes = [], events = [], due } = decided as Outcome;
  const dues = [due, also.due].filter((one) => one !== undefined);
  return {
    ...decided,
    writes: [...writes, ...(also.writes ?? [])],
    events: [...events, ...(also.events ?? [])],
    ...(dues.length === 0 ? {} : { due: Math.min(...dues) }),
  } as unknown as Joined<Decided>;
}
