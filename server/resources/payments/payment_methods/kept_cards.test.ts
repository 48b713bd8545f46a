import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { FakeCustomer, FakePaymentMethod } from '../../../fakes/stripe/shapes.ts';
import { tenantOf } from '../../../operations/tenants.ts';
import { unremembered } from '../../../test/stripe_books.ts';
import { openStripeShop, type StripeShop } from '../payments/stripe_shop.fixture.ts';

/** Card numbers that Stripe keeps for charges without the cardholder, and forgets with the payment method. */

let shop: StripeShop;

beforeAll(async () => {
  shop = await openStripeShop();
});
afterAll(async () => {
  expect(await shop.violations()).toEqual([]);
  expect(await unremembered(shop.server.sql, [shop.stripe.world])).toEqual([]);
  await shop.stop();
});
afterEach(() => shop.stripe.faults.clear());

const day = 86_400_000;
const onSetup = '4000002500003155';
const everyTime = '4000002760003184';
const plain = '4242424242424242';

async function numberOf(number: string, more: object = {}): Promise<string> {
  const card = { number, exp_month: 12, exp_year: 2040 };
  const made = await shop.post('/v1/payment_methods', { type: 'card', card, ...more });
  expect([made.status, made.json.error]).toEqual([200, undefined]);
  return made.json.id;
}

/** A customer with a card by its number. */
async function customerWith(number: string) {
  const customer: string = (await shop.post('/v1/customers')).json.id;
  return { customer, payment_method: await numberOf(number, { customer }) };
}

type Saved = { customer?: string; payment_method: string };
const setUp = (payment_method: string) => shop.post('/v1/setups', { payment_method });
const pay = (saved: Saved, more: object = {}) =>
  shop.post('/v1/payments', { amount: 900, currency: 'eur', ...saved, ...more });
const payAlone = (saved: Saved) => pay(saved, { off_session: true });
const outcome = ({ json }: Awaited<ReturnType<typeof pay>>) => json.status ?? json.error.decline_code;

/** The cardholder decides at the bank, and comes back to the gateway. */
async function approve({ next_action }: { next_action: { redirect_to_url: { url: string } } }) {
  const body = new URLSearchParams({ decision: 'approve' });
  const back = await fetch(next_action.redirect_to_url.url, { method: 'POST', body, redirect: 'manual' });
  const { pathname, search } = new URL(back.headers.get('location')!);
  await shop.server.anonymous.get(`${pathname}${search}`);
}

describe('without the cardholder', () => {
  async function trial({ customer, payment_method }: Required<Saved>) {
    const gold = { product_name: 'Gold', unit_amount: 1_500, currency: 'eur', recurring: { interval: 'month' } };
    const price = (await shop.post('/v1/prices', gold)).json.id;
    const started = await shop.post('/v1/subscriptions', {
      ...{ customer, items: [{ price }], default_payment_method: payment_method, trial_days: 7 },
    });
    expect([started.status, started.json.status]).toEqual([200, 'trialing']);
    await approve((await shop.account.test.get(`/v1/setups/${started.json.pending_setup}`)).json);
    await shop.pass(7 * day + 1_000);
    const { json } = await shop.account.test.get(`/v1/subscriptions/${started.json.id}`);
    expect(json).toMatchObject({ status: 'active' });
    const [renewal] = (await shop.account.test.get(`/v1/payments?customer=${customer}`)).json.data;
    expect(renewal).toMatchObject({ status: 'succeeded', amount: 1_500, off_session: true });
  }

  test('a trial with a card that has to be authenticated is set up at its start, and renews', async () => {
    await trial(await customerWith(onSetup));
  });

  test('so is one with a card that was charged when it was not attached, and so is not kept', async () => {
    const customer: string = (await shop.post('/v1/customers')).json.id;
    const payment_method = await numberOf(onSetup);
    await approve((await pay({ payment_method, customer })).json);
    await shop.post(`/v1/payment_methods/${payment_method}/attach`, { customer });
    await shop.pass(1_000); // the newest agreement counts
    await trial({ customer, payment_method });
  });

  test.each([
    [onSetup, 'succeeded'],
    [everyTime, 'authentication_required'],
  ])('%s is charged after a payment with the cardholder: %s', async (number, expected) => {
    const saved = await customerWith(number);
    expect(outcome(await payAlone(saved))).toBe('authentication_required');
    await approve((await pay(saved)).json);
    expect(outcome(await payAlone(saved))).toBe(expected);
  });

  test('a card is charged that was set up before it was attached to a customer', async () => {
    const payment_method = await numberOf(onSetup);
    await approve((await setUp(payment_method)).json);
    const customer = (await shop.post('/v1/customers')).json.id;
    await shop.post(`/v1/payment_methods/${payment_method}/attach`, { customer });
    expect(outcome(await payAlone({ customer, payment_method }))).toBe('succeeded');
  });
});

/** The customers that Stripe has for a card number, and the cards that are attached to them. */
function atStripe(payment_method: string) {
  const { world } = shop.stripe;
  const isMade = ({ id, metadata }: FakeCustomer) =>
    metadata.tollgate_payment_method === payment_method && !world.deleted.has(id);
  const customers = world
    .all<FakeCustomer>('customer')
    .filter(isMade)
    .map(({ id }) => id);
  const cards = world.all<FakePaymentMethod>('payment_method').filter(({ customer }) => customers.includes(customer!));
  return { customers: customers.length, cards: cards.length };
}

const rowsOf = (payment_method: string) =>
  shop.sql('select processor_account, customer from kept_cards where payment_method = $1', [payment_method]);

describe('a customer at Stripe', () => {
  test('is made for a saved card, and not for a number that belongs to nobody', async () => {
    const payment_method = await numberOf(plain);
    expect(outcome(await pay({ payment_method }))).toBe('succeeded');
    expect([atStripe(payment_method), await rowsOf(payment_method)]).toEqual([{ customers: 0, cards: 0 }, []]);
  });

  test('is made once, also by two payments at the same moment, and further payments attach no second card', async () => {
    const saved = await customerWith(plain);
    const both = await Promise.all([pay(saved), pay(saved)]);
    expect(both.map(outcome)).toEqual(['succeeded', 'succeeded']);
    expect(await rowsOf(saved.payment_method)).toMatchObject([{ processor_account: shop.processor }]);
    const { customers, cards } = atStripe(saved.payment_method);
    expect(customers).toBe(1);
    expect([outcome(await pay(saved)), outcome(await payAlone(saved))]).toEqual(['succeeded', 'succeeded']);
    expect(atStripe(saved.payment_method)).toEqual({ customers, cards });
  });

  test('that a request made before it died is found by the next one', async () => {
    const { payment_method } = await customerWith(plain);
    const tenant = await tenantOf(shop.server.sql, shop.account.id, 'test');
    const { connectors } = shop.server.gateway.services;
    const connector = await connectors.of({ tenant, connector: 'stripe', processor_account: shop.processor as never });
    const customer = await connector.keepCard!({ id: payment_method, deadline: shop.clock.now() + 5_000 });
    expect((await setUp(payment_method)).json.status).toBe('succeeded');
    expect(await rowsOf(payment_method)).toMatchObject([{ customer }]);
    expect(atStripe(payment_method)).toEqual({ customers: 1, cards: 1 });
  });

  test('is made before a decline too, and is deleted with the card', async () => {
    const { payment_method } = await customerWith('4000000000000002');
    expect((await setUp(payment_method)).json.error.code).toBe('card_declined');
    expect(atStripe(payment_method)).toEqual({ customers: 1, cards: 0 });
    await shop.post(`/v1/payment_methods/${payment_method}/detach`);
    await shop.pass(61_000);
    expect([atStripe(payment_method), await rowsOf(payment_method)]).toEqual([{ customers: 0, cards: 0 }, []]);
  });

  test('cannot be made: a setup is not sent, a payment is made all the same, and the next one keeps the card', async () => {
    const saved = await customerWith(plain);
    shop.stripe.faults.add({ kind: 'rate_limit_429', method: 'POST', path: '/v1/customers', probability: 1 });
    const failed = (await setUp(saved.payment_method)).json.error;
    expect(failed).toMatchObject({ code: 'processing_error' });
    const attempts = await shop.sql('select state from attempts where setup = $1', [failed.setup]);
    expect(attempts).toEqual([{ state: 'not_sent' }]);
    expect(outcome(await pay(saved))).toBe('succeeded');
    expect(await rowsOf(saved.payment_method)).toEqual([]);
    shop.stripe.faults.clear();
    expect(outcome(await pay(saved))).toBe('succeeded');
    expect(atStripe(saved.payment_method)).toEqual({ customers: 1, cards: 1 });
  });
});

describe('a card that is detached', () => {
  test('while its cardholder decides is forgotten after that', async () => {
    const { payment_method } = await customerWith(onSetup);
    const waiting = (await setUp(payment_method)).json;
    await shop.post(`/v1/payment_methods/${payment_method}/detach`);
    await shop.pass(61_000);
    expect(atStripe(payment_method)).toEqual({ customers: 1, cards: 0 });
    await approve(waiting);
    expect(atStripe(payment_method)).toEqual({ customers: 1, cards: 1 });
    await shop.pass(600_000);
    expect([atStripe(payment_method), await rowsOf(payment_method)]).toEqual([{ customers: 0, cards: 0 }, []]);
  });

  test.each(['reset_after', 'reset_before'] as const)(
    'while the outcome of its setup is unknown (%s) is forgotten once it is found',
    async (kind) => {
      const { customer, payment_method } = await customerWith(plain);
      shop.stripe.faults.add({ kind, method: 'POST', path: '/confirm' });
      expect((await setUp(payment_method)).json.status).toBe('processing');
      expect((await shop.account.test.delete(`/v1/customers/${customer}`)).status).toBe(200);
      for (const _again of [1, 2, 3]) await shop.pass(60_000);
      await shop.pass(600_000);
      expect([atStripe(payment_method), await rowsOf(payment_method)]).toEqual([{ customers: 0, cards: 0 }, []]);
    },
  );
});
