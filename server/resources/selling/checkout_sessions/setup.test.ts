import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal } from '../../../test/http/support.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { places } from '../../../test/torture.ts';
import { Checkout, cards, tokenOf } from './checkout.fixture.ts';

const ip = '203.0.113.7';
const neverReceived = '4000000000000416';
const none = { amount: null, currency: null };

describe.each(places)('a session of mode setup, with a simulator that is %s', (place) => {
  const clock: VirtualClock = virtualClock(Date.now());
  let server: TestServer;
  let account: TestAccount;
  let checkout: Checkout;
  beforeAll(async () => {
    server = await startServer({ clock, environment: { SIMULATOR: place } });
    account = await server.account();
    checkout = new Checkout(server, account);
  });
  afterAll(async () => {
    expect(await violationsOf(server.sql, { rest: false })).toEqual([]);
    await server.stop();
  });
  beforeEach(() => clock.advance(60_000));

  const create = (more: object = {}) => checkout.create({ ...none, mode: 'setup', ...more });
  /** Ids begin with their time: tries sort in the order in which they were made. */
  const pay = (...given: Parameters<Checkout['pay']>) => {
    clock.advance(1);
    return checkout.pay(...given);
  };
  const get = async (path: string) => (await account.test.get(`/v1/${path}`)).json;
  const everythingDue = async () => {
    for (let rounds = 0; rounds < 4; rounds++) {
      clock.advance(120_000);
      await server.settled();
    }
  };

  test('keeps the card for a customer who is made with it, and charges nothing', async () => {
    const made = await create({ description: 'A card for deliveries', reference: 'A-17' });
    expect(made).toMatchObject({ mode: 'setup', amount_total: 0, payment_status: 'no_payment_required' });
    for (const member of ['currency', 'amount_subtotal', 'setup']) expect(made).not.toHaveProperty(member);
    const { text } = await server.anonymous.get(new URL(made.url).pathname);
    expect(text).toContain('A card for deliveries');
    expect(text).toContain('Save card</button>');
    expect((await pay(made))?.view).toMatchObject({
      status: 'complete',
      paid: { brand: 'visa', last4: '4242' },
    });
    const session = await checkout.get(made.id);
    expect(session).toMatchObject({ status: 'complete', payment_status: 'no_payment_required', amount_total: 0 });
    const { customer, setup, payment_method } = session;
    expect(await get(`customers/${customer}`)).toMatchObject({ email: 'ada@example.com' });
    expect(await get(`payment_methods/${payment_method}`)).toMatchObject({ customer });
    expect(await get(`setups/${setup}`)).toMatchObject({
      ...{ status: 'succeeded', customer, payment_method, checkout_session: made.id },
    });
    expect(await checkout.events(made.id)).toEqual(['created', 'completed']);
    expect(await checkout.payments(made.id)).toEqual([]);
    const charge = { amount: 700, currency: 'eur', customer, payment_method, off_session: true };
    const { json: payment } = await account.test.post('/v1/payments', charge);
    expect(payment).toMatchObject({ status: 'succeeded', off_session: true, setup });
  });

  test('keeps it for the customer of the session, whose saved cards are not offered', async () => {
    const { customer } = await checkout.saved(cards.good);
    const made = await create({ customer, customer_email: null, currency: 'usd' });
    expect(made).toMatchObject({ currency: 'usd', customer });
    expect((await checkout.view(made))?.saved).toEqual([]);
    await pay(made);
    const { payment_method, setup } = await checkout.get(made.id);
    expect(await get(`payment_methods/${payment_method}`)).toMatchObject({ customer });
    expect(await get(`setups/${setup}`)).toMatchObject({ customer });
  });

  test('is kept once by ten tabs at the same moment', async () => {
    const made = await create();
    await Promise.all(Array.from({ length: 10 }, () => pay(made)));
    await everythingDue();
    expect(await checkout.setups(made.id)).toEqual(['succeeded']);
    expect(await checkout.events(made.id)).toEqual(['created', 'completed']);
  });

  test('that is declined makes nobody, and can be tried again; five times end it', async () => {
    const made = await create();
    const declined = await pay(made, cards.declined);
    expect(declined?.view).toMatchObject({ status: 'open', try: { state: 'declined', reason: 'declined' } });
    const { setup, customer } = await checkout.get(made.id);
    expect(customer).toBeUndefined();
    expect(await get(`setups/${setup}`)).not.toHaveProperty('customer');
    await pay(made);
    expect(await checkout.setups(made.id)).toEqual(['failed', 'succeeded']);
    expect(await checkout.events(made.id)).toEqual(['created', 'payment_failed', 'completed']);
    const tested = await create();
    for (let tries = 0; tries < 6; tries++) await pay(tested, cards.declined);
    expect(await checkout.get(tested.id)).toMatchObject({ status: 'expired', expired_reason: 'too_many_attempts' });
    expect(await checkout.setups(tested.id)).toHaveLength(5);
  });

  test('of a customer who is deleted during a try expires when that has failed', async () => {
    const { customer } = await checkout.saved(cards.good);
    const made = await create({ customer, customer_email: null });
    expect((await pay(made, neverReceived))?.view.status).toBe('processing');
    expect((await account.test.delete(`/v1/customers/${customer}`)).status).toBe(200);
    await everythingDue();
    expect(await checkout.setups(made.id)).toEqual(['failed']);
    expect(await checkout.get(made.id)).toMatchObject({ status: 'expired', expired_reason: 'requested' });
  });

  test('stays open while the cardholder is asked: on with it, or another card', async () => {
    const [one, two] = [await create(), await create()];
    for (const { url, id } of [one, two]) {
      expect((await pay({ url }, cards.asked))?.goTo).toMatch(/^https:/);
      expect((await checkout.view({ url }))?.try.state).toBe('action');
      expect(await checkout.get(id)).toMatchObject({ status: 'open' });
    }
    const { text } = await server.anonymous.get(new URL(one.url).pathname);
    expect(text).toContain('Use another payment method');
    expect(text).not.toMatch(/payment is not|[Pp]ay another/);
    const goTo = (await checkout.view(one))!.try.goTo!;
    expect((await server.anonymous.form(new URL(goTo).pathname, 'decision=approve')).status).toBe(303);
    expect(await checkout.get(one.id)).toMatchObject({ status: 'complete' });
    expect((await checkout.calls.closeTry(tokenOf(two.url), ip))?.try.state).toBe('none');
    await pay(two);
    expect(await checkout.setups(two.id)).toEqual(['canceled', 'succeeded']);
  });

  test('waits where the outcome is unknown, and offers no second try', async () => {
    const made = await create();
    expect((await pay(made, cards.lost))?.view).toMatchObject({ try: { state: 'confirming' } });
    expect((await pay(made))?.view.status).toBe('processing');
    const path = `/v1/checkout_sessions/${made.id}/expire`;
    expectRefusal(await account.test.post(path, {}), 'checkout_session_not_open', 'id');
    await everythingDue();
    expect(await checkout.get(made.id)).toMatchObject({ status: 'complete', customer: expect.any(String) });
    expect(await checkout.setups(made.id)).toEqual(['succeeded']);
    expect(await checkout.events(made.id)).toEqual(['created', 'processing', 'completed']);
  });

  test('closes what is open at the processor before it expires, by request and by time', async () => {
    const [asked, left] = [await create(), await create({ expires_in: 1_800 })];
    for (const made of [asked, left]) await pay(made, cards.asked);
    const path = `/v1/checkout_sessions/${asked.id}/expire`;
    const answer = await account.test.post(path, {});
    expect(answer.json).toMatchObject({ status: 'expired', expired_reason: 'requested' });
    expect(await checkout.setups(asked.id)).toEqual(['canceled']);
    clock.advance(1_800_000);
    await everythingDue();
    expect(await checkout.get(left.id)).toMatchObject({ status: 'expired', expired_reason: 'time' });
    expect(await checkout.setups(left.id)).toEqual(['canceled']);
    expect(await checkout.events(left.id)).toEqual(['created', 'expired']);
  });

  test('is refused before a processor is asked, where an address has been declined too often', async () => {
    const other = await server.account();
    const shop = new Checkout(server, other);
    const limits = { declines_per_address: 2, declines_per_session: 0, in_test_mode: true };
    await server.operator.run('account.update', { account: other.id, parameters: { card_testing: limits } });
    clock.advance(1_000);
    const made = await shop.create({ ...none, mode: 'setup' });
    for (let tries = 0; tries < 2; tries++) await shop.pay(made, cards.declined);
    expect((await shop.pay(made))?.refused).toEqual({ until: expect.any(Number) });
    expect(await shop.setups(made.id)).toEqual(['failed', 'failed']);
    expect((await shop.pay(made, cards.good, { address: '203.0.113.8' }))?.view.status).toBe('complete');
  });

  test('takes no saved card, which is not offered', async () => {
    const { customer } = await checkout.saved(cards.good);
    const made = await create({ customer, customer_email: null });
    const card = { kind: 'saved', payment_method: 'pm_0' } as const;
    expect((await pay(made, '', { instrument: card }))?.problems).toHaveLength(1); // not offered
    expect(await checkout.setups(made.id)).toEqual([]);
  });

  test('of a customer with a test clock lives in its time', async () => {
    const { json: testClock } = await account.test.post('/v1/test_clocks', { frozen_time: 1_893_456_000 });
    const { json: customer } = await account.test.post('/v1/customers', { test_clock: testClock.id });
    const made = await create({ customer: customer.id, customer_email: null });
    expect(made).toMatchObject({ test_clock: testClock.id, created: 1_893_456_000 });
    await pay(made);
    const { setup, payment_method } = await checkout.get(made.id);
    expect(await get(`setups/${setup}`)).toMatchObject({ status: 'succeeded', created: 1_893_456_000 });
    expect(await get(`payment_methods/${payment_method}`)).toMatchObject({ customer: customer.id });
  });
});

describe.each(places)('on the page of a processor account whose simulator is %s', (place) => {
  const clock: VirtualClock = virtualClock(Date.now());
  let server: TestServer;
  let account: TestAccount;
  let checkout: Checkout;
  beforeAll(async () => {
    server = await startServer({ clock });
    account = await server.account();
    const body = { connector: 'simulator', name: 'Simulator', settings: { place } };
    await account.test.post('/v1/processor_accounts', body);
    checkout = new Checkout(server, account);
  });
  afterAll(async () => {
    expect(await violationsOf(server.sql, { rest: false })).toEqual([]);
    await server.stop();
  });
  beforeEach(() => clock.advance(60_000));

  const page = { instrument: { kind: 'page' } } as const;
  const create = (more: object = {}) => checkout.create({ ...none, mode: 'setup', ...more });
  const open = async (made: { url: string }) => {
    clock.advance(1); // ids begin with their time
    return (await checkout.pay(made, '', page))?.goTo;
  };

  test('a card is kept, attached to a customer who is made with it, and charged later', async () => {
    const made = await create();
    expect((await checkout.view(made))?.ways).toEqual([{ kind: 'page' }]);
    const goTo = await open(made);
    expect(await checkout.get(made.id)).toMatchObject({ status: 'open' });
    await checkout.choose(goTo, 'visa');
    const { customer, payment_method, setup, status } = await checkout.get(made.id);
    expect(status).toBe('complete');
    const charge = { amount: 700, currency: 'eur', customer, payment_method, off_session: true };
    const { json: payment } = await account.test.post('/v1/payments', charge);
    expect(payment).toMatchObject({ status: 'succeeded', setup });
    expect(await checkout.events(made.id)).toEqual(['created', 'completed']);
  });

  test('a decline there is shown, and another page is opened', async () => {
    const made = await create();
    await checkout.choose(await open(made), 'chargeDeclined');
    expect(await checkout.get(made.id)).toMatchObject({ status: 'open' });
    await checkout.choose(await open(made), 'mastercard');
    expect(await checkout.setups(made.id)).toEqual(['failed', 'succeeded']);
    expect(await checkout.events(made.id)).toEqual(['created', 'payment_failed', 'completed']);
  });

  test('an expiry closes the page; what was chosen there before completes the session instead', async () => {
    const [one, two] = [await create(), await create()];
    const goTo = await open(one);
    await open(two);
    const expire = (id: string) => account.test.post(`/v1/checkout_sessions/${id}/expire`, {});
    expect((await expire(two.id)).json).toMatchObject({ status: 'expired' });
    await checkout.choose(goTo, 'visa');
    expectRefusal(await expire(one.id), 'checkout_session_not_open', 'id');
    expect(await checkout.get(one.id)).toMatchObject({ status: 'complete' });
  });

  test('a page lives as long as the session, which expires by itself', async () => {
    const made = await create({ expires_in: 1_800 });
    await open(made);
    clock.advance(1_800_000 - 60_000);
    await server.settled();
    expect(await checkout.get(made.id)).toMatchObject({ status: 'open' });
    clock.advance(120_000);
    await server.settled();
    clock.advance(120_000);
    await server.settled();
    expect(await checkout.get(made.id)).toMatchObject({ status: 'expired', expired_reason: 'time' });
    expect(await checkout.setups(made.id)).toEqual(['canceled']);
  });
});

describe('refused:', () => {
  let server: TestServer;
  let account: TestAccount;
  let price: string;
  beforeAll(async () => {
    server = await startServer();
    account = await server.account();
    const body = { currency: 'eur', unit_amount: 900, product_name: 'Tea', recurring: { interval: 'month' } };
    price = (await account.test.post('/v1/prices', body)).json.id;
  });
  afterAll(() => server.stop());

  const line = { name: 'Mug', unit_amount: 900, currency: 'eur' };
  const paid = { amount: 100, currency: 'eur' };
  const subscription = (more: object) => ({ mode: 'subscription', line_items: [{ price }], ...more });
  const trial = (trial_days: unknown) => subscription({ subscription_data: { trial_days } });
  const cases: [what: string, body: () => object, code: string, param: string][] = [
    ['an amount', () => ({ mode: 'setup', ...paid }), 'parameter_invalid', 'amount'],
    ['an amount of 0', () => ({ mode: 'setup', amount: 0 }), 'parameter_invalid', 'amount'],
    ['lines', () => ({ mode: 'setup', line_items: [line] }), 'parameter_invalid', 'line_items'],
    ['a currency that is none', () => ({ mode: 'setup', currency: 'xxx' }), 'currency_unknown', 'currency'],
    ['coupons', () => ({ mode: 'setup', allow_coupons: true }), 'parameter_invalid', 'allow_coupons'],
    ['a capture', () => ({ mode: 'setup', capture_method: 'manual' }), 'parameter_invalid', 'capture_method'],
    [
      'data of a subscription',
      () => ({ mode: 'setup', subscription_data: {} }),
      'parameter_invalid',
      'subscription_data',
    ],
    [
      'a choice whether to keep what is kept',
      () => ({ mode: 'setup', save_payment_method: 'require' }),
      'parameter_invalid',
      'save_payment_method',
    ],
    [
      'the same of a subscription',
      () => subscription({ save_payment_method: 'offer' }),
      'parameter_invalid',
      'save_payment_method',
    ],
    ['another choice', () => ({ ...paid, save_payment_method: 'always' }), 'parameter_invalid', 'save_payment_method'],
    [
      'a choice that is none',
      () => ({ ...paid, save_payment_method: true }),
      'parameter_invalid',
      'save_payment_method',
    ],
    [
      'a trial of a payment',
      () => ({ ...paid, subscription_data: { trial_days: 7 } }),
      'parameter_invalid',
      'subscription_data',
    ],
    ['a trial of no days', () => trial(0), 'parameter_invalid', 'subscription_data.trial_days'],
    ['a trial of 731 days', () => trial(731), 'parameter_invalid', 'subscription_data.trial_days'],
    ['half a day', () => trial(1.5), 'parameter_invalid', 'subscription_data.trial_days'],
    ['days as text', () => trial('7'), 'parameter_invalid', 'subscription_data.trial_days'],
    [
      'an end of a trial',
      () => subscription({ subscription_data: { trial_end: 9 } }),
      'parameter_unknown',
      'subscription_data.trial_end',
    ],
  ];
  test.each(cases)('%s', async (_, body, code, param) => {
    expectRefusal(await account.test.post('/v1/checkout_sessions', body()), code, param);
  });
});
