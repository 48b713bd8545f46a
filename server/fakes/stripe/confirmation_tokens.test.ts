import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { type FakeStripe, startFakeStripe } from './index.ts';
import { type OfficialClient, officialClient } from './official_client.fixture.ts';

/** Confirmation tokens and payment-method domains through Stripe's own client, compared with Stripe's description. */

let fake: FakeStripe;
let client: OfficialClient;
let stripe: Stripe;
let clock: VirtualClock;
const hour = 3_600_000;

beforeAll(async () => {
  clock = virtualClock(Date.UTC(2026, 10, 16, 12));
  fake = await startFakeStripe({ port: 0, clock });
  client = officialClient(fake);
  stripe = client.stripe;
});
afterAll(() => fake.close());
afterEach(() => expect(client.problems.splice(0)).toEqual([]));

const facts = { amount: 2_000, currency: 'eur', allowed_payment_method_types: ['card'] };
const return_url = 'https://shop.example/back';

async function refused(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return call.then(
    () => expect.fail('it was not refused'),
    (error: Stripe.errors.StripeError) => error,
  );
}

const tokenOf = async (payment_method: string) =>
  (await stripe.testHelpers.confirmationTokens.create({ payment_method, return_url })).id;

async function pay(confirmation_token: string, more: Stripe.PaymentIntentConfirmParams = {}) {
  const { id } = await stripe.paymentIntents.create(facts);
  return stripe.paymentIntents.confirm(id, { confirmation_token, ...more });
}

test('a token shows its card without the number, and is used once', async () => {
  const id = await tokenOf('pm_card_mastercard');
  const token = await stripe.confirmationTokens.retrieve(id);
  expect(token).toMatchObject({
    ...{ payment_intent: null, setup_intent: null, use_stripe_sdk: true, return_url },
    payment_method_preview: { type: 'card', card: { brand: 'mastercard', last4: '4444' }, customer: null },
  });
  expect(token.payment_method_preview?.card?.fingerprint).toMatch(/^fake/);
  const paid = await pay(id);
  expect(paid.status).toBe('succeeded');
  expect((await stripe.confirmationTokens.retrieve(id)).payment_intent).toBe(paid.id);
  expect(await refused(pay(id))).toMatchObject({ statusCode: 400, param: 'confirmation_token' });
});

test('a decline uses it up as well; after twelve hours it is gone', async () => {
  const [declined, old] = [await tokenOf('pm_card_visa_chargeDeclined'), await tokenOf('pm_card_visa')];
  expect(await refused(pay(declined))).toMatchObject({ statusCode: 402, code: 'card_declined' });
  expect((await refused(pay(declined))).message).toContain('already been used');
  fake.world.advance(12 * hour);
  expect((await refused(pay(old))).message).toContain('has expired');
  expect(await refused(pay('ctoken_none'))).toMatchObject({ code: 'resource_missing', param: 'confirmation_token' });
});

test('a challenge is left to the script, unless the request says otherwise', async () => {
  const card = 'pm_card_authenticationRequired';
  expect((await pay(await tokenOf(card))).next_action?.type).toBe('use_stripe_sdk');
  const page = await pay(await tokenOf(card), { use_stripe_sdk: false });
  expect(page.next_action).toMatchObject({ type: 'redirect_to_url', redirect_to_url: { return_url } });
  const elsewhere = await pay(await tokenOf(card), { use_stripe_sdk: false, return_url: 'https://shop.example/2' });
  expect(elsewhere.next_action?.redirect_to_url?.return_url).toBe('https://shop.example/2');
});

test('versions of the API before and since call the types of methods by other names', async () => {
  const ask = async (name: string, version?: string) => {
    const headers = { authorization: `Bearer ${fake.secretKey}`, ...(version && { 'stripe-version': version }) };
    const body = new URLSearchParams({ amount: '2000', currency: 'eur', [`${name}[]`]: 'card' });
    return (await fetch(`${fake.url}/v1/payment_intents`, { method: 'POST', headers, body })).status;
  };
  expect(await ask('payment_method_types')).toBe(200);
  expect(await ask('payment_method_types', '2026-08-26.dahlia')).toBe(200);
  expect(await ask('payment_method_types', '2026-09-30.endive')).toBe(400);
  expect(await ask('allowed_payment_method_types', '2026-10-28.endive')).toBe(200);
  expect(await ask('allowed_payment_method_types')).toBe(400);
});

test('a card is set up with a token, for a customer', async () => {
  const customer = (await stripe.customers.create({})).id;
  const { id } = await stripe.setupIntents.create({ customer, allowed_payment_method_types: ['card'] });
  const confirmation_token = await tokenOf('pm_card_visa');
  const done = await stripe.setupIntents.confirm(id, { confirmation_token, use_stripe_sdk: false });
  expect(done.status).toBe('succeeded');
  const method = done.payment_method as string;
  expect((await stripe.paymentMethods.retrieve(method)).customer).toBe(customer);
  const { setup_intent } = await stripe.confirmationTokens.retrieve(confirmation_token);
  expect(setup_intent).toBe(id);
});

test('a browser makes tokens, and reads none; a server does the opposite', async () => {
  const ask = async (key: string, method: string, path: string, body?: URLSearchParams) => {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${fake.url}${path}`, { method, headers, ...(body && { body }) });
    return { status: answer.status, ...((await answer.json()) as { id?: string; error?: { param?: string } }) };
  };
  const form = (card: Record<string, string>) =>
    new URLSearchParams([
      ['payment_method_data[type]', 'card'],
      ...Object.entries(card).map(([name, value]): [string, string] => [`payment_method_data[card][${name}]`, value]),
    ]);
  const card = { number: '4242 4242 4242 4242', exp_month: '12', exp_year: '2030', cvc: '123' };
  const path = '/v1/confirmation_tokens';
  const made = await ask(fake.publishableKey, 'POST', path, form(card));
  expect(made).toMatchObject({ status: 200, payment_method_preview: { card: { last4: '4242' } } });
  expect(JSON.stringify(made)).not.toContain('424242424242424');
  expect((await ask(fake.publishableKey, 'GET', `${path}/${made.id}`)).status).toBe(401);
  expect((await ask(fake.secretKey, 'POST', path, form(card))).status).toBe(401);
  const { cvc: _, ...withoutCode } = card;
  expect(await ask(fake.publishableKey, 'POST', path, form(withoutCode))).toMatchObject({ status: 400 });
  expect((await pay(made.id!)).status).toBe('succeeded');
});

test('a domain is registered once', async () => {
  const one = await stripe.paymentMethodDomains.create({ domain_name: 'pay.example.com' });
  expect(one).toMatchObject({ enabled: true, apple_pay: { status: 'active' } });
  expect((await stripe.paymentMethodDomains.create({ domain_name: 'pay.example.com' })).id).toBe(one.id);
  const { data } = await stripe.paymentMethodDomains.list({ domain_name: 'pay.example.com' });
  expect(data.map(({ id }) => id)).toEqual([one.id]);
  expect((await stripe.paymentMethodDomains.list({ domain_name: 'other.example.com' })).data).toEqual([]);
  const wrong = stripe.paymentMethodDomains.create({ domain_name: 'https://pay.example.com' });
  expect(await refused(wrong)).toMatchObject({ param: 'domain_name' });
});
