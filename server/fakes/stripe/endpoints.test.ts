import type Stripe from 'stripe';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { type FakeStripe, startFakeStripe } from './index.ts';
import { type OfficialClient, officialClient } from './official_client.fixture.ts';

/** Every endpoint through Stripe's own client, every answer compared with Stripe's own description. */

let fake: FakeStripe;
let client: OfficialClient;
let stripe: Stripe;
let clock: VirtualClock;
const day = 86_400_000;
const start = Date.UTC(2026, 10, 16, 12);

beforeAll(async () => {
  clock = virtualClock(start);
  fake = await startFakeStripe({ port: 0, clock });
  client = officialClient(fake);
  stripe = client.stripe;
});
afterAll(() => fake.close());
afterEach(() => expect(client.problems.splice(0)).toEqual([]));

const facts = { amount: 2_000, currency: 'eur', allowed_payment_method_types: ['card'] };

/** The error of a refused call. */
async function refused(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  return call.then(
    () => expect.fail('it was not refused'),
    (error: Stripe.errors.StripeError) => error,
  );
}

async function pay(method = 'pm_card_visa', more: Partial<Stripe.PaymentIntentCreateParams> = {}) {
  return stripe.paymentIntents.create({ ...facts, payment_method: method, confirm: true, ...more });
}

function effectsOf(intent: string): string[] {
  return fake.books().flatMap((one) => (one.payment_intent === intent ? [`${one.kind} ${one.amount}`] : []));
}

async function decide(intent: Stripe.PaymentIntent, decision: string): Promise<URL> {
  const url = intent.next_action?.redirect_to_url?.url ?? '';
  expect(await (await fetch(url)).text()).toContain('value="approve"');
  const body = new URLSearchParams({ decision });
  const answer = await fetch(url, { method: 'POST', body, redirect: 'manual' });
  return new URL(answer.headers.get('location') ?? '');
}

test('the account, and customers', async () => {
  expect(await stripe.accounts.retrieveCurrent()).toMatchObject({ id: 'acct_fake', charges_enabled: true });
  const made = await stripe.customers.create({ name: 'Ada', email: 'ada@example.com', metadata: { a: '1', b: '2' } });
  await stripe.customers.update(made.id, { metadata: { a: '' }, phone: '1' });
  expect(await stripe.customers.retrieve(made.id)).toMatchObject({ name: 'Ada', phone: '1', metadata: { b: '2' } });
});

describe('payment methods', () => {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2_030, cvc: '123' };

  test('numbers are taken from browsers, and from accounts that may', async () => {
    const refusal = await refused(stripe.paymentMethods.create({ type: 'card', card }));
    expect(refusal).toMatchObject({ statusCode: 402, rawType: 'invalid_request_error' });
    const browser = officialClient({ ...fake, secretKey: fake.publishableKey });
    const billing_details = { name: 'Ada', address: { country: 'DE' } };
    const made = await browser.stripe.paymentMethods.create({ type: 'card', card, billing_details });
    expect(made).toMatchObject({ card: { brand: 'visa', last4: '4242' }, customer: null, billing_details });
    expect(await stripe.paymentMethods.retrieve(made.id)).toEqual(expect.objectContaining({ id: made.id }));
    expect(await refused(browser.stripe.paymentMethods.retrieve(made.id))).toMatchObject({ statusCode: 401 });
    const wrong = { ...card, number: '4242424242424241' };
    expect(await refused(browser.stripe.paymentMethods.create({ type: 'card', card: wrong }))).toMatchObject({
      code: 'incorrect_number',
    });
    const old = { ...card, exp_year: 2_020 };
    expect(await refused(browser.stripe.paymentMethods.create({ type: 'card', card: old }))).toMatchObject({
      ...{ statusCode: 402, code: 'invalid_expiry_year' },
    });
    expect(browser.problems).toEqual([]);
  });

  test('one that is attached can be used again, one that is not only once', async () => {
    const { id } = await stripe.paymentMethods.create({ type: 'card', card: { token: 'tok_visa' } });
    await pay(id);
    expect(await refused(pay(id))).toMatchObject({
      ...{ statusCode: 400, type: 'StripeInvalidRequestError' },
      message: expect.stringContaining(
        'To use a PaymentMethod multiple times, you must attach it to a Customer first.',
      ),
    });
    const customer = (await stripe.customers.create({})).id;
    expect((await refused(stripe.paymentMethods.attach(id, { customer }))).message).toContain('may not be used again');

    const kept = await stripe.paymentMethods.attach('pm_card_visa', { customer });
    expect(kept.customer).toBe(customer);
    for (const _ of [1, 2]) expect((await pay(kept.id, { customer })).status).toBe('succeeded');
    expect((await refused(pay(kept.id))).message).toContain('Please include the Customer in the `customer` parameter');
    const other = (await stripe.customers.create({})).id;
    expect((await refused(pay(kept.id, { customer: other }))).message).toContain('does not belong to the Customer');
    await stripe.paymentMethods.detach(kept.id);
    expect((await refused(pay(kept.id, { customer }))).message).toContain('detached from a Customer');
    expect((await refused(stripe.paymentMethods.detach(kept.id))).message).toContain('not attached');
    expect(await refused(stripe.paymentMethods.attach('pm_card_visa_chargeDeclined', { customer }))).toMatchObject({
      ...{ statusCode: 402, code: 'card_declined' },
    });
    expect((await stripe.paymentMethods.attach('pm_card_chargeCustomerFail', { customer })).customer).toBe(customer);
  });
});

describe('payment intents', () => {
  test('create moves nothing; confirm takes the money', async () => {
    const made = await stripe.paymentIntents.create({ ...facts, metadata: { tollgate_attempt: 'att_1' } });
    expect(made).toMatchObject({ status: 'requires_payment_method', amount_received: 0, latest_charge: null });
    expect(effectsOf(made.id)).toEqual([]);
    const paid = await stripe.paymentIntents.confirm(made.id, {
      payment_method: 'pm_card_mastercard',
      expand: ['latest_charge.balance_transaction'],
    });
    expect(paid).toMatchObject({ status: 'succeeded', amount_received: 2_000 });
    expect(paid.latest_charge).toMatchObject({
      captured: true,
      payment_method_details: { card: { brand: 'mastercard', network_transaction_id: expect.any(String) } },
      balance_transaction: { amount: 2_000, fee: 88, net: 1_912, status: 'pending', type: 'charge' },
    });
    const charge = (await stripe.paymentIntents.retrieve(made.id)).latest_charge as string;
    expect(await stripe.charges.retrieve(charge)).toMatchObject({ metadata: { tollgate_attempt: 'att_1' } });
    expect((await stripe.charges.list({ payment_intent: made.id })).data).toHaveLength(1);
    expect(effectsOf(made.id)).toEqual(['charge 2000']);
    expect(await refused(stripe.paymentIntents.confirm(made.id))).toMatchObject({
      ...{ statusCode: 400, code: 'payment_intent_unexpected_state', payment_intent: { id: made.id } },
    });
  });

  test('a payment method of the intent is confirmed without naming it', async () => {
    const made = await stripe.paymentIntents.create({ ...facts, payment_method: 'pm_card_visa' });
    expect(made.status).toBe('requires_confirmation');
    expect((await stripe.paymentIntents.confirm(made.id)).status).toBe('succeeded');
    const bare = await stripe.paymentIntents.create(facts);
    expect((await refused(stripe.paymentIntents.confirm(bare.id))).message).toContain('missing a payment method');
    const { id } = await stripe.customers.create({});
    const changed = await stripe.paymentIntents.update(bare.id, {
      ...{ payment_method: 'pm_card_visa', customer: id, amount: 900, metadata: { b: '1' } },
    });
    expect(changed).toMatchObject({ status: 'requires_confirmation', customer: id, amount: 900, metadata: { b: '1' } });
  });

  test('manual capture: in part, once; the rest is released', async () => {
    const held = await pay('pm_card_visa', { capture_method: 'manual' });
    expect(held).toMatchObject({ status: 'requires_capture', amount_capturable: 2_000 });
    const tooMuch = stripe.paymentIntents.capture(held.id, { amount_to_capture: 2_001 });
    expect(await refused(tooMuch)).toMatchObject({ code: 'amount_too_large' });
    const metadata = { tollgate_attempt: 'att_2' };
    const taken = await stripe.paymentIntents.capture(held.id, { amount_to_capture: 1_500, metadata });
    expect(taken).toMatchObject({ status: 'succeeded', amount_received: 1_500, amount_capturable: 0, metadata });
    expect(effectsOf(held.id)).toEqual(['authorization 2000', 'capture 1500']);
    expect(await stripe.charges.retrieve(taken.latest_charge as string)).toMatchObject({
      ...{ amount: 2_000, amount_captured: 1_500, amount_refunded: 500 },
    });
    const booked = await stripe.balanceTransactions.list({ limit: 2 });
    expect(
      booked.data.map(({ reporting_category, amount, fee, net }) => [reporting_category, amount, fee, net]),
    ).toEqual([
      ['partial_capture_reversal', -500, -14, -486],
      ['charge', 2_000, 88, 1_912],
    ]);
    expect(await refused(stripe.paymentIntents.capture(held.id))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
  });

  test('cancel releases what is held, once', async () => {
    const held = await pay('pm_card_visa', { capture_method: 'manual' });
    const reason = { cancellation_reason: 'abandoned' as const };
    expect(await stripe.paymentIntents.cancel(held.id, reason)).toMatchObject({ status: 'canceled', ...reason });
    expect(effectsOf(held.id)).toEqual(['authorization 2000', 'release 2000']);
    expect(await refused(stripe.paymentIntents.cancel(held.id))).toMatchObject({ statusCode: 400 });
    const bare = await stripe.paymentIntents.create(facts);
    await stripe.paymentIntents.cancel(bare.id);
    expect(await refused(stripe.paymentIntents.confirm(bare.id, { payment_method: 'pm_card_visa' }))).toMatchObject({
      code: 'payment_intent_unexpected_state',
    });
    expect(effectsOf(bare.id)).toEqual([]);
  });

  test('an authorization expires after seven days', async () => {
    const held = await pay('pm_card_visa', { capture_method: 'manual' });
    clock.advance(7 * day - 1_000);
    expect((await stripe.paymentIntents.retrieve(held.id)).status).toBe('requires_capture');
    clock.advance(1_000);
    expect(await stripe.paymentIntents.retrieve(held.id)).toMatchObject({
      ...{ status: 'canceled', cancellation_reason: 'automatic' },
    });
    const { data } = await stripe.events.list({ types: ['payment_intent.canceled', 'charge.expired'], limit: 2 });
    expect(data.map(({ type }) => type)).toEqual(['charge.expired', 'payment_intent.canceled']);
    expect(await refused(stripe.paymentIntents.capture(held.id))).toMatchObject({ statusCode: 400 });
  });

  test.each([
    ['pm_card_visa_chargeDeclined', 'card_declined', 'generic_decline'],
    ['pm_card_visa_chargeDeclinedInsufficientFunds', 'card_declined', 'insufficient_funds'],
    ['pm_card_visa_chargeDeclinedLostCard', 'card_declined', 'lost_card'],
    ['pm_card_chargeDeclinedExpiredCard', 'expired_card', 'expired_card'],
    ['pm_card_chargeDeclinedIncorrectCvc', 'incorrect_cvc', 'incorrect_cvc'],
    ['pm_card_chargeDeclinedProcessingError', 'processing_error', 'processing_error'],
    ['pm_card_mine', 'card_declined', 'issuer_not_available'],
  ])('%s is declined: %s, %s', async (token, code, decline_code) => {
    if (token === 'pm_card_mine') fake.teach({ token, decline: decline_code });
    const made = await stripe.paymentIntents.create(facts);
    const error = await refused(stripe.paymentIntents.confirm(made.id, { payment_method: token }));
    expect(error).toMatchObject({
      statusCode: 402,
      type: 'StripeCardError',
      code,
      decline_code,
      charge: expect.stringMatching(/^ch_/),
    });
    expect(await stripe.paymentIntents.retrieve(made.id)).toMatchObject({
      ...{ status: 'requires_payment_method', payment_method: null, latest_charge: error.charge },
      last_payment_error: { code, decline_code },
    });
    expect(effectsOf(made.id)).toEqual(['decline 2000']);
    expect((await stripe.paymentIntents.confirm(made.id, { payment_method: 'pm_card_visa' })).status).toBe('succeeded');
  });

  test('a refused capture leaves the authorization as it is', async () => {
    fake.teach({ token: 'pm_card_fickle', declineCapture: 'generic_decline' });
    const held = await pay('pm_card_fickle', { capture_method: 'manual' });
    expect(await refused(stripe.paymentIntents.capture(held.id))).toMatchObject({ statusCode: 402 });
    expect((await stripe.paymentIntents.cancel(held.id)).status).toBe('canceled');
    expect(effectsOf(held.id)).toEqual(['authorization 2000', 'release 2000']);
  });

  test.each([
    ['pm_card_authenticationRequired', 'approve', 'succeeded', 'succeeded'],
    ['pm_card_authenticationRequired', 'fail', 'requires_payment_method', 'failed'],
    ['pm_card_threeDSecureRequiredChargeDeclined', 'approve', 'requires_payment_method', 'failed'],
  ])('the cardholder of %s decides: %s → %s', async (token, decision, status, redirect_status) => {
    const made = await pay(token, { return_url: 'https://shop.example/back?order=1' });
    expect(made).toMatchObject({ status: 'requires_action', next_action: { type: 'redirect_to_url' } });
    expect(effectsOf(made.id)).toEqual([]);
    const back = await decide(made, decision);
    expect(Object.fromEntries(back.searchParams)).toEqual({
      ...{ order: '1', payment_intent: made.id, payment_intent_client_secret: made.client_secret, redirect_status },
    });
    expect((await stripe.paymentIntents.retrieve(made.id)).status).toBe(status);
    expect((await fetch(made.next_action?.redirect_to_url?.url ?? '')).status).toBe(404);
  });

  test('without the cardholder, authentication is a decline, until the card is set up', async () => {
    const customer = (await stripe.customers.create({})).id;
    const alone = { customer, off_session: true };
    expect(await refused(pay('pm_card_authenticationRequired', alone))).toMatchObject({
      ...{ statusCode: 402, code: 'authentication_required', payment_intent: { status: 'requires_payment_method' } },
    });
    const first = await pay('pm_card_authenticationRequiredOnSetup', {
      ...{ customer, setup_future_usage: 'off_session', return_url: 'https://shop.example/' },
    });
    const method = first.payment_method as string;
    await decide(first, 'approve');
    expect((await stripe.paymentMethods.retrieve(method)).customer).toBe(customer);
    expect((await pay(method, alone)).status).toBe('succeeded');
    const asked = await pay('pm_card_visa', { payment_method_options: { card: { request_three_d_secure: 'any' } } });
    expect(asked).toMatchObject({ status: 'requires_action', next_action: { type: 'use_stripe_sdk' } });
    expect((await stripe.paymentIntents.cancel(asked.id)).status).toBe('canceled');
  });

  test.each([
    ['succeeds', 'succeeded'],
    ['fails', 'requires_payment_method'],
  ])('a payment in processing %s later', async (processing, status) => {
    fake.teach({ token: 'pm_card_slow', processing });
    const made = await pay('pm_card_slow');
    expect(made.status).toBe('processing');
    expect((await stripe.paymentIntents.retrieve(made.id)).status).toBe(status);
  });

  test('lists page in both directions, and filter by time', async () => {
    clock.advance(1_000);
    const since = Math.floor(clock.now() / 1_000);
    const made: string[] = [];
    for (const _ of [1, 2, 3]) made.unshift((await stripe.paymentIntents.create(facts)).id);
    const ids = (page: Stripe.ApiList<Stripe.PaymentIntent>) => page.data.map(({ id }) => id);
    const created = { gte: since };
    expect(ids(await stripe.paymentIntents.list({ created }))).toEqual(made);
    expect(ids(await stripe.paymentIntents.list({ created: { gt: since } }))).toEqual([]);
    const first = await stripe.paymentIntents.list({ created, limit: 2 });
    expect([ids(first), first.has_more]).toEqual([made.slice(0, 2), true]);
    const next = await stripe.paymentIntents.list({ created, limit: 2, starting_after: made[1]! });
    expect([ids(next), next.has_more]).toEqual([made.slice(2), false]);
    const back = await stripe.paymentIntents.list({ created, limit: 1, ending_before: made[2]! });
    expect([ids(back), back.has_more]).toEqual([[made[1]], true]);
    const all: string[] = [];
    for await (const { id } of stripe.paymentIntents.list({ created, limit: 1 })) all.push(id);
    expect(all).toEqual(made);
  });

  test('search finds by metadata, after a while', async () => {
    fake.world.settings.searchLagMs = 60_000;
    const made = await stripe.paymentIntents.create({ ...facts, metadata: { tollgate_attempt: 'att_search' } });
    const search = () => stripe.paymentIntents.search({ query: "metadata['tollgate_attempt']:'att_search'" });
    expect((await search()).data).toEqual([]);
    clock.advance(60_000);
    expect((await search()).data.map(({ id }) => id)).toEqual([made.id]);
    expect(await refused(stripe.paymentIntents.search({ query: 'amount>1' }))).toMatchObject({ param: 'query' });
  });

  test.each([
    [{ amount: 49 }, 'amount_too_small', 'amount'],
    [{ amount: 1_000_000_000_000 }, 'amount_too_large', 'amount'],
    [{ amount: 150, currency: 'isk' }, 'invalid_charge_amount_no_decimal_compatible', 'amount'],
    [{ amount: 5_121, currency: 'kwd' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: 'x' }, 'parameter_invalid_integer', 'amount'],
    [{ amount: undefined }, 'parameter_missing', 'amount'],
    [{ currency: 'xxx' }, undefined, 'currency'],
    [{ customer: 'cus_no' }, 'resource_missing', 'customer'],
    [{ payment_method: 'pm_no' }, 'resource_missing', 'payment_method'],
    [{ transfer_group: 'x' }, 'parameter_unknown', 'transfer_group'],
    [{ expand: ['review'] }, undefined, 'expand'],
    [{ return_url: 'https://shop.example' }, undefined, 'return_url'],
  ])('%j is refused', async (change, code, param) => {
    const call = stripe.paymentIntents.create({ ...facts, ...change } as Stripe.PaymentIntentCreateParams);
    const error = await refused(call);
    expect([error.statusCode, error.code, error.param]).toEqual([400, code, param]);
  });

  test('what does not exist is 404', async () => {
    expect(await refused(stripe.paymentIntents.retrieve('pi_no'))).toMatchObject({
      ...{ statusCode: 404, code: 'resource_missing' },
    });
  });
});

describe('refunds', () => {
  test('in part, then the rest, never more', async () => {
    const { id } = await pay();
    const metadata = { tollgate_attempt: 'att_3' };
    const part = await stripe.refunds.create({ payment_intent: id, amount: 500, metadata });
    expect(part).toMatchObject({ status: 'succeeded', amount: 500, metadata });
    expect(await refused(stripe.refunds.create({ payment_intent: id, amount: 1_501 }))).toMatchObject({
      ...{ statusCode: 400, param: 'amount' },
    });
    const rest = await stripe.refunds.create({ payment_intent: id });
    expect(await refused(stripe.refunds.create({ payment_intent: id }))).toMatchObject({
      code: 'charge_already_refunded',
    });
    const listed = await stripe.refunds.list({ payment_intent: id });
    expect(listed.data.map((one) => one.id)).toEqual([rest.id, part.id]);
    expect(effectsOf(id)).toEqual(['charge 2000', 'refund 500', 'refund 1500']);
    expect(await stripe.refunds.update(part.id, { metadata: { more: '1' } })).toMatchObject({
      metadata: { ...metadata, more: '1' },
    });
    const bare = await stripe.paymentIntents.create(facts);
    expect((await refused(stripe.refunds.create({ payment_intent: bare.id }))).message).toContain('successful charge');
  });

  test.each([
    ['pm_card_pendingRefund', 'pending', 'succeeded', 'refund.updated'],
    ['pm_card_refundFail', 'succeeded', 'failed', 'refund.failed'],
  ])('of %s is %s, and then %s', async (token, before, after, type) => {
    fake.world.settings.decisionMs = 1_000;
    const { id } = await pay(token);
    const refund = await stripe.refunds.create({ payment_intent: id });
    expect(refund.status).toBe(before);
    clock.advance(1_000);
    expect((await stripe.refunds.retrieve(refund.id)).status).toBe(after);
    const [event] = (await stripe.events.list({ type, limit: 1 })).data;
    expect(event?.data.object).toMatchObject({ id: refund.id, status: after });
    fake.world.settings.decisionMs = 0;
  });
});

describe('disputes', () => {
  async function disputed(): Promise<Stripe.Dispute> {
    const { id } = await pay('pm_card_createDispute');
    return (await stripe.disputes.list({ payment_intent: id })).data[0]!;
  }

  test.each([
    ['winning_evidence', 'won', ['dispute -2000 1500', 'dispute_reversal 2000 0']],
    ['losing_evidence', 'lost', ['dispute -2000 1500']],
  ])('%s: %s', async (uncategorized_text, status, booked) => {
    const opened = await disputed();
    expect(opened).toMatchObject({ status: 'needs_response', reason: 'fraudulent', amount: 2_000 });
    const intent = opened.payment_intent as string;
    expect(await refused(stripe.refunds.create({ payment_intent: intent }))).toMatchObject({ code: 'charge_disputed' });
    const metadata = { tollgate_attempt: 'att_4' };
    await stripe.disputes.update(opened.id, { evidence: { uncategorized_text }, submit: false });
    const sent = await stripe.disputes.update(opened.id, { evidence: { customer_name: 'Ada' }, metadata });
    expect(sent).toMatchObject({ status: 'under_review', metadata, evidence_details: { submission_count: 1 } });
    const ended = await stripe.disputes.retrieve(opened.id);
    expect(ended.status).toBe(status);
    const bookedOf = ({ reporting_category, amount, fee }: Stripe.BalanceTransaction) =>
      `${reporting_category} ${amount} ${fee}`;
    expect(ended.balance_transactions.map(bookedOf)).toEqual(booked);
    expect((await refused(stripe.disputes.close(opened.id))).message).toContain('already closed');
  });

  test('closing one concedes it; one without an answer is lost in time', async () => {
    const [one, other] = [await disputed(), await disputed()];
    expect((await stripe.disputes.close(one.id)).status).toBe('lost');
    clock.advance(7 * day);
    expect(await stripe.disputes.retrieve(other.id)).toMatchObject({
      ...{ status: 'lost', evidence_details: { past_due: true } },
    });
    const { data } = await stripe.events.list({ type: 'charge.dispute.closed', limit: 2 });
    expect(data.map(({ data }) => (data.object as Stripe.Dispute).id)).toEqual([other.id, one.id]);
  });

  test('an inquiry withdraws nothing', async () => {
    const { id } = await pay('pm_card_createDisputeInquiry');
    const [inquiry] = (await stripe.disputes.list({ payment_intent: id })).data;
    expect(inquiry).toMatchObject({ status: 'warning_needs_response', balance_transactions: [] });
    expect((await stripe.refunds.create({ payment_intent: id })).status).toBe('succeeded');
  });
});

test('the balance: fee, net, two days until it is available, and the payout that collects it', async () => {
  const from = await startFakeStripe({ port: 0, clock });
  const own = officialClient(from);
  const { balanceTransactions, payouts, paymentIntents, refunds } = own.stripe;
  const confirmed = { ...facts, confirm: true, payment_method: 'pm_card_visa' };
  const { id, latest_charge } = await paymentIntents.create(confirmed);
  const refund = await refunds.create({ payment_intent: id, amount: 500 });
  const created = { gte: Math.floor(clock.now() / 1_000), lt: Math.floor(clock.now() / 1_000) + 1 };
  const { data } = await balanceTransactions.list({ created, expand: ['data.source'] });
  expect(data).toMatchObject([
    { type: 'refund', amount: -500, fee: 0, net: -500, source: { id: refund.id, object: 'refund' } },
    { type: 'charge', amount: 2_000, fee: 88, net: 1_912, status: 'pending', source: { id: latest_charge } },
  ]);
  clock.advance(2 * day);
  const command = (body: object) => fetch(`${from.url}/_fake/payouts`, { method: 'POST', body: JSON.stringify(body) });
  const { payout } = (await (await command({ currency: 'eur' })).json()) as { payout: Stripe.Payout };
  expect((await payouts.list()).data).toMatchObject([
    { id: payout.id, amount: 1_412, automatic: true, status: 'paid' },
  ]);
  const collected = await balanceTransactions.list({ payout: payout.id });
  expect(collected.data.map(({ type, net }) => `${type} ${net}`)).toEqual([
    ...['payout -1412', 'refund -500', 'charge 1912'],
  ]);
  const deep = await balanceTransactions.list({ expand: ['data.source', 'data.source.payment_intent'] });
  expect(deep.data.map(({ source }) => (source as { payment_intent?: { id: string } }).payment_intent?.id)).toEqual([
    ...[undefined, id, id],
  ]);
  expect(await (await command({ currency: 'eur' })).json()).toEqual({ payout: null });
  expect(await refused(payouts.create({ amount: 1, currency: 'eur' }))).toMatchObject({ code: 'balance_insufficient' });
  await paymentIntents.create({ ...confirmed, payment_method: 'pm_card_bypassPending' });
  expect(await payouts.create({ amount: 1_000, currency: 'eur' })).toMatchObject({ automatic: false, amount: 1_000 });
  expect(own.problems).toEqual([]);
  await from.close();
});

test('events name the request, and are found by type, time and id', async () => {
  clock.advance(1_000);
  const since = Math.floor(clock.now() / 1_000);
  const { id } = await stripe.paymentIntents.create(
    { ...facts, payment_method: 'pm_card_visa', confirm: true },
    { idempotencyKey: 'of the event' },
  );
  const { data } = await stripe.events.list({ created: { gte: since }, types: ['payment_intent.*'] });
  expect(data.map(({ type }) => type)).toEqual(['payment_intent.succeeded', 'payment_intent.created']);
  expect(data[0]).toMatchObject({ data: { object: { id } }, request: { idempotency_key: 'of the event' } });
  expect(await stripe.events.retrieve(data[0]!.id)).toMatchObject({ id: data[0]!.id, pending_webhooks: 0 });
});
