import { unfit } from './errors.ts';
import type { FakeCheckoutSession, FakeIntent, FakeSetupIntent } from './shapes.ts';
import type { FakeWorld } from './world.ts';

/** The session that an intent belongs to. */
export function checkoutOf(world: FakeWorld, intent: FakeIntent | FakeSetupIntent): FakeCheckoutSession | undefined {
  const id = world.checkoutOf.get(intent.id);
  return id === undefined ? undefined : world.get<FakeCheckoutSession>(id);
}

/** While its session is open, an intent is confirmed by the shopper, and canceled by the expiry of the session alone. */
export function refuseOfCheckout(world: FakeWorld, intent: FakeIntent | FakeSetupIntent): void {
  if (checkoutOf(world, intent)?.status === 'open')
    throw unfit('You cannot perform this action on PaymentIntents created by Checkout.');
}

/** The shopper has paid, or the payment is being processed, or the card is set up. */
export function completeCheckout(world: FakeWorld, intent: FakeIntent | FakeSetupIntent): void {
  const session = checkoutOf(world, intent);
  if (session === undefined || session.status === 'expired') return;
  const isLater = session.status === 'complete';
  if (intent.object === 'payment_intent') session.payment_status = intent.status === 'succeeded' ? 'paid' : 'unpaid';
  Object.assign(session, { status: 'complete', url: null });
  if (!isLater) world.report('checkout.session.completed', session);
  else if (session.payment_status === 'paid') world.report('checkout.session.async_payment_succeeded', session);
}

/** A payment that was being processed has failed. */
export function failCheckout(world: FakeWorld, intent: FakeIntent): void {
  const session = checkoutOf(world, intent);
  if (session?.status === 'complete') world.report('checkout.session.async_payment_failed', session);
}
