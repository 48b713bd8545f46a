import { addCharge, captureCharge, takeBack } from './charges.ts';
import { completeCheckout } from './checkout.ts';
import type { FakeDecline } from './declines.ts';
import { openDispute } from './dispute.ts';
import { type FakeErrorBody, FakeStripeError } from './errors.ts';
import { addRelease } from './release.ts';
import type { FakeCharge, FakeIntent, FakePaymentMethod } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const hourMs = 3_600_000;
const holdMs = 7 * 24 * hourMs;
/** Of a Visa card that is charged without its cardholder. */
const shortHoldMs = (4 * 24 + 18) * hourMs;

/** The issuer says yes: the money is taken, or held until it is captured. */
export function approve(world: FakeWorld, intent: FakeIntent, method: FakePaymentMethod, isAlone = false): void {
  const charge = addCharge(world, intent, method);
  const { amount, currency, metadata } = intent;
  const effect = { id: charge.id, payment_intent: intent.id, amount, currency, metadata };
  Object.assign(intent, { latest_charge: charge.id, last_payment_error: null, next_action: null });
  keepForLater(world, intent, method);
  if (intent.capture_method === 'manual') {
    Object.assign(intent, { status: 'requires_capture', amount_capturable: amount });
    world.record({ kind: 'authorization', ...effect });
    world.report('charge.succeeded', charge);
    world.report('payment_intent.amount_capturable_updated', intent);
    const isShort = isAlone && method.card.brand === 'visa';
    world.later(isShort ? shortHoldMs : holdMs, () => expire(world, intent, charge));
  } else {
    take(world, intent, charge, amount);
    world.record({ kind: 'charge', ...effect });
    world.report('charge.succeeded', charge);
    world.report('payment_intent.succeeded', intent);
  }
  completeCheckout(world, intent);
}

/** Takes the money that is held, or a part of it; the rest is released. */
export function take(world: FakeWorld, intent: FakeIntent, charge: FakeCharge, amount: number): void {
  captureCharge(world, charge, amount);
  if (amount < charge.amount) takeBack(world, charge, addRelease(world, charge, charge.amount - amount, null));
  Object.assign(intent, { status: 'succeeded', amount_capturable: 0, amount_received: amount });
  const { dispute, isInquiry = false } = world.behaviours.get(charge.payment_method) ?? {};
  if (dispute !== undefined) world.later(0, () => openDispute(world, charge, { reason: dispute, isInquiry }));
}

/** `setup_future_usage` attaches the method to the customer once the payment has gone through. */
function keepForLater(world: FakeWorld, intent: FakeIntent, method: FakePaymentMethod): void {
  if (intent.setup_future_usage === null || intent.customer === null) return;
  method.customer = intent.customer;
  world.spent.delete(method.id);
  if (intent.setup_future_usage === 'off_session') world.setUp.add(method.id);
}

/** The issuer says no. The intent can be confirmed again, with another method. */
export function decline(
  world: FakeWorld,
  intent: FakeIntent,
  method: FakePaymentMethod,
  reason: FakeDecline,
): FakeStripeError {
  const charge = addCharge(world, intent, method, reason);
  const { amount, currency, metadata } = intent;
  intent.latest_charge = charge.id;
  world.record({ kind: 'decline', id: charge.id, payment_intent: intent.id, amount, currency, metadata });
  world.report('charge.failed', charge);
  return fail(world, intent, method, { type: 'card_error', ...reason, charge: charge.id });
}

/** The cardholder has not authenticated. The issuer is not asked. */
export function failChallenge(world: FakeWorld, intent: FakeIntent, method: FakePaymentMethod): void {
  fail(world, intent, method, {
    type: 'invalid_request_error',
    code: 'payment_intent_authentication_failure',
    message:
      'The provided PaymentMethod has failed authentication. You can provide payment_method_data or a new PaymentMethod to attempt to fulfill this PaymentIntent again.',
  });
}

function fail(world: FakeWorld, intent: FakeIntent, method: FakePaymentMethod, reason: FakeErrorBody): FakeStripeError {
  const error = { ...reason, payment_method: structuredClone(method) };
  Object.assign(intent, { status: 'requires_payment_method', payment_method: null, next_action: null });
  intent.last_payment_error = error;
  world.report('payment_intent.payment_failed', intent);
  return new FakeStripeError(402, { ...error, payment_intent: structuredClone(intent) }, true);
}

/** Gives up an intent. Money that is held is released. */
export function cancel(world: FakeWorld, intent: FakeIntent, reason: string | null): void {
  const isHolding = intent.status === 'requires_capture';
  Object.assign(intent, { status: 'canceled', canceled_at: world.seconds(), cancellation_reason: reason });
  Object.assign(intent, { amount_capturable: 0, next_action: null });
  if (isHolding) {
    const charge = world.get<FakeCharge>(intent.latest_charge!);
    const { id, amount, currency } = charge;
    addRelease(world, charge, amount, reason === 'automatic' ? 'expired_uncaptured_charge' : null);
    const { metadata } = intent;
    world.record({ kind: 'release', id, payment_intent: intent.id, amount, currency, metadata });
    world.report('charge.refunded', charge);
  }
  world.report('payment_intent.canceled', intent);
}

function expire(world: FakeWorld, intent: FakeIntent, charge: FakeCharge): void {
  if (intent.status !== 'requires_capture') return;
  cancel(world, intent, 'automatic');
  world.report('charge.expired', charge);
}
