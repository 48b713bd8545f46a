import { randomText } from '../books.ts';
import { refuseOfCheckout } from './checkout.ts';
import { unfit } from './errors.ts';
import {
  addIntent,
  checkMethodTypes,
  customerOf,
  isConfirmedNow,
  methodTypesParams,
  threeDSecureOf,
} from './intent.ts';
import { listOf, listParams } from './lists.ts';
import { paymentMethodOf } from './payment_methods.ts';
import type { FakeParams } from './reading.ts';
import { type FakeCall, type FakeEndpoint, inPath, retrieval } from './route.ts';
import { cancelSetup, confirmSetup } from './setup_outcomes.ts';
import type { FakeSetupAttempt, FakeSetupIntent } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/setup_intents';
const facts = ['customer', 'description', 'metadata', 'usage', ...methodTypesParams];
// biome-ignore format: a list of words
const confirmParams = [
  'payment_method', 'confirmation_token', 'payment_method_options', 'return_url', 'use_stripe_sdk',
];
const cancelReasons = ['abandoned', 'duplicate', 'requested_by_customer'] as const;

/** A SetupIntent verifies a card, and keeps the agreement of its cardholder to later payments, without a payment. */
export const setupIntentEndpoints: readonly FakeEndpoint[] = [
  { method: 'POST', path, run: create },
  { method: 'GET', path, run: list },
  retrieval<FakeSetupIntent>('setup_intent', path),
  { method: 'POST', path: `${path}/:id`, run: update },
  {
    method: 'POST',
    path: `${path}/:id/confirm`,
    run: (call) => {
      call.params.only(...confirmParams, 'expand');
      const intent = inPath<FakeSetupIntent>(call, 'setup_intent');
      refuseOfCheckout(call.world, intent);
      return confirmSetup(call.world, intent, call.params);
    },
  },
  {
    method: 'POST',
    path: `${path}/:id/cancel`,
    run: (call) => {
      call.params.only('cancellation_reason', 'expand');
      const reason = call.params.oneOf('cancellation_reason', cancelReasons) ?? null;
      const intent = inPath<FakeSetupIntent>(call, 'setup_intent');
      refuseOfCheckout(call.world, intent);
      return cancelSetup(call.world, intent, reason);
    },
  },
  { method: 'GET', path: '/v1/setup_attempts', run: listAttempts },
];

function create({ world, params }: FakeCall): object {
  params.only(...facts, ...confirmParams, 'confirm', 'expand');
  const isConfirmed = isConfirmedNow(params, 'return_url', 'confirmation_token', 'use_stripe_sdk');
  const intent = addIntent(world, newSetupIntent(world, params), params);
  return isConfirmed ? confirmSetup(world, intent, params) : intent;
}

export function newSetupIntent(world: FakeWorld, params: FakeParams): FakeSetupIntent {
  checkMethodTypes(world, params);
  const id = world.newId('seti');
  return {
    id,
    object: 'setup_intent',
    application: null,
    automatic_payment_methods: null,
    cancellation_reason: null,
    client_secret: `${id}_secret_${randomText(25)}`,
    created: world.seconds(),
    customer: customerOf(world, params),
    description: params.text('description') ?? null,
    flow_directions: null,
    last_setup_error: null,
    latest_attempt: null,
    livemode: world.settings.livemode,
    mandate: null,
    metadata: params.metadata(),
    next_action: null,
    on_behalf_of: null,
    payment_method: null,
    payment_method_options: { card: { request_three_d_secure: threeDSecureOf(params) } },
    payment_method_types: ['card'],
    single_use_mandate: null,
    status: 'requires_payment_method',
    usage: params.oneOf('usage', ['off_session', 'on_session']) ?? 'off_session',
  };
}

function list({ world, params }: FakeCall): object {
  params.only(...listParams, 'customer', 'payment_method');
  const [customer, method] = [params.text('customer'), params.text('payment_method')];
  return listOf(
    path,
    params,
    world.all<FakeSetupIntent>('setup_intent'),
    (intent) =>
      (customer === undefined || intent.customer === customer) &&
      (method === undefined || intent.payment_method === method),
  );
}

function update(call: FakeCall): object {
  const { world, params } = call;
  params.only('customer', 'description', 'metadata', 'payment_method', 'expand');
  const intent = inPath<FakeSetupIntent>(call, 'setup_intent');
  if (intent.status === 'canceled' || intent.status === 'succeeded')
    throw unfit(`This SetupIntent could not be updated because it has a status of ${intent.status}.`, {
      code: 'setup_intent_unexpected_state',
      setup_intent: structuredClone(intent),
    });
  const token = params.text('payment_method');
  const method = token === undefined ? undefined : paymentMethodOf(world, token, 'payment_method');
  intent.customer = customerOf(world, params) ?? intent.customer;
  intent.description = params.text('description') ?? intent.description;
  intent.metadata = params.metadata(intent.metadata);
  if (method !== undefined) Object.assign(intent, { payment_method: method.id, status: 'requires_confirmation' });
  return intent;
}

/** Every attempt to confirm a SetupIntent, which Stripe lists by the intent alone. */
function listAttempts({ world, params }: FakeCall): object {
  params.only(...listParams, 'setup_intent');
  const intent = params.needed('setup_intent');
  const attempts = world.all<FakeSetupAttempt>('setup_attempt');
  return listOf('/v1/setup_attempts', params, attempts, ({ setup_intent }) => setup_intent === intent);
}
