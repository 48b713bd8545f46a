import type { FakeBehaviour } from './cards.ts';
import { challengeAction } from './challenge_action.ts';
import { completeCheckout } from './checkout.ts';
import { checkOwner, methodToConfirm, waysBack } from './confirm.ts';
import { unusedToken } from './confirmation_tokens.ts';
import { declineOf } from './declines.ts';
import { type FakeErrorBody, FakeStripeError, unfit } from './errors.ts';
import { requireStatus, threeDSecureOf } from './intent.ts';
import type { FakeParams } from './reading.ts';
import type { FakePaymentMethod, FakeSetupAttempt, FakeSetupIntent } from './shapes.ts';
import type { FakeWorld } from './world.ts';

/** Verifies the card, or asks the cardholder first. */
export function confirmSetup(world: FakeWorld, intent: FakeSetupIntent, params: FakeParams): FakeSetupIntent {
  requireStatus(intent, 'confirmed', ['requires_payment_method', 'requires_confirmation', 'requires_action']);
  const token = unusedToken(world, params);
  const method = methodToConfirm(world, intent, params, token);
  if (method === undefined)
    throw unfit("You cannot confirm this SetupIntent because it's missing a payment method.", {
      code: 'setup_intent_unexpected_state',
      setup_intent: structuredClone(intent),
    });
  checkOwner(world, intent, method);
  intent.payment_method = method.id;
  const requested = threeDSecureOf(params);
  if (requested !== 'automatic') intent.payment_method_options.card.request_three_d_secure = requested;
  const behaviour = world.behaviours.get(method.id) ?? {};
  if (needsCardholder(world, intent, method, behaviour)) return challenge(world, intent, waysBack(params, token));
  if (behaviour.decline !== undefined && !behaviour.isAttachable)
    throw failSetup(world, intent, method, { type: 'card_error', ...behaviour.decline });
  if (behaviour.processing !== undefined) return process(world, intent, method, behaviour.processing);
  return keep(world, intent, method);
}

/** The cardholder is there, so that a card which is set up for other payments alone is challenged as well. */
function needsCardholder(
  world: FakeWorld,
  { payment_method_options }: FakeSetupIntent,
  { id }: FakePaymentMethod,
  { challenge }: FakeBehaviour,
): boolean {
  if (challenge === 'unless_set_up') return !world.setUp.has(id);
  return challenge !== undefined || payment_method_options.card.request_three_d_secure !== 'automatic';
}

function challenge(world: FakeWorld, intent: FakeSetupIntent, back: ReturnType<typeof waysBack>): FakeSetupIntent {
  intent.status = 'requires_action';
  intent.next_action = challengeAction(world, intent.id, back);
  world.report('setup_intent.requires_action', intent);
  return intent;
}

/** The decision of the cardholder. Of a card that declines after its challenge the issuer says no; one that can be attached is kept. */
export function decideSetup(world: FakeWorld, intent: FakeSetupIntent, method: FakePaymentMethod, isApproved: boolean) {
  const { declineAfterChallenge, isAttachable } = world.behaviours.get(method.id) ?? {};
  if (!isApproved) failSetup(world, intent, method, authenticationFailure);
  else if (declineAfterChallenge !== undefined && !isAttachable)
    failSetup(world, intent, method, { type: 'card_error', ...declineAfterChallenge });
  else keep(world, intent, method);
}

const authenticationFailure: FakeErrorBody = {
  type: 'invalid_request_error',
  code: 'setup_intent_authentication_failure',
  message: 'The latest attempt to set up the payment method has failed because authentication failed.',
};

/** The card is good: it is attached to the customer of the intent, and later payments need no cardholder. */
function keep(world: FakeWorld, intent: FakeSetupIntent, method: FakePaymentMethod): FakeSetupIntent {
  addSetupAttempt(world, intent, method, null);
  Object.assign(intent, { status: 'succeeded', last_setup_error: null, next_action: null });
  if (intent.customer !== null && method.customer === null) {
    method.customer = intent.customer;
    world.report('payment_method.attached', method);
  }
  if (intent.usage === 'off_session') world.setUp.add(method.id);
  recordSetup(world, 'setup', intent);
  world.report('setup_intent.succeeded', intent);
  completeCheckout(world, intent);
  return intent;
}

/** The issuer says no, or the cardholder has not authenticated. The intent can be confirmed again, with another method. */
function failSetup(
  world: FakeWorld,
  intent: FakeSetupIntent,
  method: FakePaymentMethod,
  reason: FakeErrorBody,
): FakeStripeError {
  const error = { ...reason, payment_method: structuredClone(method) };
  addSetupAttempt(world, intent, method, error);
  Object.assign(intent, { status: 'requires_payment_method', payment_method: null, next_action: null });
  intent.last_setup_error = error;
  recordSetup(world, 'setup_decline', intent);
  world.report('setup_intent.setup_failed', intent);
  return new FakeStripeError(402, { ...error, setup_intent: structuredClone(intent) }, true);
}

function process(
  world: FakeWorld,
  intent: FakeSetupIntent,
  method: FakePaymentMethod,
  end: 'succeeds' | 'fails',
): FakeSetupIntent {
  intent.status = 'processing';
  world.later(world.settings.decisionMs, () => {
    if (end === 'succeeds') keep(world, intent, method);
    else failSetup(world, intent, method, { type: 'card_error', ...declineOf('generic_decline') });
  });
  return intent;
}

export function cancelSetup(
  world: FakeWorld,
  intent: FakeSetupIntent,
  reason: FakeSetupIntent['cancellation_reason'],
): FakeSetupIntent {
  requireStatus(intent, 'canceled', ['requires_payment_method', 'requires_confirmation', 'requires_action']);
  Object.assign(intent, { status: 'canceled', cancellation_reason: reason, next_action: null });
  world.report('setup_intent.canceled', intent);
  return intent;
}

function recordSetup(world: FakeWorld, kind: 'setup' | 'setup_decline', { id, metadata }: FakeSetupIntent): void {
  world.record({ kind, id, payment_intent: null, amount: 0, currency: '', metadata: metadata ?? {} });
}

function addSetupAttempt(
  world: FakeWorld,
  intent: FakeSetupIntent,
  method: FakePaymentMethod,
  setup_error: FakeErrorBody | null,
): void {
  const { customer, usage } = intent;
  const attempt = world.add<FakeSetupAttempt>({
    id: world.newId('setatt'),
    object: 'setup_attempt',
    application: null,
    created: world.seconds(),
    customer,
    flow_directions: null,
    livemode: world.settings.livemode,
    on_behalf_of: null,
    payment_method: method.id,
    payment_method_details: { card: { checks: method.card.checks, three_d_secure: null }, type: 'card' },
    setup_error,
    setup_intent: intent.id,
    status: setup_error === null ? 'succeeded' : 'failed',
    usage,
  });
  intent.latest_attempt = attempt.id;
}
