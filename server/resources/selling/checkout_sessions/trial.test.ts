import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../../base/clock.fixture.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { places } from '../../../test/torture.ts';
import { Checkout, cards } from './checkout.fixture.ts';

const day = 86_400;
const none = { amount: null, currency: null };

describe.each(places)('a trial that is sold on a page, with a simulator that is %s', (place) => {
  const clock: VirtualClock = virtualClock(Date.now());
  let server: TestServer;
  let account: TestAccount;
  let checkout: Checkout;
  let monthly: string;
  let setUp: string;
  beforeAll(async () => {
    server = await startServer({ clock, environment: { SIMULATOR: place } });
    account = await server.account();
    checkout = new Checkout(server, account);
    const price = async (more: object) =>
      (await account.test.post('/v1/prices', { currency: 'eur', unit_amount: 900, product_name: 'Tea', ...more })).json
        .id;
    monthly = await price({ recurring: { interval: 'month' } });
    setUp = await price({ unit_amount: 500, product_name: 'Set-up' });
  });
  afterAll(async () => {
    expect(await violationsOf(server.sql, { rest: false })).toEqual([]);
    await server.stop();
  });
  beforeEach(() => clock.advance(60_000));

  const create = ({ subscription_data = {}, ...more }: { subscription_data?: object; [name: string]: unknown } = {}) =>
    checkout.create({
      ...{ ...none, mode: 'subscription', locale: 'en', line_items: [{ price: monthly, quantity: 2 }] },
      ...{ subscription_data: { trial_days: 14, ...subscription_data }, ...more },
    });
  /** Ids begin with their time: tries sort in the order in which they were made. */
  const pay = (...given: Parameters<Checkout['pay']>) => {
    clock.advance(1);
    return checkout.pay(...given);
  };
  const get = async (path: string) => (await account.test.get(`/v1/${path}`)).json;

  test('starts with the setup of the card: nothing is due, and no invoice is made before it ends', async () => {
    const made = await create({ subscription_data: { metadata: { plan: 'tea' } } });
    expect(made).toMatchObject({ amount_total: 0, amount_subtotal: 0, payment_status: 'no_payment_required' });
    expect(made.subscription_data).toEqual({ trial_days: 14, metadata: { plan: 'tea' } });
    const { text } = await server.anonymous.get(new URL(made.url).pathname);
    expect(text).toMatch(/Free until <bdi>[A-Z][a-z]+ \d+, \d{4}<[\s\S]*€18\.00<\/bdi> \/ month/);
    const started = Math.floor(clock.now() / 1_000);
    expect((await pay(made))?.view).toMatchObject({ status: 'complete', paid: { last4: '4242' } });
    const session = await checkout.get(made.id);
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'no_payment_required',
      setup: expect.stringMatching(/^set_/),
      subscription_data: { trial_days: 14, metadata: { plan: 'tea' } },
    });
    for (const member of ['payment', 'invoice']) expect(session).not.toHaveProperty(member);
    const subscription = await get(`subscriptions/${session.subscription}`);
    expect(subscription).toMatchObject({
      ...{ status: 'trialing', customer: session.customer, metadata: { plan: 'tea' } },
      ...{ default_payment_method: session.payment_method, trial_start: started, trial_end: started + 14 * day },
    });
    expect(subscription).not.toHaveProperty('latest_invoice');
    expect((await get(`invoices?customer=${session.customer}`)).data).toEqual([]);
    expect((await checkout.view(made))?.free_until).toBe((started + 14 * day) * 1_000);
    expect(await checkout.events(made.id)).toEqual(['created', 'completed']);
    expect(await get(`payment_methods/${session.payment_method}`)).toMatchObject({ customer: session.customer });
  });

  test('leaves nothing behind when the card is declined, and starts with the next one', async () => {
    const made = await create();
    await pay(made, cards.declined);
    const failed = await checkout.get(made.id);
    expect(failed).toMatchObject({ status: 'open', payment_status: 'no_payment_required' });
    for (const member of ['subscription', 'customer']) expect(failed).not.toHaveProperty(member);
    await Promise.all([pay(made), pay(made)]);
    const { customer } = await checkout.get(made.id);
    expect((await get(`subscriptions?customer=${customer}`)).data).toMatchObject([{ status: 'trialing' }]);
    expect(await checkout.setups(made.id)).toEqual(['failed', 'succeeded']);
  });

  test('starts after an authentication, and after an outcome that was unknown', async () => {
    const [asked, lost] = [await create(), await create()];
    const goTo = (await pay(asked, cards.asked))?.goTo;
    const { text } = await server.anonymous.get(new URL(asked.url).pathname);
    expect(text).toContain('<h1>Subscribe</h1>');
    await server.anonymous.form(new URL(goTo!).pathname, 'decision=approve');
    await pay(lost, cards.lost);
    expect(await checkout.get(lost.id)).toMatchObject({ status: 'processing' });
    for (let rounds = 0; rounds < 4; rounds++) {
      clock.advance(120_000);
      await server.settled();
    }
    for (const { id } of [asked, lost])
      expect(await checkout.get(id)).toMatchObject({ status: 'complete', subscription: expect.any(String) });
  });

  test('is renewed by the card that was set up, once it ends', async () => {
    const { json: testClock } = await account.test.post('/v1/test_clocks', { frozen_time: 1_893_456_000 });
    const { json: customer } = await account.test.post('/v1/customers', { test_clock: testClock.id });
    const made = await create({ customer: customer.id, customer_email: null });
    expect((await checkout.view(made))?.free_until).toBe((1_893_456_000 + 14 * day) * 1_000);
    await pay(made);
    const { subscription, setup } = await checkout.get(made.id);
    expect(await get(`subscriptions/${subscription}`)).toMatchObject({ trial_end: 1_893_456_000 + 14 * day });
    await account.test.post(`/v1/test_clocks/${testClock.id}/advance`, {
      frozen_time: 1_893_456_000 + 15 * day,
    });
    await server.settled();
    const renewed = await get(`subscriptions/${subscription}`);
    expect(renewed).toMatchObject({ status: 'active' });
    const invoice = await get(`invoices/${renewed.latest_invoice}`);
    expect(invoice).toMatchObject({ status: 'paid', amount_paid: 1_800 });
    expect(await get(`payments/${invoice.payment}`)).toMatchObject({ off_session: true, setup });
  });

  test('beside a line that is paid once is paid today, and starts with that payment', async () => {
    const made = await create({ line_items: [{ price: monthly }, { price: setUp, quantity: 2 }] });
    expect(made).toMatchObject({ amount_total: 1_000, amount_subtotal: 1_000, payment_status: 'unpaid' });
    const { text } = await server.anonymous.get(new URL(made.url).pathname);
    expect(text.match(/Free until/g)).toHaveLength(1);
    expect(text).toMatch(/€10\.00[\s\S]*Free until[\s\S]*<details[\s\S]*€9\.00<\/bdi> \/ month/);
    await pay(made, cards.declined);
    expect(await checkout.get(made.id)).not.toHaveProperty('subscription');
    await pay(made);
    const session = await checkout.get(made.id);
    expect(session).toMatchObject({ status: 'complete', payment_status: 'paid' });
    expect(session).not.toHaveProperty('setup');
    expect(await get(`subscriptions/${session.subscription}`)).toMatchObject({
      ...{ status: 'trialing', latest_invoice: session.invoice, default_payment_method: session.payment_method },
    });
    const invoice = await get(`invoices/${session.invoice}`);
    expect(invoice).toMatchObject({ status: 'paid', amount_paid: 1_000, payment: session.payment });
    expect(invoice.lines.map(({ amount }: { amount: number }) => amount)).toEqual([1_000]);
    expect(await get(`payments/${session.payment}`)).toMatchObject({
      customer: session.customer,
      invoice: session.invoice,
    });
  });

  test('with a coupon begins with nothing due, and has it when the trial ends', async () => {
    const { json: coupon } = await account.test.post('/v1/coupons', { percent_off: 100, duration: 'once' });
    const made = await create({ subscription_data: { coupon: coupon.id } });
    expect(made).toMatchObject({ amount_total: 0, amount_discount: 0 });
    await pay(made);
    const { subscription } = await checkout.get(made.id);
    expect(await get(`subscriptions/${subscription}`)).toMatchObject({ status: 'trialing', coupon: coupon.id });
  });

  test('of three days announces its end when it starts', async () => {
    const made = await create({ subscription_data: { trial_days: 3 } });
    await pay(made);
    const { subscription } = await checkout.get(made.id);
    const { data } = await get(`events?object_id=${subscription}`);
    expect(data.map(({ type }: { type: string }) => type)).toEqual([
      'subscription.trial_will_end',
      'subscription.created',
    ]);
  });
});

test('a trial on the page of a processor starts with the card that is chosen there', async () => {
  const server = await startServer();
  try {
    const account = await server.account();
    await account.test.post('/v1/processor_accounts', { connector: 'simulator', name: 'Simulator' });
    const checkout = new Checkout(server, account);
    const body = { currency: 'eur', unit_amount: 900, product_name: 'Tea', recurring: { interval: 'month' } };
    const { json: price } = await account.test.post('/v1/prices', body);
    const sold = { mode: 'subscription', line_items: [{ price: price.id }], subscription_data: { trial_days: 7 } };
    const made = await checkout.create({ ...none, ...sold });
    const pressed = await checkout.pay(made, '', { instrument: { kind: 'page' } });
    await checkout.choose(pressed?.goTo, 'mastercard');
    const { subscription, payment_method, customer } = await checkout.get(made.id);
    expect((await account.test.get(`/v1/subscriptions/${subscription}`)).json).toMatchObject({
      ...{ status: 'trialing', default_payment_method: payment_method, customer },
    });
    expect(await violationsOf(server.sql, { rest: true })).toEqual([]);
  } finally {
    await server.stop();
  }
});
