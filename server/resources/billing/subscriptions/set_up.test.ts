import { afterEach, describe, expect, test } from 'vitest';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { places } from '../../../test/torture.ts';
import { cards, type Shown } from './billing.fixture.ts';
import { lost, serveBilling } from './served_billing.fixture.ts';

/** A subscription that starts with nothing to pay sets its method up. */

const once = '4000002500003155';
const trial = { trial_days: 14 };
const strict = { payment_behavior: 'error_if_incomplete' };

describe.each(places)('with a processor that is %s', (place) => {
  const billing = serveBilling({ environment: { SIMULATOR: place } });
  afterEach(async () => {
    const { server, tenant } = billing;
    expect(await violationsOf(server.sql, { rest: true, tenant })).toEqual([]);
  });

  const setupsOf = async ({ id }: Shown) => (await billing.get(`setups?customer=${id}`)).data;
  const subscriptionsOf = async ({ id }: Shown) => (await billing.get(`subscriptions?customer=${id}`)).data;
  const eventsOf = async (id: string) =>
    (
      await billing.server.sql.query('select type from events where object_id = $1 order by object_version, type', [id])
    ).rows.map(({ type }) => type);

  test('a trial sets the card up, and shows no setup once that has succeeded', async () => {
    const customer = await billing.customer(undefined);
    const subscription = await billing.subscribe(customer, await billing.price(1_000), trial);
    expect(subscription.status).toBe('trialing');
    expect(subscription).not.toHaveProperty('pending_setup');
    const [setup, ...more] = await setupsOf(customer);
    expect([setup.status, setup.payment_method, more]).toEqual(['succeeded', customer.default_payment_method, []]);
    expect(await eventsOf(setup.id)).toEqual(['setup.succeeded']);
    expect(await billing.subscription(subscription)).toEqual(subscription);
    expect((await eventsOf(subscription.id))[0]).toBe('subscription.created');
  });

  test('while the cardholder is wanted, the trial runs and names the setup; when it ends, it no longer does', async () => {
    const customer = await billing.customer(undefined, once);
    const more = { ...trial, return_url: 'https://shop.test/back' };
    const subscription = await billing.subscribe(customer, await billing.price(1_000), more);
    const setup = await billing.get(`setups/${subscription.pending_setup}`);
    expect([subscription.status, setup.status]).toEqual(['trialing', 'requires_action']);
    await billing.decide(setup, 'approve');
    await billing.server.settled();
    const { pending_setup: _, ...without } = subscription;
    expect(await billing.subscription(subscription)).toEqual(without);
    expect((await setupsOf(customer))[0].status).toBe('succeeded');
    expect(await eventsOf(subscription.id)).toContain('subscription.updated');
  });

  test('a cardholder who never comes: the setup is canceled after an hour, and the trial goes on', async () => {
    const customer = await billing.customer(undefined, cards.challenges);
    const subscription = await billing.subscribe(customer, await billing.price(1_000), trial);
    expect(subscription.pending_setup).toMatch(/^set_/);
    await billing.passTime(3_600_000 + 60_000);
    const after = await billing.subscription(subscription);
    expect([after.status, after.pending_setup]).toEqual(['trialing', undefined]);
    expect((await setupsOf(customer))[0].status).toBe('canceled');
  });

  test('a card that is declined: it starts all the same, and setup.failed is sent', async () => {
    const customer = await billing.customer(undefined, cards.declines);
    const subscription = await billing.subscribe(customer, await billing.price(1_000), trial);
    expect(subscription.status).toBe('trialing');
    expect(subscription).not.toHaveProperty('pending_setup');
    const [setup] = await setupsOf(customer);
    expect([setup.status, setup.failure_decline_code]).toEqual(['failed', 'insufficient_funds']);
    expect(await eventsOf(setup.id)).toEqual(['setup.failed']);
  });

  test.each([
    ['declined', cards.declines, 'insufficient_funds'],
    ['a cardholder who is wanted', once, 'authentication_required'],
  ])('error_if_incomplete, %s: 402, and no subscription is made', async (_, number, decline_code) => {
    const customer = await billing.customer(undefined, number);
    const price = await billing.price(1_000);
    const body = { customer: customer.id, items: [{ price: price.id }], ...trial, ...strict };
    const headers = { 'Idempotency-Key': `strict ${number}` };
    const post = () => billing.account.test.post('/v1/subscriptions', body, headers);
    const answer = await post();
    expect([answer.status, answer.json.error.decline_code]).toEqual([402, decline_code]);
    expect((await billing.get(`setups/${answer.json.error.setup}`)).status).toBe('failed');
    expect(await subscriptionsOf(customer)).toEqual([]);
    expect((await post()).text).toBe(answer.text);
    expect(await setupsOf(customer)).toHaveLength(1);
  });

  test('error_if_incomplete, approved: it starts; unknown: it starts and waits', async () => {
    const good = await billing.customer(undefined);
    const price = await billing.price(1_000);
    const made = await billing.subscribe(good, price, { ...trial, ...strict });
    expect([made.status, made.pending_setup]).toEqual(['trialing', undefined]);
    const unsure = await billing.customer(undefined, lost.reply);
    const waiting = await billing.subscribe(unsure, price, { ...trial, ...strict });
    expect([waiting.status, waiting.pending_setup]).toEqual(['trialing', (await setupsOf(unsure))[0].id]);
    await billing.isAsked();
    expect(await billing.subscription(waiting)).not.toHaveProperty('pending_setup');
  });

  test.each([
    [lost.reply, 'succeeded'],
    [lost.request, 'failed'],
  ])('an unknown outcome of %s: it starts, and the setup is found %s', async (number, status) => {
    const customer = await billing.customer(undefined, number);
    const subscription = await billing.subscribe(customer, await billing.price(1_000), trial);
    expect(subscription.pending_setup).toMatch(/^set_/);
    await billing.isAsked();
    expect((await setupsOf(customer))[0].status).toBe(status);
    expect(await billing.subscription(subscription)).not.toHaveProperty('pending_setup');
  });

  test('with nothing to pay it is set up too: a price of 0, a coupon of 100%, an invoice that credit pays', async () => {
    const [free, coupon] = [
      await billing.price(0),
      await billing.post('coupons', { percent_off: 100, duration: 'once' }),
    ];
    const price = await billing.price(1_000);
    const credited = await billing.customer(undefined, once);
    const credit = { customer: credited.id, currency: 'eur', amount: -5_000, description: 'Sorry' };
    await billing.post('invoice_items', credit);
    const draft = await billing.post('invoices', { customer: credited.id });
    await billing.post(`invoices/${draft.id}/finalize`);
    const starts: [Shown, Shown, object][] = [
      [await billing.customer(undefined, once), free, {}],
      [await billing.customer(undefined, once), price, { coupon: coupon.id }],
      [credited, price, {}],
    ];
    for (const [customer, sold, more] of starts) {
      const { status, pending_setup } = await billing.subscribe(customer, sold, more);
      expect([status, pending_setup]).toEqual(['active', (await setupsOf(customer))[0].id]);
      await billing.post(`setups/${pending_setup}/cancel`);
    }
  });

  test('with something to pay, or without a method, nothing is set up', async () => {
    const price = await billing.price(1_000);
    const [paying, empty] = [await billing.customer(undefined), await billing.customer(undefined, '')];
    expect((await billing.subscribe(paying, price)).status).toBe('active');
    expect((await billing.subscribe(empty, price, trial)).status).toBe('trialing');
    expect([await setupsOf(paying), await setupsOf(empty)]).toEqual([[], []]);
  });

  test('a card that was only ever charged without its cardholder is set up', async () => {
    const customer = await billing.customer(undefined);
    const charge = { amount: 500, currency: 'eur', payment_method: customer.default_payment_method };
    const pay = (more: object = {}) => billing.post('payments', { ...charge, customer: customer.id, ...more });
    await pay({ off_session: true });
    const price = await billing.price(1_000);
    await billing.subscribe(customer, price, { ...trial, off_session: true });
    expect(await setupsOf(customer)).toEqual([]);
    await billing.subscribe(customer, price, trial);
    expect(await setupsOf(customer)).toHaveLength(1);
  });

  test('a card whose cardholder has agreed before, by a setup or a payment, is not set up again', async () => {
    const price = await billing.price(1_000);
    const [setUp, paid] = [await billing.customer(undefined, once), await billing.customer(undefined)];
    const setup = await billing.post('setups', { payment_method: setUp.default_payment_method });
    await billing.decide(setup, 'approve');
    await billing.server.settled();
    await billing.subscribe(paid, price);
    for (const customer of [setUp, paid]) {
      const before = await setupsOf(customer);
      expect(await billing.subscribe(customer, price, trial)).not.toHaveProperty('pending_setup');
      expect(await setupsOf(customer)).toEqual(before);
    }
  });

  test('off_session: nothing is set up, and a first payment that wants the cardholder is declined', async () => {
    const [price, alone] = [await billing.price(1_000), { off_session: true }];
    const customer = await billing.customer(undefined, once);
    expect(await billing.subscribe(customer, price, { ...trial, ...alone })).not.toHaveProperty('pending_setup');
    expect(await setupsOf(customer)).toEqual([]);
    const { status, latest_invoice } = await billing.subscribe(customer, price, alone);
    const { last_failure, payment } = await billing.get(`invoices/${latest_invoice}`);
    expect([status, last_failure.decline_code]).toEqual(['incomplete', 'authentication_required']);
    expect(await billing.get(`payments/${payment}`)).toMatchObject({ status: 'failed', off_session: true });
    const both = { ...trial, ...alone, return_url: 'https://shop.test/back' };
    const body = { customer: customer.id, items: [{ price: price.id }], ...both };
    const { status: refused, json } = await billing.account.test.post('/v1/subscriptions', body);
    expect([refused, json.error.code, json.error.param]).toEqual([400, 'parameters_exclusive', 'off_session']);
  });

  test('a trial that began with a European card, and was authenticated then, renews at its end without the cardholder', async () => {
    const clock = await billing.clock('2030-01-01');
    const customer = await billing.customer(clock, once);
    const subscription = await billing.subscribe(customer, await billing.price(1_000), trial);
    await billing.decide(await billing.get(`setups/${subscription.pending_setup}`), 'approve');
    await billing.advance(clock, '2030-03-16');
    expect((await billing.subscription(subscription)).status).toBe('active');
    const invoices = await billing.invoices(subscription);
    expect(invoices.map(({ status }) => status)).toEqual(['paid', 'paid', 'paid']);
    for (const { payment } of invoices)
      expect(await billing.get(`payments/${payment}`)).toMatchObject({ setup: subscription.pending_setup });
  });

  test('the same without an authentication is declined at its end', async () => {
    const clock = await billing.clock('2030-01-01');
    const customer = await billing.customer(clock, once);
    const subscription = await billing.subscribe(customer, await billing.price(1_000), trial);
    await billing.post(`setups/${subscription.pending_setup}/cancel`);
    await billing.advance(clock, '2030-01-16');
    const after = await billing.subscription(subscription);
    expect(after.status).toBe('past_due');
    const [invoice] = await billing.invoices(subscription);
    expect(invoice.last_failure.decline_code).toBe('authentication_required');
  });
});
