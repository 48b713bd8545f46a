import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { paymentMethodOf } from '../../../fakes/stripe/payment_methods.ts';
import type { FakeSetupIntent } from '../../../fakes/stripe/shapes.ts';
import { openStripeShop, type StripeShop } from '../payments/stripe_shop.fixture.ts';

/** Setups at Stripe, with cards that Stripe keeps, and the charges without the cardholder that follow. */

let shop: StripeShop;

beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(async () => {
  expect(await shop.violations()).toEqual([]);
  await shop.stop();
});
afterEach(() => shop.stripe.faults.clear());

const day = 86_400_000;
const everyTime = 'pm_card_authenticationRequired';
const onSetup = 'pm_card_authenticationRequiredOnSetup';

/** A customer with a card that Stripe keeps. */
async function customerWith(card = 'pm_card_visa') {
  const customer = (await shop.post('/v1/customers')).json.id;
  const token = paymentMethodOf(shop.stripe.world, card).id;
  const processor_token = { processor_account: shop.processor, token };
  const made = await shop.post('/v1/payment_methods', { type: 'card', customer, processor_token });
  expect([made.status, made.json.error]).toEqual([200, undefined]);
  return { customer, payment_method: made.json.id as string };
}

const setUp = (payment_method: string, more: object = {}) => shop.post('/v1/setups', { payment_method, ...more });
const read = async (id: string) => (await shop.account.test.get(`/v1/setups/${id}`)).json;
const intentsOf = (setup: string) =>
  shop.stripe.world.all<FakeSetupIntent>('setup_intent').filter(({ metadata }) => metadata.tollgate_setup === setup);

/** The cardholder decides at the bank, and comes back to the gateway. */
async function decide(url: string, decision: 'approve' | 'fail') {
  const body = new URLSearchParams({ decision });
  const back = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  const { pathname, search } = new URL(back.headers.get('location')!);
  return shop.server.anonymous.get(`${pathname}${search}`);
}

describe('a card that its cardholder has to authenticate', () => {
  test.each([
    [onSetup, 'succeeded'],
    [everyTime, 'authentication_required'],
  ])('%s is set up, and then charged without the cardholder: %s', async (card, outcome) => {
    const { customer, payment_method } = await customerWith(card);
    const charge = { amount: 900, currency: 'eur', payment_method, customer, off_session: true };
    expect((await shop.post('/v1/payments', charge)).json.error.decline_code).toBe('authentication_required');
    const made = (await setUp(payment_method, { return_url: 'https://shop.test/saved' })).json;
    expect(made).toMatchObject({ status: 'requires_action', customer });
    const back = await decide(made.next_action.redirect_to_url.url, 'approve');
    expect(back.headers.location).toBe(`https://shop.test/saved?setup=${made.id}`);
    expect((await read(made.id)).status).toBe('succeeded');
    const paid = (await shop.post('/v1/payments', charge)).json;
    expect(paid.status ?? paid.error.decline_code).toBe(outcome);
    if (outcome === 'succeeded') expect(paid).toMatchObject({ off_session: true, setup: made.id });
  });

  test('fails to, and the setup has failed', async () => {
    const { payment_method } = await customerWith(everyTime);
    const { id, next_action } = (await setUp(payment_method)).json;
    await decide(next_action.redirect_to_url.url, 'fail');
    expect(await read(id)).toMatchObject({
      status: 'failed',
      failure_decline_code: 'setup_intent_authentication_failure',
    });
  });

  test('does not come back: a notice of Stripe tells', async () => {
    const { payment_method } = await customerWith(onSetup);
    const { id, next_action } = (await setUp(payment_method)).json;
    const body = new URLSearchParams({ decision: 'approve' });
    await fetch(next_action.redirect_to_url.url, { method: 'POST', body, redirect: 'manual' });
    await shop.reported();
    expect((await read(id)).status).toBe('succeeded');
  });

  test('never comes: the setup is canceled here and at Stripe, by request and after an hour', async () => {
    const { payment_method } = await customerWith(everyTime);
    const [asked, left] = [(await setUp(payment_method)).json, (await setUp(payment_method)).json];
    expect((await shop.post(`/v1/setups/${asked.id}/cancel`)).json.status).toBe('canceled');
    await shop.pass(3_600_000);
    await shop.reported();
    expect((await read(left.id)).status).toBe('canceled');
    for (const { id } of [asked, left]) expect(intentsOf(id)).toMatchObject([{ status: 'canceled' }]);
  });

  test('is not asked again at the end of a trial: the subscription renews', async () => {
    const { customer, payment_method } = await customerWith(onSetup);
    const gold = { product_name: 'Gold', unit_amount: 1_500, currency: 'eur', recurring: { interval: 'month' } };
    const price = (await shop.post('/v1/prices', gold)).json.id;
    const started = await shop.post('/v1/subscriptions', {
      ...{ customer, items: [{ price }], default_payment_method: payment_method, trial_days: 7 },
    });
    expect([started.status, started.json.status]).toEqual([200, 'trialing']);
    const { next_action } = await read(started.json.pending_setup);
    await decide(next_action.redirect_to_url.url, 'approve');
    await shop.pass(7 * day + 1_000);
    const { json } = await shop.account.test.get(`/v1/subscriptions/${started.json.id}`);
    expect(json).toMatchObject({ status: 'active' });
    const payments = (await shop.account.test.get(`/v1/payments?customer=${customer}`)).json.data;
    expect(payments).toMatchObject([{ status: 'succeeded', amount: 1_500, off_session: true }]);
  });
});

describe('a cardholder who would have to authenticate, where that is a decline', () => {
  async function start() {
    const { customer, payment_method } = await customerWith(everyTime);
    const gold = { product_name: 'Gold', unit_amount: 1_500, currency: 'eur', recurring: { interval: 'month' } };
    const price = (await shop.post('/v1/prices', gold)).json.id;
    const { status, json } = await shop.post('/v1/subscriptions', {
      ...{ customer, items: [{ price }], default_payment_method: payment_method, trial_days: 7 },
      payment_behavior: 'error_if_incomplete',
    });
    expect([status, json.error.decline_code]).toEqual([402, 'authentication_required']);
    return json.error.setup as string;
  }

  test.each([
    ['is', undefined],
    ['is, after the request to cancel was lost,', 'reset_before'],
    ['is, after the answer to the cancel was lost,', 'reset_after'],
  ] as const)('the setup has failed, and %s canceled at Stripe', async (_, kind) => {
    if (kind !== undefined) shop.stripe.faults.add({ kind, method: 'POST', path: '/cancel' });
    const id = await start();
    for (const _again of [1, 2, 3]) await shop.pass(60_000);
    await shop.reported();
    expect(intentsOf(id)).toMatchObject([{ status: 'canceled' }]);
    expect(await read(id)).toMatchObject({ status: 'failed', failure_decline_code: 'authentication_required' });
    expect(await shop.eventTypes(id)).toEqual(['setup.failed']);
    const attempts = await shop.sql('select verb, state from attempts where setup = $1 order by id', [id]);
    expect(attempts.map(({ verb, state }) => `${verb} ${state}`)).toEqual(['setup declined', 'cancel approved']);
  });
});

test('a decline is answered with 402, which names the setup', async () => {
  const { payment_method } = await customerWith('pm_card_chargeCustomerFail');
  const refused = await shop.post('/v1/payment_methods', {
    type: 'card',
    processor_token: {
      processor_account: shop.processor,
      token: paymentMethodOf(shop.stripe.world, 'pm_card_visa_chargeDeclined').id,
    },
  });
  const answer = await setUp(refused.json.id);
  expect([answer.status, answer.json.error]).toMatchObject([402, { code: 'card_declined', setup: expect.any(String) }]);
  expect(await read(answer.json.error.setup)).toMatchObject({ status: 'failed', failure_code: 'card_declined' });
  // Charges of this one are declined, and it can be set up.
  expect((await setUp(payment_method)).json.status).toBe('succeeded');
});

test.each([
  ['the answer is lost', 'reset_after', 'succeeded'],
  ['the request is lost', 'reset_before', 'failed'],
] as const)('%s: the outcome is unknown, and is found', async (_, kind, status) => {
  const { payment_method } = await customerWith();
  shop.stripe.faults.add({ kind, method: 'POST', path: '/confirm' });
  const { id, status: first } = (await setUp(payment_method)).json;
  expect(first).toBe('processing');
  for (const _again of [1, 2, 3]) await shop.pass(60_000);
  expect((await read(id)).status).toBe(status);
  expect(intentsOf(id)).toMatchObject([{ status: status === 'succeeded' ? 'succeeded' : 'canceled' }]);
});

test('a setup that is canceled at Stripe has failed here', async () => {
  const { payment_method } = await customerWith(everyTime);
  const { id } = (await setUp(payment_method)).json;
  shop.stripe.byHand.cancel(intentsOf(id)[0]!.id);
  await shop.reported();
  expect(await read(id)).toMatchObject({ status: 'failed', failure_decline_code: 'authorization_canceled' });
});
