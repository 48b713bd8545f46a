import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { type FakeStripe, startFakeStripe } from './index.ts';
import { type OfficialClient, officialClient } from './official_client.fixture.ts';

/** Checkout Sessions through Stripe's own client and through their page, every answer compared with Stripe's description. */

let fake: FakeStripe;
let client: OfficialClient;
let stripe: Stripe;
let clock: VirtualClock;
const minute = 60_000;

beforeAll(async () => {
  clock = virtualClock(Date.UTC(2026, 10, 16, 12));
  fake = await startFakeStripe({ port: 0, clock });
  client = officialClient(fake);
  stripe = client.stripe;
});
afterAll(() => fake.close());
afterEach(() => expect(client.problems.splice(0)).toEqual([]));

type Params = Stripe.Checkout.SessionCreateParams;

const line = (unit_amount: number, quantity = 1, currency = 'eur') => ({
  price_data: { currency, unit_amount, product_data: { name: 'A hat' } },
  quantity,
});
const sale: Params = {
  mode: 'payment',
  ui_mode: 'hosted_page',
  allowed_payment_method_types: ['card'],
  line_items: [line(1_500, 2), line(500)],
  success_url: 'https://shop.example/done?session={CHECKOUT_SESSION_ID}',
  cancel_url: 'https://shop.example/back',
  client_reference_id: 'att_1',
  metadata: { tollgate_attempt: 'att_1' },
  payment_intent_data: { metadata: { tollgate_attempt: 'att_1' } },
};
const open = (more: Partial<Params> = {}, options: Stripe.RequestOptions = {}) =>
  stripe.checkout.sessions.create({ ...sale, ...more }, options);

async function refused(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return call.then(
    () => expect.fail('it was not refused'),
    (error: Stripe.errors.StripeError) => error,
  );
}

/** Presses a button of the page: where it leads, or what it says. */
async function press(url: string | null, number: string, decision = 'pay') {
  const body = new URLSearchParams({ decision, number, expiry: '12 / 30', cvc: '123', email: 'ada@example.com' });
  const answer = await fetch(url ?? '', { method: 'POST', body, redirect: 'manual' });
  return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
}

/** Decides a challenge: where it leads. */
async function decide(url: string, decision: string): Promise<string> {
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });
  return answer.headers.get('location') ?? '';
}

const eventsOf = async (id: string) =>
  (await stripe.events.list({ limit: 100 })).data
    .filter((event) => (event.data.object as { id?: string }).id === id)
    .map(({ type }) => type);
const effects = (intent: string) => fake.books().flatMap((one) => (one.payment_intent === intent ? [one.kind] : []));

describe('the page', () => {
  test('shows what is sold, is paid once, and sends the shopper to the shop', async () => {
    const made = await open();
    expect(made).toMatchObject({
      ...{ status: 'open', payment_status: 'unpaid', amount_total: 3_500, currency: 'eur', payment_intent: null },
      ...{ ui_mode: 'hosted_page', client_reference_id: 'att_1', livemode: false },
    });
    expect(made.id).toMatch(/^cs_test_/);
    const page = await (await fetch(made.url!)).text();
    expect(page).toContain('A hat × 2: 3000 eur');
    expect(page).toContain('Pay 3500 eur');
    expect(await press(made.url, '4242424242424242')).toMatchObject({
      status: 303,
      location: `https://shop.example/done?session=${made.id}`,
    });
    const paid = await stripe.checkout.sessions.retrieve(made.id, { expand: ['payment_intent.latest_charge'] });
    expect(paid).toMatchObject({
      ...{ status: 'complete', payment_status: 'paid', url: null, customer: null },
      customer_details: { email: 'ada@example.com' },
      payment_intent: { status: 'succeeded', amount_received: 3_500, metadata: { tollgate_attempt: 'att_1' } },
    });
    expect((paid.payment_intent as Stripe.PaymentIntent).latest_charge).toMatchObject({ paid: true });
    expect(await eventsOf(made.id)).toEqual(['checkout.session.completed']);
    expect((await press(made.url, '4242424242424242')).text).toContain('complete');
    expect(effects((paid.payment_intent as Stripe.PaymentIntent).id)).toEqual(['charge']);
    const refusal = await refused(stripe.checkout.sessions.expire(made.id));
    expect(refusal.message).toContain('This Checkout Session has a status of `complete`');
  });

  test('says why a card was declined, and takes another one in the same intent', async () => {
    const made = await open();
    expect((await press(made.url, '4000000000009995')).text).toContain('insufficient funds');
    expect((await press(made.url, '4242424242424241')).text).toContain('Your card number is incorrect.');
    const between = await stripe.checkout.sessions.retrieve(made.id);
    expect(between).toMatchObject({ status: 'open', payment_status: 'unpaid' });
    const intent = between.payment_intent as string;
    expect((await refused(stripe.paymentIntents.cancel(intent))).message).toContain('created by Checkout');
    const confirmation = stripe.paymentIntents.confirm(intent, { payment_method: 'pm_card_visa' });
    expect((await refused(confirmation)).message).toContain('created by Checkout');
    await press(made.url, '4242424242424242');
    expect(await stripe.checkout.sessions.retrieve(made.id)).toMatchObject({
      status: 'complete',
      payment_intent: intent,
    });
    expect(effects(intent)).toEqual(['decline', 'charge']);
  });

  test('a challenge completes it, even when the browser does not come back', async () => {
    const [failing, leaving] = [await open(), await open()];
    const challenge = await press(failing.url, '4000002760003184');
    expect(challenge.location).toContain('/_fake/challenge/');
    const back = await decide(challenge.location, 'fail');
    expect(back).toContain(failing.url!);
    expect(await (await fetch(back)).text()).toContain('role="alert"');
    expect(await stripe.checkout.sessions.retrieve(failing.id)).toMatchObject({ status: 'open' });

    const other = await decide((await press(leaving.url, '4000002760003184')).location, 'approve');
    expect(await stripe.checkout.sessions.retrieve(leaving.id)).toMatchObject({ status: 'complete' });
    const answer = await fetch(other, { redirect: 'manual' });
    expect(answer.headers.get('location')).toContain('https://shop.example/done');
  });

  test('the shopper can leave, and come back', async () => {
    const made = await open();
    expect(await press(made.url, '', 'leave')).toMatchObject({ status: 303, location: 'https://shop.example/back' });
    expect((await press(made.url, '4242424242424242')).status).toBe(303);
    expect((await fetch(`${fake.url}/_fake/checkout/cs_test_other`)).status).toBe(404);
  });

  test('holds the money for a later capture, and keeps the card for a customer of its own', async () => {
    const made = await open({
      customer_creation: 'always',
      payment_intent_data: { capture_method: 'manual', setup_future_usage: 'off_session' },
    });
    await press(made.url, '5555555555554444');
    const held = await stripe.checkout.sessions.retrieve(made.id, { expand: ['payment_intent.payment_method'] });
    const { id, status, customer, payment_method } = held.payment_intent as Stripe.PaymentIntent;
    expect([held.payment_status, status]).toEqual(['unpaid', 'requires_capture']);
    expect(customer).toMatch(/^cus_/);
    expect(payment_method).toMatchObject({ customer, card: { brand: 'mastercard' } });
    expect((await stripe.paymentIntents.cancel(id)).status).toBe('canceled');
  });

  test('saves a card without a payment', async () => {
    const { line_items: _, payment_intent_data: __, ...rest } = sale;
    const made = await stripe.checkout.sessions.create({
      ...{ ...rest, mode: 'setup', customer_creation: 'always' },
      setup_intent_data: { metadata: { tollgate_attempt: 'att_2' } },
    });
    expect(made).toMatchObject({ payment_status: 'no_payment_required', amount_total: null });
    const setup = made.setup_intent as string;
    expect((await refused(stripe.setupIntents.cancel(setup))).message).toContain('created by Checkout');
    await press(made.url, '4242424242424242');
    const done = await stripe.checkout.sessions.retrieve(made.id, { expand: ['setup_intent'] });
    expect(done).toMatchObject({ status: 'complete', setup_intent: { id: setup, status: 'succeeded' } });
    expect((done.setup_intent as Stripe.SetupIntent).customer).toBe(done.customer);
  });
});

describe('the end of a session', () => {
  test('it is expired by request, and by its time', async () => {
    const now = Math.floor(clock.now() / 1_000);
    const [one, other] = [await open(), await open({ expires_at: now + 30 * 60 })];
    await press(one.url, '4000002760003184');
    expect(await stripe.checkout.sessions.expire(one.id)).toMatchObject({ status: 'expired', url: null });
    const { payment_intent } = await stripe.checkout.sessions.retrieve(one.id, { expand: ['payment_intent'] });
    expect(payment_intent).toMatchObject({ status: 'canceled', cancellation_reason: 'expired' });
    expect((await press(one.url, '4242424242424242')).status).toBe(410);
    fake.world.advance(29 * minute);
    expect((await stripe.checkout.sessions.retrieve(other.id)).status).toBe('open');
    fake.world.advance(minute);
    expect((await stripe.checkout.sessions.retrieve(other.id)).status).toBe('expired');
    expect(await eventsOf(other.id)).toEqual(['checkout.session.expired']);
    const again = await refused(stripe.checkout.sessions.expire(other.id));
    expect(again.message).toContain('This Checkout Session has a status of `expired`');
  });

  test.each([
    ['succeeds', 'paid', 'checkout.session.async_payment_succeeded'],
    ['fails', 'unpaid', 'checkout.session.async_payment_failed'],
  ])('a payment that is being processed completes it, and then %s', async (processing, payment_status, event) => {
    const made = await open();
    fake.teach({ token: '4000000000000101', processing });
    await press(made.url, '4000000000000101');
    expect(await stripe.checkout.sessions.retrieve(made.id)).toMatchObject({ status: 'complete', payment_status });
    expect(await eventsOf(made.id)).toEqual([event, 'checkout.session.completed']);
  });
});

describe('requests', () => {
  test('the same key makes one session; sessions are listed by intent and status', async () => {
    const options = { idempotencyKey: 'att_same' };
    const [one, other] = [await open({}, options), await open({}, options)];
    expect(other.id).toBe(one.id);
    await press(one.url, '4242424242424242');
    const { payment_intent } = await stripe.checkout.sessions.retrieve(one.id);
    const found = await stripe.checkout.sessions.list({ payment_intent: payment_intent as string, status: 'complete' });
    expect(found.data.map(({ id }) => id)).toEqual([one.id]);
    expect((await stripe.checkout.sessions.list({ limit: 100, status: 'expired' })).data).not.toContainEqual(
      expect.objectContaining({ id: one.id }),
    );
    const mark = await stripe.paymentIntents.search({ query: "metadata['tollgate_attempt']:'att_1'" });
    expect(mark.data.map(({ id }) => id)).toContain(payment_intent);
  });

  test.each<[string, Partial<Params>, string]>([
    ['no lines', { line_items: [] }, 'line_items'],
    ['two currencies', { line_items: [line(500), line(500, 1, 'usd')] }, 'line_items'],
    ['too little', { line_items: [line(10)] }, 'amount'],
    ['an expiry too early', { expires_at: 1 }, 'expires_at'],
    ['a page of another kind', { ui_mode: 'elements' }, 'ui_mode'],
    ['another method', { allowed_payment_method_types: ['paypal'] }, 'allowed_payment_method_types'],
    ['another mode', { mode: 'subscription' }, 'mode'],
    ['data of a setup', { setup_intent_data: { description: 'x' } }, 'setup_intent_data'],
    ['an unknown parameter', { submit_type: 'pay' }, 'submit_type'],
    [
      'an unknown one in a group',
      { payment_intent_data: { transfer_group: 'x' } },
      'payment_intent_data[transfer_group]',
    ],
    ['no way back', { success_url: '' }, 'success_url'],
    ['a way back that is none', { cancel_url: 'shop' }, 'cancel_url'],
    ['an unknown locale', { locale: 'xx' as 'de' }, 'locale'],
    ['a customer that does not exist', { customer: 'cus_none' }, 'customer'],
  ])('%s is refused, and names the parameter', async (_, more, param) => {
    expect(await refused(open(more))).toMatchObject({ statusCode: 400, param });
  });
});
