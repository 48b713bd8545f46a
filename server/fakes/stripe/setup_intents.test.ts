import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { type FakeStripe, startFakeStripe } from './index.ts';
import { type OfficialClient, officialClient } from './official_client.fixture.ts';

/** SetupIntents through Stripe's own client, every answer compared with Stripe's own description. */

let fake: FakeStripe;
let client: OfficialClient;
let stripe: Stripe;
let clock: VirtualClock;

beforeAll(async () => {
  clock = virtualClock(Date.UTC(2026, 10, 16, 12));
  fake = await startFakeStripe({ port: 0, clock });
  client = officialClient(fake);
  stripe = client.stripe;
});
afterAll(() => fake.close());
afterEach(() => expect(client.problems.splice(0)).toEqual([]));

const facts: Stripe.SetupIntentCreateParams = { allowed_payment_method_types: ['card'], usage: 'off_session' };
const return_url = 'https://shop.example/back';
const alone = {
  amount: 900,
  currency: 'eur',
  allowed_payment_method_types: ['card'],
  confirm: true,
  off_session: true,
};

/** The error of a refused call. */
async function refused(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return call.then(
    () => expect.fail('it was not refused'),
    (error: Stripe.errors.StripeError) => error,
  );
}

/** A SetupIntent that is made with facts alone, and confirmed with a card. */
async function setUp(payment_method: string, more: Stripe.SetupIntentCreateParams = {}) {
  const { id } = await stripe.setupIntents.create({ ...facts, ...more });
  return stripe.setupIntents.confirm(id, { payment_method, return_url });
}

async function decide({ next_action }: Stripe.SetupIntent, decision: string): Promise<URL> {
  const url = next_action?.redirect_to_url?.url ?? '';
  expect(await (await fetch(url)).text()).toContain('Saving your card needs your approval');
  const answer = await fetch(url, { method: 'POST', body: new URLSearchParams({ decision }), redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}

const effectsOf = (intent: string) => fake.books().flatMap(({ id, kind }) => (id === intent ? [kind] : []));
const eventsOf = async (intent: string) => {
  const { data } = await stripe.events.list({ limit: 100 });
  return data.filter((event) => (event.data.object as { id?: string }).id === intent).map(({ type }) => type);
};

describe('a card that is kept for a customer', () => {
  test('can get another expiry, and is no longer charged once the customer is deleted', async () => {
    const customer = (await stripe.customers.create({})).id;
    const loose = (await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } })).id;
    const expiry = { card: { exp_month: 7, exp_year: 2_039 } };
    expect((await refused(stripe.paymentMethods.update(loose, expiry))).message).toMatch(/save this PaymentMethod/);
    const id = (await setUp('pm_card_authenticationRequiredSetupForOffSession', { customer })).id;
    await decide(await stripe.setupIntents.retrieve(id), 'approve');
    const { payment_method } = await stripe.setupIntents.retrieve(id, { expand: ['payment_method'] });
    const kept = payment_method as Stripe.PaymentMethod;
    expect(kept.customer).toBe(customer);
    expect((await stripe.paymentMethods.update(kept.id, expiry)).card).toMatchObject(expiry.card);
    const charge = { ...alone, payment_method: kept.id };
    expect((await stripe.paymentIntents.create({ ...charge, customer })).status).toBe('succeeded');
    const { amount, currency } = alone;
    const waiting = await stripe.paymentIntents.create({ amount, currency });
    await stripe.customers.del(customer);
    expect((await stripe.paymentMethods.retrieve(kept.id)).customer).toBeNull();
    for (const call of [
      stripe.paymentIntents.create({ ...charge, customer }),
      stripe.paymentIntents.update(waiting.id, { customer }),
      stripe.paymentMethods.attach(loose, { customer }),
    ])
      expect(await refused(call)).toMatchObject({ statusCode: 400, code: 'resource_missing', param: 'customer' });
    expect((await refused(stripe.paymentIntents.create(charge))).message).toMatch(/may not be used again/);
  });
});

describe('a SetupIntent', () => {
  test('is made, waits for its confirmation, and keeps the card for its customer', async () => {
    const customer = (await stripe.customers.create({})).id;
    const made = await stripe.setupIntents.create({ ...facts, metadata: { tollgate_attempt: 'att_1' } });
    expect(made).toMatchObject({ status: 'requires_payment_method', usage: 'off_session', customer: null });
    await stripe.setupIntents.update(made.id, { customer });
    const done = await stripe.setupIntents.confirm(made.id, { payment_method: 'pm_card_visa', return_url });
    expect(done).toMatchObject({ status: 'succeeded', customer, metadata: { tollgate_attempt: 'att_1' } });
    expect(await stripe.setupIntents.retrieve(made.id)).toEqual(expect.objectContaining({ status: 'succeeded' }));
    const method = await stripe.paymentMethods.retrieve(done.payment_method as string);
    expect(method.customer).toBe(customer);
    expect((await stripe.setupAttempts.list({ setup_intent: made.id })).data).toMatchObject([
      { id: done.latest_attempt, status: 'succeeded', payment_method: method.id, setup_error: null },
    ]);
    expect(effectsOf(made.id)).toEqual(['setup']);
    expect(await eventsOf(made.id)).toEqual(['setup_intent.succeeded', 'setup_intent.created']);
    expect(() => fake.byHand.cancel(made.id)).toThrow('could not be canceled');
    for (const verb of ['confirm', 'cancel'] as const)
      expect(await refused(stripe.setupIntents[verb](made.id))).toMatchObject({
        statusCode: 400,
        code: 'setup_intent_unexpected_state',
        setup_intent: { id: made.id, status: 'succeeded' },
      });
  });

  test.each([
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
  ])('of %s is declined: %s, %s; then another card is set up by it', async (token, code, decline_code) => {
    const made = await stripe.setupIntents.create(facts);
    const error = await refused(stripe.setupIntents.confirm(made.id, { payment_method: token }));
    expect(error).toMatchObject({ statusCode: 402, type: 'StripeCardError', code, decline_code });
    expect(error.setup_intent).toMatchObject({ id: made.id, status: 'requires_payment_method' });
    const failed = await stripe.setupIntents.retrieve(made.id);
    expect(failed).toMatchObject({ payment_method: null, last_setup_error: { code, decline_code } });
    expect(await eventsOf(made.id)).toEqual(['setup_intent.setup_failed', 'setup_intent.created']);
    expect((await stripe.setupIntents.confirm(made.id, { payment_method: 'pm_card_visa' })).status).toBe('succeeded');
    expect(effectsOf(made.id)).toEqual(['setup_decline', 'setup']);
  });

  test('of a card whose charges are declined succeeds', async () => {
    expect((await setUp('pm_card_chargeCustomerFail')).status).toBe('succeeded');
  });

  test.each([
    ['pm_card_authenticationRequired', 'approve', 'succeeded', 'succeeded'],
    ['pm_card_authenticationRequired', 'fail', 'requires_payment_method', 'failed'],
    ['pm_card_threeDSecure2Required', 'approve', 'succeeded', 'succeeded'],
    ['pm_card_threeDSecureRequiredChargeDeclined', 'approve', 'requires_payment_method', 'failed'],
    ['pm_card_authenticationRequiredChargeDeclinedInsufficientFunds', 'approve', 'succeeded', 'succeeded'],
  ])('of %s asks the cardholder: %s → %s', async (token, decision, status, redirect_status) => {
    const made = await setUp(token);
    expect(made).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } });
    expect(effectsOf(made.id)).toEqual([]);
    const back = await decide(made, decision);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      ...{ setup_intent: made.id, setup_intent_client_secret: made.client_secret, redirect_status },
    });
    const decided = await stripe.setupIntents.retrieve(made.id);
    expect(decided.status).toBe(status);
    if (decision === 'fail') expect(decided.last_setup_error?.code).toBe('setup_intent_authentication_failure');
    expect(await eventsOf(made.id)).toContain('setup_intent.requires_action');
  });

  test('without a return_url leaves the challenge to the script of Stripe', async () => {
    const { id } = await stripe.setupIntents.create(facts);
    const asked = await stripe.setupIntents.confirm(id, { payment_method: 'pm_card_authenticationRequired' });
    expect(asked).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
  });

  test.each([
    ['pm_card_authenticationRequiredOnSetup', 'succeeded'],
    ['pm_card_authenticationRequired', 'authentication_required'],
  ])('of %s is followed by a charge without the cardholder: %s', async (token, expected) => {
    const customer = (await stripe.customers.create({})).id;
    const early = await stripe.paymentMethods.attach(token, { customer });
    const charge = { ...alone, customer, payment_method: early.id };
    expect(await refused(stripe.paymentIntents.create(charge))).toMatchObject({ code: 'authentication_required' });
    const made = await setUp(early.id, { customer });
    await decide(made, 'approve');
    const { status, code } = await stripe.paymentIntents.create(charge).then(
      (intent) => ({ status: intent.status, code: undefined }),
      (error) => ({ status: undefined, code: error.code }),
    );
    expect(status ?? code).toBe(expected);
  });

  test('of a card of another customer is refused', async () => {
    const [one, other] = [await stripe.customers.create({}), await stripe.customers.create({})];
    const { id } = await stripe.paymentMethods.attach('pm_card_visa', { customer: one.id });
    expect(await refused(setUp(id, { customer: other.id }))).toMatchObject({ param: 'payment_method' });
    const nobody = await refused(setUp(id));
    expect(nobody.message).toContain('parameter on the SetupIntent');
  });

  test('that is canceled cannot be confirmed', async () => {
    const made = await setUp('pm_card_authenticationRequired');
    const canceled = await stripe.setupIntents.cancel(made.id, { cancellation_reason: 'abandoned' });
    expect(canceled).toMatchObject({ status: 'canceled', cancellation_reason: 'abandoned', next_action: null });
    expect(await refused(stripe.setupIntents.confirm(made.id))).toMatchObject({
      code: 'setup_intent_unexpected_state',
    });
    expect(await refused(stripe.setupIntents.update(made.id, { customer: 'cus_1' }))).toMatchObject({
      code: 'setup_intent_unexpected_state',
    });
    expect((await fetch(made.next_action?.redirect_to_url?.url ?? '')).status).toBe(404);
    expect(await eventsOf(made.id)).toContain('setup_intent.canceled');
  });

  test.each([
    ['succeeds', 'succeeded'],
    ['fails', 'requires_payment_method'],
  ])('in processing %s later', async (processing, status) => {
    fake.teach({ token: 'pm_card_slow', processing });
    const made = await setUp('pm_card_slow');
    expect(made.status).toBe('processing');
    expect((await stripe.setupIntents.retrieve(made.id)).status).toBe(status);
  });
});

test('SetupIntents are listed by time, customer and payment method', async () => {
  clock.advance(1_000);
  const created = { gte: Math.floor(clock.now() / 1_000) };
  const customer = (await stripe.customers.create({})).id;
  const [first, second] = [await setUp('pm_card_visa', { customer }), await setUp('pm_card_visa')];
  const ids = async (more: Stripe.SetupIntentListParams) =>
    (await stripe.setupIntents.list({ created, ...more })).data.map(({ id }) => id);
  expect(await ids({})).toEqual([second.id, first.id]);
  expect(await ids({ customer })).toEqual([first.id]);
  expect(await ids({ payment_method: second.payment_method as string })).toEqual([second.id]);
  expect(await ids({ limit: 1, starting_after: second.id })).toEqual([first.id]);
});
