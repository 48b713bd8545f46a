import { FakeStripeError, invalid, unfit } from './errors.ts';
import { futureUsages } from './intent.ts';
import {
  addPaymentMethod,
  billingOf,
  expiryOf,
  newPaymentMethod,
  paymentMethodOf,
  tokenCardOf,
  typedCard,
} from './payment_methods.ts';
import type { FakeParams } from './reading.ts';
import { type FakeCall, type FakeEndpoint, named, retrieval } from './route.ts';
import type { FakeConfirmationToken, FakeIntent, FakePaymentMethod, FakeSetupIntent } from './shapes.ts';
import type { FakeShownSum, FakeTokenizedCard, FakeWorld } from './world.ts';

const path = '/v1/confirmation_tokens';
const lifeSeconds = 12 * 3_600;

/** A confirmation token is made in the browser, carries a card to the server without its number, and is used once. */
export const confirmationTokenEndpoints: readonly FakeEndpoint[] = [
  retrieval<FakeConfirmationToken>('confirmation_token', path),
  // Not part of the API that Stripe publishes: its script calls it.
  { method: 'POST', path, isForBrowsers: true, run: createInBrowser },
  { method: 'POST', path: '/v1/test_helpers/confirmation_tokens', run: createInTest },
];

function createInBrowser({ world, params, isPublishable }: FakeCall): object {
  if (!isPublishable)
    throw new FakeStripeError(401, { type: 'invalid_request_error', message: 'Only Stripe.js makes these tokens.' });
  params.only('payment_method_data', 'return_url', 'setup_future_usage', 'shown');
  const data = params.group('payment_method_data').only('type', 'card', 'billing_details');
  if (data.needed('type') !== 'card') throw invalid('This fake knows the type card alone.', { param: 'type' });
  const given = data.group('card').only('number', 'exp_month', 'exp_year', 'cvc');
  const expiry = expiryOf(world, given);
  const card = typedCard(world, given.needed('number'));
  given.needed('cvc');
  const details = { billing: billingOf(data.group('billing_details')), expiry };
  const token = addToken(world, { card, details }, params);
  const [amount, currency] = [params.group('shown').integer('amount'), params.group('shown').text('currency')];
  if (amount !== undefined && currency !== undefined) world.shownSums.set(token.id, { amount, currency });
  return token;
}

function createInTest({ world, params }: FakeCall): object {
  params.only('payment_method', 'return_url', 'setup_future_usage', 'expand');
  if (world.settings.livemode)
    throw invalid('This endpoint is only available in test mode. Try using your test keys instead.');
  const id = params.needed('payment_method');
  const card = tokenCardOf(world, id);
  const tokenized =
    card === undefined ? { method: paymentMethodOf(world, id, 'payment_method').id } : { card, details: {} };
  return addToken(world, tokenized, params);
}

function addToken(world: FakeWorld, tokenized: FakeTokenizedCard, params: FakeParams): FakeConfirmationToken {
  const { billing_details, card, customer, type } =
    'method' in tokenized
      ? world.get<FakePaymentMethod>(tokenized.method)
      : newPaymentMethod(world, tokenized.card, tokenized.details);
  const token = world.add<FakeConfirmationToken>({
    id: world.newId('ctoken'),
    object: 'confirmation_token',
    created: world.seconds(),
    expires_at: world.seconds() + lifeSeconds,
    livemode: world.settings.livemode,
    payment_intent: null,
    payment_method_options: null,
    payment_method_preview: structuredClone({ billing_details, card, customer, type }),
    return_url: params.text('return_url') ?? null,
    setup_future_usage: params.oneOf('setup_future_usage', futureUsages) ?? null,
    setup_intent: null,
    shipping: null,
    use_stripe_sdk: true,
  });
  world.tokenized.set(token.id, tokenized);
  return token;
}

/** The token that a confirmation names, which nothing has used. */
export function unusedToken(world: FakeWorld, params: FakeParams): FakeConfirmationToken | undefined {
  const id = params.text('confirmation_token');
  if (id === undefined) return undefined;
  const token = named<FakeConfirmationToken>(world, 'confirmation_token', id, 'confirmation_token');
  const param = 'confirmation_token';
  if (token.payment_intent !== null || token.setup_intent !== null)
    throw unfit(`The ConfirmationToken ${id} has already been used and cannot be used again.`, { param });
  if (token.expires_at !== null && token.expires_at <= world.seconds())
    throw unfit(`The ConfirmationToken ${id} has expired.`, { param });
  return token;
}

/** The customer has agreed to the sum that the fields were told, and to no other. */
function checkShown(shown: FakeShownSum | undefined, intent: FakeIntent | FakeSetupIntent): void {
  if (shown === undefined || intent.object !== 'payment_intent') return;
  const { amount, currency } = intent;
  if (amount === shown.amount && currency === shown.currency) return;
  const message = `The payment is of ${amount} ${currency}, and the fields were told ${shown.amount} ${shown.currency}: see elements.update().`;
  throw unfit(message, { param: 'confirmation_token' });
}

/** Uses the token up: its card becomes a payment method, whatever the issuer says then. */
export function methodOfToken(
  world: FakeWorld,
  token: FakeConfirmationToken,
  intent: FakeIntent | FakeSetupIntent,
): FakePaymentMethod {
  checkShown(world.shownSums.get(token.id), intent);
  token[intent.object] = intent.id;
  const tokenized = world.tokenized.get(token.id)!;
  return 'method' in tokenized
    ? world.get<FakePaymentMethod>(tokenized.method)
    : addPaymentMethod(world, tokenized.card, tokenized.details);
}
