import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Secret } from '../../../base/secret.ts';
import type { PayCard } from '../../../connectors/simulator/pay_decision.ts';
import { payOn } from '../../../connectors/stripe/world.fixture.ts';
import type { FakeIntent, FakeSetupIntent } from '../../../fakes/stripe/shapes.ts';
import { openStripeShop, type StripeShop } from '../../payments/payments/stripe_shop.fixture.ts';
import { Checkout } from './checkout.fixture.ts';

/** Methods that are kept at Stripe: by a payment, by a setup, and by a trial; on its page, and in its fields in ours. */

let shop: StripeShop;
let checkout: Checkout;
let monthly: string;

beforeAll(async () => {
  shop = await openStripeShop({ hasFields: true });
  checkout = new Checkout(shop.server, shop.account);
  const tea = { currency: 'eur', unit_amount: 900, product_name: 'Tea', recurring: { interval: 'month' } };
  monthly = (await shop.post('/v1/prices', tea)).json.id;
});
afterAll(async () => {
  expect(await shop.violations()).toEqual([]);
  await shop.stop();
});
beforeEach(() => shop.clock.advance(60_000));

const none = { amount: null, currency: null };
const kinds = {
  'a payment': { save_payment_method: 'require' },
  'a setup': { ...none, mode: 'setup' },
  'a trial': () => ({
    ...{ ...none, mode: 'subscription', line_items: [{ price: monthly }] },
    subscription_data: { trial_days: 7 },
  }),
} as const;
type Kind = keyof typeof kinds;
const create = (kind: Kind) => {
  const parameters = kinds[kind];
  return checkout.create(typeof parameters === 'function' ? parameters() : parameters);
};

type Made = { id: string; url: string };

/** As the fields in the browser make it. */
async function tokenOf(card: string): Promise<string> {
  const answer = await fetch(`${shop.stripe.url}/v1/test_helpers/confirmation_tokens`, {
    method: 'POST',
    headers: { authorization: `Bearer ${shop.stripe.secretKey}` },
    body: new URLSearchParams({ payment_method: `pm_card_${card}` }),
  });
  return ((await answer.json()) as { id: string }).id;
}

async function byFields(made: Made, card: string) {
  return byToken(made, await tokenOf(card));
}

function byToken(made: Made, token: string) {
  shop.clock.advance(1); // tries sort in the order in which they were made
  const instrument = { kind: 'confirmation', token: new Secret(token), processor_account: shop.processor } as const;
  return checkout.pay(made, '', { instrument });
}

async function byPage(made: Made, card: string) {
  shop.clock.advance(1);
  const pressed = await checkout.pay(made, '', { instrument: { kind: 'page' } });
  await payOn(pressed!.goTo!, card as PayCard);
  await shop.reported();
}

const get = async (path: string) => (await shop.account.test.get(`/v1/${path}`)).json;
const intentsOf = (id: string) =>
  [
    ...shop.stripe.world.all<FakeIntent>('payment_intent'),
    ...shop.stripe.world.all<FakeSetupIntent>('setup_intent'),
  ].filter(({ metadata }) => metadata.tollgate_payment === id || metadata.tollgate_setup === id);

const ways = [
  ['its fields', byFields],
  ['its page', byPage],
] as const;
const cases = ways.flatMap(([way, pay]) => (Object.keys(kinds) as Kind[]).map((kind) => [way, kind, pay] as const));

test.each(cases)(
  'in %s, %s keeps the card for a customer who is made with it, and charges it later',
  async (_, kind, pay) => {
    const made = await create(kind);
    expect((await checkout.view(made))?.ways.map((way) => way.kind)).toEqual(['fields', 'page']);
    await pay(made, 'visa');
    const session = await checkout.get(made.id);
    const isPaid = kind === 'a payment';
    expect(session).toMatchObject({ status: 'complete', payment_status: isPaid ? 'paid' : 'no_payment_required' });
    const { customer, payment_method, payment, setup, subscription } = session;
    const [intent, ...others] = intentsOf(payment ?? setup);
    expect([intent?.object, intent?.status, others]).toEqual([
      isPaid ? 'payment_intent' : 'setup_intent',
      'succeeded',
      [],
    ]);
    expect(await get(`customers/${customer}`)).toMatchObject({ email: 'ada@example.com' });
    expect(await get(`payment_methods/${payment_method}`)).toMatchObject({ customer, card: { last4: '4242' } });
    if (kind === 'a trial')
      expect(await get(`subscriptions/${subscription}`)).toMatchObject({
        ...{ status: 'trialing', customer, default_payment_method: payment_method },
      });
    const later = { amount: 700, currency: 'eur', customer, payment_method, off_session: true };
    const { json } = await shop.post('/v1/payments', later);
    expect(json).toMatchObject({ status: 'succeeded', off_session: true, ...(setup && { setup }) });
    expect(await checkout.events(made.id)).toEqual(['created', 'completed']);
  },
);

describe('in its fields', () => {
  test.each(['a setup', 'a trial'] as const)('%s that is declined is told, and another card is taken', async (kind) => {
    const made = await create(kind);
    const declined = await byFields(made, 'visa_chargeDeclined');
    expect(declined?.view).toMatchObject({ status: 'open', try: { state: 'declined', reason: 'declined' } });
    await byFields(made, 'mastercard');
    expect(await checkout.setups(made.id)).toEqual(['failed', 'succeeded']);
    expect(await checkout.events(made.id)).toEqual(['created', 'payment_failed', 'completed']);
  });

  test('the bank asks: the session stays open, and its expiry cancels the intent at Stripe', async () => {
    const made = await create('a setup');
    expect((await byFields(made, 'authenticationRequired'))?.goTo).toMatch(/^http/);
    const { setup } = await checkout.get(made.id);
    const expired = await shop.post(`/v1/checkout_sessions/${made.id}/expire`);
    expect(expired.json).toMatchObject({ status: 'expired', expired_reason: 'requested' });
    expect(intentsOf(setup)).toMatchObject([{ status: 'canceled' }]);
  });

  test('an answer that is lost is found, and the card is kept once', async () => {
    const [made, token] = [await create('a setup'), await tokenOf('visa')];
    shop.stripe.faults.add({ kind: 'reset_after', method: 'POST', path: '/confirm', times: 1 });
    expect((await byToken(made, token))?.view.try.state).toBe('confirming');
    for (let rounds = 0; rounds < 3; rounds++) await shop.pass(120_000);
    const { setup, status, customer } = await checkout.get(made.id);
    expect([status, await checkout.setups(made.id)]).toEqual(['complete', ['succeeded']]);
    expect(intentsOf(setup)).toHaveLength(1);
    expect(customer).toMatch(/^cus_/);
  });
});

test('a page that is open is closed at Stripe before the session expires; one that was used completes it instead', async () => {
  const [left, used] = [await create('a setup'), await create('a setup')];
  const open = async (made: Made) => (await checkout.pay(made, '', { instrument: { kind: 'page' } }))!.goTo!;
  await open(left);
  const goTo = await open(used);
  const expire = async ({ id }: Made) => (await shop.post(`/v1/checkout_sessions/${id}/expire`)).json;
  expect(await expire(left)).toMatchObject({ status: 'expired' });
  await payOn(goTo, 'visa');
  expect((await expire(used)).status).not.toBe('expired'); // Stripe refuses to close it
  await shop.pass(5_000);
  expect(await checkout.get(used.id)).toMatchObject({ status: 'complete', customer: expect.any(String) });
});

test.each<[Kind, object]>([
  ['a payment', { mode: 'payment', amount: '2000', currency: 'eur', setupFutureUsage: 'off_session' }],
  ['a setup', { mode: 'setup' }],
  ['a trial', { mode: 'setup', currency: 'eur' }],
])('the fields of %s are told what the card is kept for', async (kind, options) => {
  const { url } = await create(kind);
  const { text } = await shop.server.anonymous.get(new URL(url).pathname);
  const [, config = ''] = /data-config='([^']+)'/.exec(text) ?? [];
  const { publishable_key: _, paymentMethodTypes: __, ...told } = JSON.parse(config.replaceAll('&quot;', '"'));
  expect(told).toEqual(options);
});

async function limitCardTesting(card_testing: object): Promise<void> {
  await shop.server.operator.run('account.update', { account: shop.account.id, parameters: { card_testing } });
  shop.clock.advance(1_000); // settings are cached for less than a second
}

test('a card that is typed into the fields of Stripe in a fourth session within an hour is refused', async () => {
  await limitCardTesting({ in_test_mode: true });
  const made: Made[] = [];
  for (let sessions = 0; sessions < 4; sessions++) made.push(await create('a payment'));
  const tried = [];
  for (const one of made) tried.push(await byFields(one, 'mastercard'));
  expect(tried.map((answer) => answer?.refused !== undefined)).toEqual([false, false, false, true]);
  expect(await checkout.payments(made[3]!.id)).toEqual([]);
  expect((await byFields(made[3]!, 'visa'))?.view.status).toBe('complete');
  await limitCardTesting({ in_test_mode: false });
});

test('Stripe is not asked for the card of a try that is refused anyway', async () => {
  await limitCardTesting({ in_test_mode: true, declines_per_address: 1 });
  const [first, second] = [await create('a payment'), await create('a payment')];
  await byFields(first, 'visa_chargeDeclined');
  const token = await tokenOf('visa');
  shop.stripe.faults.add({ kind: 'reset_before', path: '/v1/confirmation_tokens', times: 1_000 });
  expect((await byToken(second, token))?.refused).toBeDefined();
  shop.stripe.faults.clear();
  await limitCardTesting({ in_test_mode: false, declines_per_address: 10 });
});
