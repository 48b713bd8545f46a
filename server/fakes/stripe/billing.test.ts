import Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { type FakeStripe, startFakeStripe } from './index.ts';
import { type OfficialClient, officialClient } from './official_client.fixture.ts';
import type { FakeIntent } from './shapes.ts';

/** Prices, coupons and subscriptions, through Stripe's own client; every answer is compared with Stripe's own description. */

let fake: FakeStripe;
let client: OfficialClient;
let stripe: Stripe;
let clock: VirtualClock;
const day = 86_400_000;

beforeAll(async () => {
  clock = virtualClock(Date.UTC(2026, 0, 31, 12));
  fake = await startFakeStripe({ port: 0, clock });
  client = officialClient(fake);
  stripe = client.stripe;
});
afterAll(() => fake.close());
afterEach(() => expect(client.problems.splice(0)).toEqual([]));

async function refused(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return call.then(
    () => expect.fail('it was not refused'),
    (error: Stripe.errors.StripeError) => error,
  );
}

function monthly(unit_amount: number, more: Partial<Stripe.PriceCreateParams> = {}) {
  const recurring = { interval: 'month' } as const;
  return stripe.prices.create({ currency: 'eur', unit_amount, recurring, product_data: { name: 'Gold' }, ...more });
}

/** A customer whose invoices are charged to a card. */
async function payer(token = 'pm_card_visa'): Promise<string> {
  const { id } = await stripe.customers.create({});
  const method = await stripe.paymentMethods.attach(token, { customer: id });
  await stripe.customers.update(id, { invoice_settings: { default_payment_method: method.id } });
  return id;
}

/** What a customer has been charged. */
function charged(customer: string): number[] {
  return fake.books().flatMap(({ kind, amount, payment_intent }) => {
    const intent = payment_intent === null ? undefined : fake.world.get<FakeIntent>(payment_intent);
    return kind === 'charge' && intent?.customer === customer ? [amount] : [];
  });
}

describe('customers and their payment methods', () => {
  test('customers are listed page by page, without those that were deleted', async () => {
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.unshift((await stripe.customers.create({ name: `C${n}` })).id);
    await stripe.customers.del(ids[1]!);
    const first = await stripe.customers.list({ limit: 2 });
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([[ids[0], ids[2]], true]);
    const second = await stripe.customers.list({ limit: 2, starting_after: ids[2]! });
    expect(second.data.map(({ id }) => id)).toEqual([ids[3], ids[4]]);
  });

  test('the attached ones of a customer are listed, and one is the default for invoices', async () => {
    const id = await payer();
    await stripe.paymentMethods.attach('pm_card_mastercard', { customer: id });
    const { data } = await stripe.customers.listPaymentMethods(id);
    expect(data.map(({ card }) => card?.brand)).toEqual(['mastercard', 'visa']);
    expect((await stripe.customers.listPaymentMethods(id, { type: 'sepa_debit' })).data).toEqual([]);
    expect((await stripe.customers.retrieve(id)) as Stripe.Customer).toMatchObject({
      invoice_settings: { default_payment_method: data[1]!.id },
    });
    const other = await payer();
    const foreign = { invoice_settings: { default_payment_method: data[0]!.id } };
    expect((await refused(stripe.customers.update(other, foreign))).message).toContain(
      'does not have a payment method',
    );
  });
});

describe('prices and coupons', () => {
  test('active and inactive prices are listed apart, with their products', async () => {
    const product = await stripe.products.create({ name: 'Silver' });
    const price = await monthly(900, { product: product.id, product_data: undefined as never });
    const { data } = await stripe.prices.list({ product: product.id, expand: ['data.product'] });
    expect(data).toMatchObject([{ id: price.id, unit_amount: 900, product: { id: product.id, name: 'Silver' } }]);
    await stripe.prices.update(price.id, { active: false });
    expect((await stripe.prices.list({ product: product.id })).data).toEqual([]);
    expect((await stripe.prices.list({ product: product.id, active: false })).data).toHaveLength(1);
  });

  test('tiers, usage and fractions of a cent are shown as Stripe shows them', async () => {
    const tiers = [{ up_to: 'inf' as const, unit_amount: 5 }];
    const shape = {
      unit_amount: undefined as never,
      billing_scheme: 'tiered',
      tiers_mode: 'graduated',
      tiers,
    } as const;
    expect(await monthly(0, shape)).toMatchObject({ billing_scheme: 'tiered', unit_amount: null });
    const metered = { recurring: { interval: 'month', usage_type: 'metered' } } as const;
    expect((await monthly(5, metered)).recurring).toMatchObject({ usage_type: 'metered', interval_count: 1 });
    const fraction = { unit_amount: undefined as never, unit_amount_decimal: Stripe.Decimal.from('0.5') };
    expect(await monthly(0, fraction)).toMatchObject({ unit_amount: null });
  });

  test('a coupon has a percentage or an amount', async () => {
    await stripe.coupons.create({ id: 'SPRING', percent_off: 12.5, duration: 'forever', name: 'Spring' });
    expect(await stripe.coupons.retrieve('SPRING')).toMatchObject({ percent_off: 12.5, amount_off: null, valid: true });
    expect((await stripe.coupons.list()).data.map(({ id }) => id)).toEqual(['SPRING']);
    expect((await refused(stripe.coupons.create({ duration: 'once' }))).statusCode).toBe(400);
  });
});

describe('subscriptions', () => {
  test('each period is charged when it begins, counted from the anchor', async () => {
    const customer = await payer();
    const { id: price } = await monthly(1_000);
    const made = await stripe.subscriptions.create({ customer, items: [{ price, quantity: 2 }] });
    expect(made).toMatchObject({ status: 'active', currency: 'eur', items: { data: [{ price: { id: price } }] } });
    const endOf = async () => (await stripe.subscriptions.retrieve(made.id)).items.data[0]!.current_period_end;
    const seconds = (month: number, date: number) => Date.UTC(2026, month, date, 12) / 1_000;
    expect([charged(customer), await endOf()]).toEqual([[2_000], seconds(1, 28)]);
    clock.advance(28 * day);
    expect([await endOf(), charged(customer)]).toEqual([seconds(2, 31), [2_000, 2_000]]);
    clock.advance(70 * day);
    expect([await endOf(), charged(customer)]).toEqual([seconds(4, 31), [2_000, 2_000, 2_000, 2_000]]);
  });

  test('one that is to end with its period is not charged again, unless that is undone', async () => {
    const customer = await payer();
    const { id: price } = await monthly(1_000);
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price }] });
    const marked = { cancel_at_period_end: true, metadata: { mark: 'yes' } };
    const ending = await stripe.subscriptions.update(id, marked);
    expect(ending).toMatchObject({ ...marked, status: 'active', cancel_at: ending.items.data[0]!.current_period_end });
    await stripe.subscriptions.update(id, { cancel_at_period_end: false, metadata: { mark: '' } });
    clock.advance(31 * day);
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'active', cancel_at: null, metadata: {} });
    await stripe.subscriptions.update(id, { cancel_at_period_end: true });
    clock.advance(62 * day);
    expect(await stripe.subscriptions.retrieve(id)).toMatchObject({ status: 'canceled', ended_at: expect.any(Number) });
    expect(charged(customer)).toEqual([1_000, 1_000]);
    expect((await refused(stripe.subscriptions.update(id, { cancel_at_period_end: false }))).statusCode).toBe(400);
    expect((await stripe.subscriptions.list({ customer })).data).toEqual([]);
    expect((await stripe.subscriptions.list({ customer, status: 'all' })).data).toHaveLength(1);
  });

  test('a trial is not charged, and the first period begins at its end', async () => {
    const customer = await payer();
    const { id: price } = await monthly(1_000);
    const trial_end = Math.floor(clock.now() / 1_000) + 5 * 86_400;
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price }], trial_end });
    const found = await stripe.subscriptions.retrieve(id);
    expect(found).toMatchObject({ status: 'trialing', billing_cycle_anchor: trial_end });
    expect(found.items.data[0]!.current_period_end).toBe(trial_end);
    expect(charged(customer)).toEqual([]);
    clock.advance(5 * day);
    expect([(await stripe.subscriptions.retrieve(id)).status, charged(customer)]).toEqual(['active', [1_000]]);
  });

  test('discounts reduce what is charged, for as long as the coupon says', async () => {
    const [customer, { id: price }] = [await payer(), await monthly(1_000)];
    const { id: once } = await stripe.coupons.create({ amount_off: 300, currency: 'eur', duration: 'once' });
    const { id: always } = await stripe.coupons.create({ percent_off: 10, duration: 'forever' });
    const discounts = [{ coupon: once }, { coupon: always }];
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price }], discounts });
    clock.advance(31 * day);
    const expand = ['discounts.source.coupon'];
    const found = await stripe.subscriptions.retrieve(id, { expand });
    expect(found.discounts).toMatchObject([{ object: 'discount', end: null, source: { coupon: { percent_off: 10 } } }]);
    expect(charged(customer)).toEqual([630, 900]);
  });

  test('a discount of two months reduces two monthly charges', async () => {
    const [customer, { id: price }] = [await payer(), await monthly(1_000)];
    const coupon = { percent_off: 10, duration: 'repeating', duration_in_months: 2 } as const;
    const discounts = [{ coupon: (await stripe.coupons.create(coupon)).id }];
    const { id } = await stripe.subscriptions.create({ customer, items: [{ price }], discounts });
    clock.advance(62 * day);
    expect((await stripe.subscriptions.retrieve(id)).discounts).toEqual([]);
    expect(charged(customer)).toEqual([900, 900, 1_000]);
  });

  test('a declined renewal makes it past_due, a declined first payment incomplete; a paused one is not charged', async () => {
    const { id: price } = await monthly(1_000);
    const [failing, declined, paused] = [await payer(), await payer('pm_card_chargeCustomerFail'), await payer()];
    const subscribe = async (customer: string) =>
      (await stripe.subscriptions.create({ customer, items: [{ price }] })).id;
    const ids = [await subscribe(failing), await subscribe(declined), await subscribe(paused)];
    const { data } = await stripe.customers.listPaymentMethods(failing);
    fake.teach({ token: data[0]!.id, decline: 'insufficient_funds' });
    await stripe.subscriptions.update(ids[2]!, { pause_collection: { behavior: 'void' } });
    clock.advance(31 * day);
    const statuses = await Promise.all(ids.map(async (id) => (await stripe.subscriptions.retrieve(id)).status));
    expect(statuses).toEqual(['past_due', 'incomplete', 'active']);
    expect([failing, declined, paused].map(charged)).toEqual([[1_000], [], [1_000]]);
    await stripe.subscriptions.update(ids[2]!, { pause_collection: '' });
    await stripe.customers.del(paused);
    expect((await stripe.subscriptions.retrieve(ids[2]!)).status).toBe('canceled');
    await stripe.subscriptions.cancel(ids[0]!);
    expect((await stripe.subscriptions.retrieve(ids[0]!)).status).toBe('canceled');
  });
});

test('before 2025-03-31 a subscription has one period and one discount, and its items have none', async () => {
  const [customer, { id: price }] = [await payer(), await monthly(1_000)];
  const { id: coupon } = await stripe.coupons.create({ percent_off: 10, duration: 'forever' });
  const { id } = await stripe.subscriptions.create({ customer, items: [{ price }], discounts: [{ coupon }] });
  const apiVersion = '2024-06-20';
  const now = await stripe.subscriptions.retrieve(id, { expand: ['discounts'] });
  const before = await stripe.subscriptions.retrieve(id, { expand: ['discounts'] }, { apiVersion });
  expect(before).toMatchObject({
    current_period_end: now.items.data[0]!.current_period_end,
    discount: { coupon: { id: coupon, percent_off: 10 } },
  });
  expect(before.items.data[0]).not.toHaveProperty('current_period_end');
  expect(now).not.toHaveProperty('current_period_end');
});

test('more requests than a second allows are refused until the next one, and say when to come back', async () => {
  const strict = await startFakeStripe({ port: 0, clock, requestsPerSecond: 2 });
  const { stripe, headers, problems } = officialClient(strict);
  await stripe.customers.list();
  await stripe.customers.list();
  expect(await refused(stripe.customers.list())).toMatchObject({ statusCode: 429, code: 'rate_limit' });
  expect([headers().get('retry-after'), headers().get('stripe-should-retry')]).toEqual(['1', 'true']);
  clock.advance(1_000);
  expect((await stripe.customers.list()).data).toEqual([]);
  expect(headers().get('date')).toBe(new Date(clock.now()).toUTCString());
  expect(problems).toEqual([]);
  await strict.close();
});
