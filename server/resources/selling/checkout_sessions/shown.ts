import type { Context } from '../../../operations/operation.ts';
import { createdOf } from '../../../operations/schemas.ts';
import { findSubscription } from '../../billing/subscription_state/change.ts';
import { findChosenMethod } from '../../payments/payment_methods/of_checkout.ts';
import { findPayments } from '../../payments/payments/operations.ts';
import { findSetups } from '../../payments/setups/operations.ts';
import { secondsOf } from '../../payments/test_clocks/time.ts';
import type { CheckoutSession } from './checkout_session.ts';
import { trialDaysOf } from './subscription.ts';
import type { PaidWith } from './view.ts';

const daySeconds = 86_400;

/** The latest try, as far as the page shows it: where its customer goes on, and what it was made with. */
export type ShownTry = PaidWith & { goTo: string | undefined };

export async function findShownTry(context: Context, session: CheckoutSession): Promise<ShownTry | undefined> {
  const { payment: id, setup, payment_method } = session;
  if (id !== null) {
    const payment = (await findPayments(context, [id])).get(id);
    if (payment === undefined) return undefined;
    const { brand, last4, next_action, amount_received, amount_refunded } = payment;
    return {
      id,
      brand,
      last4,
      created: createdOf(payment),
      goTo: next_action ?? undefined,
      ...(amount_received > 0 && { received: amount_received, refunded: amount_refunded ?? 0 }),
    };
  }
  if (setup === null) return undefined;
  const [found, method] = await Promise.all([
    findSetups(context, [setup]),
    payment_method === null ? undefined : findChosenMethod(context, payment_method),
  ]);
  const row = found.get(setup);
  if (row === undefined) return undefined;
  const { brand = null, last4 = null } = method ?? {};
  return { id: setup, brand, last4, created: createdOf(row), goTo: row.next_action ?? undefined };
}

/** The first charge of a subscription with a trial, in epoch milliseconds: what it will be, or what it is once it has started. */
export async function freeUntil(context: Context, session: CheckoutSession): Promise<number | undefined> {
  const days = trialDaysOf(session);
  if (days === undefined) return undefined;
  const started = session.subscription === null ? undefined : await findSubscription(context, session.subscription);
  if (started !== undefined) return started.trial_end === null ? undefined : started.trial_end * 1_000;
  return ((await secondsOf(context, session)) + days * daySeconds) * 1_000;
}
