import type { FakeBehaviour } from './cards.ts';
import { challengeAction } from './challenge_action.ts';
import { completeCheckout, failCheckout } from './checkout.ts';
import { methodOfToken, unusedToken } from './confirmation_tokens.ts';
import { declineOf } from './declines.ts';
import { invalid, unfit } from './errors.ts';
import { futureUsages, intentNames, requireStatus, threeDSecureOf } from './intent.ts';
import { approve, decline } from './outcomes.ts';
import { paymentMethodOf } from './payment_methods.ts';
import type { FakeParams } from './reading.ts';
import type { FakeConfirmationToken, FakeIntent, FakePaymentMethod, FakeSetupIntent } from './shapes.ts';
import type { FakeWorld } from './world.ts';

/** The parameters that say how to confirm. */
// biome-ignore format: a list of words
export const confirmParams = [
  'payment_method', 'confirmation_token', 'off_session', 'return_url', 'setup_future_usage', 'receipt_email',
  'payment_method_options', 'error_on_requires_action', 'use_stripe_sdk',
];

/** Charges the method, or asks the cardholder first. */
export function confirm(world: FakeWorld, intent: FakeIntent, params: FakeParams): FakeIntent {
  requireStatus(intent, 'confirmed', ['requires_payment_method', 'requires_confirmation', 'requires_action']);
  const token = unusedToken(world, params);
  const method = methodToConfirm(world, intent, params, token);
  if (method === undefined)
    throw unfit(
      "You cannot confirm this PaymentIntent because it's missing a payment method. You can either update the PaymentIntent with a payment method and then confirm it again, or confirm it again directly with a payment method.",
      { code: 'payment_intent_unexpected_state', payment_intent: structuredClone(intent) },
    );
  checkOwner(world, intent, method);
  intent.setup_future_usage = token?.setup_future_usage ?? intent.setup_future_usage;
  applyConfirmation(world, intent, method, params);
  const behaviour = world.behaviours.get(method.id) ?? {};
  const isAlone = params.flag('off_session') ?? false;
  if (needsCardholder(world, intent, method, behaviour, isAlone)) {
    if (isAlone || params.flag('error_on_requires_action'))
      throw decline(world, intent, method, declineOf('authentication_required'));
    return challenge(world, intent, waysBack(params, token));
  }
  if (behaviour.decline !== undefined) throw decline(world, intent, method, behaviour.decline);
  if (behaviour.processing !== undefined) return process(world, intent, method, behaviour.processing);
  approve(world, intent, method, isAlone);
  return intent;
}

/** The method that is given, or that a confirmation token carries, or that the intent has. */
export function methodToConfirm(
  world: FakeWorld,
  intent: FakeIntent | FakeSetupIntent,
  params: FakeParams,
  token: FakeConfirmationToken | undefined,
): FakePaymentMethod | undefined {
  const given = params.text('payment_method');
  if (given !== undefined && token !== undefined)
    throw invalid('This fake takes either a payment_method or a confirmation_token.', {
      param: 'confirmation_token',
    });
  if (token !== undefined) return methodOfToken(world, token, intent);
  const id = given ?? intent.payment_method;
  return id === null ? undefined : paymentMethodOf(world, id, 'payment_method');
}

/** Where a challenge leads: what the request says wins over what the token says. */
export function waysBack(
  params: FakeParams,
  token: FakeConfirmationToken | undefined,
): { return_url: string | undefined; usesScript: boolean } {
  return {
    return_url: params.text('return_url') ?? token?.return_url ?? undefined,
    usesScript: params.flag('use_stripe_sdk') ?? token?.use_stripe_sdk ?? false,
  };
}

/** A card that belongs to a customer is used for that customer alone, and one that belongs to nobody serves one payment. */
export function checkOwner(world: FakeWorld, intent: FakeIntent | FakeSetupIntent, method: FakePaymentMethod): void {
  const { id, customer } = method;
  if (customer !== null && intent.customer === null)
    throw unfit(
      `The \`payment_method\` parameter supplied ${id} belongs to the Customer ${customer}. Please include the Customer in the \`customer\` parameter on the ${intentNames[intent.object]}.`,
      { param: 'payment_method' },
    );
  if (customer !== null && intent.customer !== customer)
    throw unfit(
      `The payment method supplied (${id}) does not belong to the Customer you supplied (${intent.customer}). Please use this payment method with the Customer that it belongs to instead.`,
      { param: 'payment_method' },
    );
  const isItsOwn = intent.status === 'requires_action' && intent.payment_method === id;
  if (customer === null && world.spent.has(id) && !isItsOwn)
    throw unfit(
      'The provided PaymentMethod was previously used with a PaymentIntent without Customer attachment, shared with a connected account without Customer attachment, or was detached from a Customer. It may not be used again. To use a PaymentMethod multiple times, you must attach it to a Customer first.',
    );
}

function applyConfirmation(world: FakeWorld, intent: FakeIntent, method: FakePaymentMethod, params: FakeParams): void {
  const requested = threeDSecureOf(params);
  intent.setup_future_usage = params.oneOf('setup_future_usage', futureUsages) ?? intent.setup_future_usage;
  intent.receipt_email = params.text('receipt_email') ?? intent.receipt_email;
  if (requested !== 'automatic') intent.payment_method_options.card.request_three_d_secure = requested;
  intent.payment_method = method.id;
  if (method.customer === null) world.spent.add(method.id);
}

function needsCardholder(
  world: FakeWorld,
  intent: FakeIntent,
  method: FakePaymentMethod,
  behaviour: FakeBehaviour,
  isAlone: boolean,
): boolean {
  if (behaviour.challenge === 'always') return true;
  if (behaviour.challenge === 'unless_set_up') return !world.setUp.has(method.id);
  if (behaviour.challenge === 'on_session') return !isAlone;
  return !isAlone && intent.payment_method_options.card.request_three_d_secure !== 'automatic';
}

function challenge(world: FakeWorld, intent: FakeIntent, back: ReturnType<typeof waysBack>): FakeIntent {
  intent.status = 'requires_action';
  intent.next_action = challengeAction(world, intent.id, back);
  world.report('payment_intent.requires_action', intent);
  return intent;
}

function process(
  world: FakeWorld,
  intent: FakeIntent,
  method: FakePaymentMethod,
  end: 'succeeds' | 'fails',
): FakeIntent {
  intent.status = 'processing';
  world.report('payment_intent.processing', intent);
  completeCheckout(world, intent);
  world.later(world.settings.decisionMs, () => {
    if (end === 'succeeds') approve(world, intent, method);
    else {
      decline(world, intent, method, declineOf('generic_decline'));
      failCheckout(world, intent);
    }
  });
  return intent;
}
