import { brandOfNumber, cardOfNumber, type FakeTestCard, testCardOf } from './cards.ts';
import { cardError, FakeStripeError, invalid, unfit } from './errors.ts';
import type { FakeParams } from './reading.ts';
import { type FakeCall, type FakeEndpoint, named, namedCustomer } from './route.ts';
import type { FakeBilling, FakeMethodDetails, FakePaymentMethod } from './shapes.ts';
import type { FakeWorld } from './world.ts';

const path = '/v1/payment_methods';
/** The kinds of payment methods that the fake can list. It makes cards alone; tests plant the others. */
export const paymentMethodTypes = ['card', 'link', 'paypal', 'sepa_debit', 'us_bank_account'] as const;
const addressNames = ['city', 'country', 'line1', 'line2', 'postal_code', 'state'] as const;

export const paymentMethodEndpoints: readonly FakeEndpoint[] = [
  { method: 'POST', path, isForBrowsers: true, run: create },
  {
    method: 'GET',
    path: `${path}/:id`,
    run: ({ world, params, id }) => {
      params.only('expand');
      return paymentMethodOf(world, id);
    },
  },
  { method: 'POST', path: `${path}/:id`, run: update },
  { method: 'POST', path: `${path}/:id/attach`, run: attach },
  { method: 'POST', path: `${path}/:id/detach`, run: detach },
];

/** A payment method by its id, or a new one for a test token: each use of a test token makes one, as at Stripe. */
export function paymentMethodOf(world: FakeWorld, id: string, param?: string): FakePaymentMethod {
  const card = tokenCardOf(world, id);
  return card === undefined
    ? named<FakePaymentMethod>(world, 'payment_method', id, param)
    : addPaymentMethod(world, card);
}

/** The card of a test token, or of one that was taught. */
export function tokenCardOf(world: FakeWorld, id: string): FakeTestCard | undefined {
  const taught = world.taught.get(id);
  return taught === undefined ? testCardOf(id) : { number: '4242424242424242', behaviour: taught };
}

/** The card of a number that somebody has typed. */
export function typedCard(world: FakeWorld, text: string): FakeTestCard {
  const card = cardOfNumber(text);
  const behaviour = world.taught.get(card.number);
  return behaviour === undefined ? card : { ...card, behaviour };
}

function create({ world, params, isPublishable }: FakeCall): object {
  params.only('type', 'card', 'billing_details', 'metadata', 'expand');
  if (params.needed('type') !== 'card') throw invalid('This fake knows the type card alone.', { param: 'type' });
  const given = params.group('card').only('number', 'exp_month', 'exp_year', 'cvc', 'token');
  const details = { billing: billingOf(params.group('billing_details')), metadata: params.metadata() };
  const token = given.text('token');
  if (token !== undefined) {
    const card = testCardOf(token);
    if (card === undefined)
      throw invalid(`No such token: '${token}'`, { code: 'resource_missing', param: 'card[token]' });
    return addPaymentMethod(world, card, details);
  }
  if (!isPublishable && !world.settings.rawCards)
    throw new FakeStripeError(402, {
      type: 'invalid_request_error',
      message:
        'Sending credit card numbers directly to the Stripe API is generally unsafe. To continue processing use Stripe.js, the Stripe mobile bindings, or Stripe Elements.',
    });
  const expiry = expiryOf(world, given);
  return addPaymentMethod(world, typedCard(world, given.needed('number')), { ...details, expiry });
}

export function expiryOf(world: FakeWorld, card: FakeParams): { month: number; year: number } {
  const [month, year] = [Number(card.needed('exp_month')), Number(card.needed('exp_year'))];
  const now = new Date(world.now());
  if (!(month >= 1 && month <= 12))
    throw cardError({
      code: 'invalid_expiry_month',
      param: 'exp_month',
      message: "Your card's expiration month is invalid.",
    });
  const isPast = year * 12 + month < now.getUTCFullYear() * 12 + now.getUTCMonth() + 1;
  if (!Number.isInteger(year) || isPast)
    throw cardError({
      code: 'invalid_expiry_year',
      param: 'exp_year',
      message: "Your card's expiration year is invalid.",
    });
  return { month, year };
}

export function addPaymentMethod(
  world: FakeWorld,
  card: FakeTestCard,
  details: FakeMethodDetails = {},
): FakePaymentMethod {
  const method = world.add(newPaymentMethod(world, card, details));
  world.behaviours.set(method.id, card.behaviour);
  return method;
}

export function newPaymentMethod(
  world: FakeWorld,
  { number }: FakeTestCard,
  details: FakeMethodDetails = {},
): FakePaymentMethod {
  const brand = brandOfNumber(number);
  const now = new Date(world.now());
  const expiry = details.expiry ?? { month: now.getUTCMonth() + 1, year: now.getUTCFullYear() + 1 };
  return {
    id: world.newId('pm'),
    object: 'payment_method',
    billing_details: details.billing ?? noBilling(),
    card: {
      brand,
      checks: { address_line1_check: null, address_postal_code_check: null, cvc_check: 'unchecked' },
      country: 'US',
      exp_month: expiry.month,
      exp_year: expiry.year,
      fingerprint: `fake${number.slice(-12)}`,
      funding: 'credit',
      generated_from: null,
      last4: number.slice(-4),
      networks: { available: [brand], preferred: null },
      three_d_secure_usage: { supported: true },
      wallet: null,
    },
    created: world.seconds(),
    customer: null,
    livemode: world.settings.livemode,
    metadata: details.metadata ?? {},
    type: 'card',
  };
}

export function billingOf(given: FakeParams): FakeBilling {
  given.only('address', 'email', 'name', 'phone');
  const address = given.group('address').only(...addressNames);
  const billing = noBilling();
  for (const name of addressNames) billing.address[name] = address.text(name) ?? null;
  for (const name of ['email', 'name', 'phone'] as const) billing[name] = given.text(name) ?? null;
  return billing;
}

export function noBilling(): FakeBilling {
  return {
    address: { city: null, country: null, line1: null, line2: null, postal_code: null, state: null },
    email: null,
    name: null,
    phone: null,
  };
}

/** The expiry of a card that belongs to a customer. */
function update({ world, params, id }: FakeCall): object {
  params.only('card', 'expand');
  const method = named<FakePaymentMethod>(world, 'payment_method', id);
  if (method.customer === null) throw unfit('You must save this PaymentMethod to a customer before you can update it.');
  const given = params.group('card').only('exp_month', 'exp_year');
  if (given.text('exp_month') === undefined && given.text('exp_year') === undefined) return method;
  const { month, year } = expiryOf(world, given);
  Object.assign(method.card, { exp_month: month, exp_year: year });
  world.report('payment_method.updated', method);
  return method;
}

/** One that was used without a customer, or detached, can no longer be attached. */
function attach({ world, params, id }: FakeCall): object {
  params.only('customer', 'expand');
  const customer = namedCustomer(world, params.needed('customer'));
  const method = paymentMethodOf(world, id);
  if (method.customer !== null && method.customer !== customer.id)
    throw unfit('The payment method you provided has already been attached to a customer.');
  if (world.spent.has(method.id))
    throw unfit(
      'This PaymentMethod was previously used without being attached to a Customer or was detached from a Customer, and may not be used again.',
    );
  // Stripe asks the issuer when a card is attached.
  const { decline, isAttachable } = world.behaviours.get(method.id) ?? {};
  if (decline !== undefined && !isAttachable) throw cardError(decline);
  method.customer = customer.id;
  world.report('payment_method.attached', method);
  return method;
}

function detach({ world, params, id }: FakeCall): object {
  params.only('expand');
  const method = named<FakePaymentMethod>(world, 'payment_method', id);
  if (method.customer === null)
    throw unfit('The payment method you provided is not attached to a customer so detachment is impossible.');
  const previous = { customer: method.customer };
  method.customer = null;
  world.spent.add(method.id);
  world.report('payment_method.detached', method, previous);
  return method;
}
