import { afterEach, describe, expect, test } from 'vitest';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { shareOfCases } from '../../../test/torture.ts';
import { cards, type Shown } from './billing.fixture.ts';
import { lost, serveBilling } from './served_billing.fixture.ts';

/** Subscriptions in real time, whose payments are made by a remote processor. */
const billing = serveBilling({ environment: { SIMULATOR: 'remote' } });

afterEach(async () => {
  await passes(20_000);
  await passes(20_000);
  const { server, tenant } = billing;
  const found = await violationsOf(server.sql, { rest: true, tenant });
  // A correction by hand is the one way from failed to succeeded, and back.
  expect(found.filter((text) => !/failed -> succeeded|succeeded -> failed/.test(text))).toEqual([]);
});

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const refusing = '4000008400001629';
const return_url = 'https://shop.test/back';

const passes = (milliseconds: number) => billing.passTime(milliseconds);
const isAsked = () => billing.isAsked();

async function decided(invoice: Shown, decision: 'approve' | 'refuse'): Promise<void> {
  await billing.decide(await billing.get(`payments/${invoice.payment}`), decision);
  await billing.server.settled();
}

const canceled = ({ payment }: Shown) => billing.post(`payments/${payment}/cancel`);
const expired = () => passes(hourMs + 60_000);
const pause = async () => {};

/** The types of the events of an object, in the order of the alphabet: events of one commit have no order. */
async function eventsOf(id: string): Promise<string[]> {
  const { rows } = await billing.server.sql.query(`select type from events where tenant = $1 and object_id = $2 `, [
    billing.tenant,
    id,
  ]);
  return rows.map(({ type }) => type.replace(/^\w+\./, '')).sort();
}

async function latestOf(subscription: Shown): Promise<Shown> {
  return billing.get(`invoices/${(await billing.subscription(subscription)).latest_invoice}`);
}

/** An active subscription of a customer whose card is then another one. */
async function subscribed(number: string): Promise<{ subscription: Shown; customer: Shown }> {
  const customer = await billing.customer(undefined);
  const subscription = await billing.subscribe(customer, await billing.price(1_000));
  expect(subscription.status).toBe('active');
  await billing.pays(customer, number);
  return { subscription, customer };
}

type Case = [
  name: string,
  card: string,
  happens: (invoice: Shown) => Promise<unknown>,
  before: Shown,
  after: Shown,
  failure: string | undefined,
];

/** `before`: the statuses of payment and subscription when the request is answered; `after`: when the payment is over. */
const first: Case[] = [
  ['unknown, found approved', lost.reply, isAsked, ['processing', 'incomplete'], ['succeeded', 'active'], undefined],
  ['unknown, never received', lost.request, isAsked, ['processing', 'incomplete'], ['failed', 'incomplete'], 'processing_error'],
  ['the cardholder approves', cards.challenges, (one) => decided(one, 'approve'), ['requires_action', 'incomplete'], ['succeeded', 'active'], undefined],
  ['the cardholder does not come', cards.challenges, expired, ['requires_action', 'incomplete'], ['canceled', 'incomplete'], 'payment_canceled'],
  ['the cardholder refuses', cards.challenges, (one) => decided(one, 'refuse'), ['requires_action', 'incomplete'], ['failed', 'incomplete'], 'card_declined'],
  ['approved', cards.pays, pause, ['succeeded', 'active'], ['succeeded', 'active'], undefined],
  ['declined', cards.declines, pause, ['failed', 'incomplete'], ['failed', 'incomplete'], 'card_declined'],
  ['approved by the cardholder, declined', refusing, (one) => decided(one, 'approve'), ['requires_action', 'incomplete'], ['failed', 'incomplete'], 'card_declined'],
  ['the merchant cancels it', cards.challenges, canceled, ['requires_action', 'incomplete'], ['canceled', 'incomplete'], 'payment_canceled'],
]; // biome-ignore format: one line is a case

describe('the first payment', () => {
  test.each(shareOfCases(first, 5))('%s', async (name, card, happens, before, after, failure) => {
    const customer = await billing.customer(undefined, card);
    const price = await billing.price(1_000);
    const body = { customer: customer.id, items: [{ price: price.id }], return_url };
    const key = { 'Idempotency-Key': 'first' };
    const answer = await billing.account.test.post('/v1/subscriptions', body, key);
    expect(answer.status, answer.text).toBe(200);
    const subscription = answer.json;
    const invoice = await latestOf(subscription);
    const paymentOf = async () => (await billing.get(`payments/${invoice.payment}`)).status;
    expect([await paymentOf(), subscription.status]).toEqual(before);
    await happens(invoice);
    expect([await paymentOf(), (await billing.subscription(subscription)).status]).toEqual(after);
    const isPaid = after[0] === 'succeeded';
    const settled = await latestOf(subscription);
    expect(settled).toMatchObject({
      status: isPaid ? 'paid' : 'open',
      attempt_count: 1,
      amount_paid: isPaid ? 1_000 : 0,
    });
    expect([settled.last_failure?.code, settled.next_payment_attempt]).toEqual([failure, undefined]);
    const told = before[0] === 'requires_action' ? ['payment_action_required'] : [];
    // The bank wants the cardholder still.
    if (name === 'the cardholder refuses') told.push('payment_action_required');
    expect(await eventsOf(invoice.id)).toEqual(
      ['created', 'finalized', ...told, isPaid ? 'paid' : 'payment_failed'].sort(),
    );
    const again = await billing.account.test.post('/v1/subscriptions', body, key);
    expect(again).toMatchObject({ text: answer.text, headers: { 'idempotent-replayed': 'true' } });
  });
});

const renewed: Case[] = [
  ['approved', cards.pays, pause, ['succeeded', 'active'], ['succeeded', 'active'], undefined],
  ['declined', cards.declines, pause, ['failed', 'past_due'], ['failed', 'past_due'], 'card_declined'],
  ['unknown, found approved', lost.reply, isAsked, ['processing', 'active'], ['succeeded', 'active'], undefined],
  ['unknown, never received', lost.request, isAsked, ['processing', 'active'], ['failed', 'past_due'], 'processing_error'],
  ['the cardholder is wanted', cards.challenges, pause, ['failed', 'past_due'], ['failed', 'past_due'], 'card_declined'],
]; // biome-ignore format: one line is a case

describe('a renewal', () => {
  test.each(renewed)('%s', async (_name, card, happens, before, after, failure) => {
    const { subscription } = await subscribed(card);
    await passes(31 * dayMs);
    const invoice = await latestOf(subscription);
    expect(invoice.billing_reason).toBe('subscription_cycle');
    const paymentOf = async () => (await billing.get(`payments/${invoice.payment}`)).status;
    expect([await paymentOf(), (await billing.subscription(subscription)).status]).toEqual(before);
    await happens(invoice);
    expect([await paymentOf(), (await billing.subscription(subscription)).status]).toEqual(after);
    const settled = await latestOf(subscription);
    expect([settled.status, settled.last_failure?.code]).toEqual([failure === undefined ? 'paid' : 'open', failure]);
    if (card === cards.challenges) expect(settled.last_failure.decline_code).toBe('authentication_required');
    const isRetried = failure !== undefined && settled.last_failure.decline_code !== 'authentication_required';
    expect(settled.next_payment_attempt !== undefined).toBe(isRetried);
    expect(await billing.invoices(subscription)).toHaveLength(2);
  });

  test('the cardholder that is wanted pays with a return address', async () => {
    const { subscription } = await subscribed(cards.challenges);
    await passes(31 * dayMs);
    const { id } = await latestOf(subscription);
    expect(await eventsOf(id)).toEqual(['created', 'finalized', 'payment_action_required', 'payment_failed']);
    const begun = await billing.post(`invoices/${id}/pay`, { return_url });
    expect(begun).toMatchObject({ status: 'open', attempt_count: 2 });
    expect(await billing.refused(`invoices/${id}/void`)).toMatchObject({ status: 400, code: 'invoice_not_updatable' });
    expect(await billing.refused(`invoices/${id}/pay`)).toMatchObject({ status: 400, code: 'invoice_not_payable' });
    await decided(begun, 'approve');
    expect(await billing.get(`invoices/${id}`)).toMatchObject({ status: 'paid', payment: begun.payment });
    expect(await billing.subscription(subscription)).toMatchObject({ status: 'active' });
  });

  test('a cardholder that does not come back brings no retry that the bank has advised against', async () => {
    const { subscription } = await subscribed(cards.challenges);
    await passes(31 * dayMs);
    const { id } = await latestOf(subscription);
    await billing.post(`invoices/${id}/pay`, { return_url });
    await expired();
    const after = await billing.get(`invoices/${id}`);
    expect(after).toMatchObject({ status: 'open', attempt_count: 2, last_failure: { code: 'payment_canceled' } });
    expect(after.next_payment_attempt).toBeUndefined();
  });
});

describe('pay', () => {
  test.each([
    ['approved', cards.pays, pause, 200, 'paid'],
    ['declined', cards.lost, pause, 402, 'open'],
    ['unknown, found approved', lost.reply, isAsked, 200, 'paid'],
    ['unknown, never received', lost.request, isAsked, 200, 'open'],
  ] as const)('%s', async (_name, card, happens, status, ends) => {
    const { subscription, customer } = await subscribed(cards.declines);
    await passes(31 * dayMs);
    const { id } = await latestOf(subscription);
    const { id: payment_method } = await billing.method(card, customer.id);
    const key = { 'Idempotency-Key': 'pay' };
    const answer = await billing.account.test.post(`/v1/invoices/${id}/pay`, { payment_method }, key);
    expect(answer.status, answer.text).toBe(status);
    await happens();
    const after = await billing.get(`invoices/${id}`);
    expect(after).toMatchObject({ status: ends, attempt_count: 2 });
    expect((await billing.subscription(subscription)).status).toBe(ends === 'paid' ? 'active' : 'past_due');
    const again = await billing.account.test.post(`/v1/invoices/${id}/pay`, { payment_method }, key);
    expect(again).toMatchObject({ status, text: answer.text });
    if (status === 402) expect(answer.json.error).toMatchObject({ code: 'card_declined', payment: after.payment });
  });
});

describe('an invoice of a change', () => {
  test.each([
    ['approved', cards.pays, pause, 'paid', 'active'],
    ['unknown, found approved', lost.reply, isAsked, 'paid', 'active'],
    ['unknown, never received', lost.request, isAsked, 'open', 'past_due'],
    ['declined', cards.declines, pause, 'open', 'past_due'],
  ] as const)('%s', async (_name, card, happens, ends, status) => {
    const { subscription } = await subscribed(card);
    const items = [{ id: subscription.items[0].id, quantity: 3 }];
    const body = { items, proration: 'invoice_now' };
    const answer = await billing.account.test.post(`/v1/subscriptions/${subscription.id}`, body, {
      'Idempotency-Key': 'now',
    });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.items[0].quantity).toBe(3);
    await happens();
    expect(await latestOf(subscription)).toMatchObject({ status: ends, billing_reason: 'subscription_update' });
    expect((await billing.subscription(subscription)).status).toBe(status);
    const again = await billing.account.test.post(`/v1/subscriptions/${subscription.id}`, body, {
      'Idempotency-Key': 'now',
    });
    expect(again.text).toBe(answer.text);
  });
});

describe('an outcome that a person enters', () => {
  const settle = (id: string, as: string, more: object = {}) =>
    billing.server.operator.run('payments.settle', { account: billing.account.id, id, parameters: { as, ...more } });

  /** A renewal whose outcome nobody knows. */
  async function unknownRenewal(card: string) {
    const { subscription, customer } = await subscribed(card);
    await billing.fault('find', 'down', 100);
    await passes(31 * dayMs);
    await passes(90_000);
    const invoice = await latestOf(subscription);
    expect([invoice.status, (await billing.subscription(subscription)).status]).toEqual(['open', 'active']);
    return { subscription, invoice, customer };
  }
  afterEach(() => billing.clearFaults());

  test('succeeded pays the invoice', async () => {
    const { subscription, invoice } = await unknownRenewal(lost.reply);
    await settle(invoice.payment, 'succeeded');
    expect(await latestOf(subscription)).toMatchObject({ id: invoice.id, status: 'paid' });
  });

  test('failed is a failure of the invoice', async () => {
    const { subscription, invoice } = await unknownRenewal(lost.request);
    await settle(invoice.payment, 'failed');
    expect(await latestOf(subscription)).toMatchObject({ status: 'open', last_failure: { code: 'processing_error' } });
    expect((await billing.subscription(subscription)).status).toBe('past_due');
  });

  test('a correction to succeeded pays the invoice, which is not charged again', async () => {
    const { subscription, invoice } = await unknownRenewal(lost.reply);
    await settle(invoice.payment, 'failed');
    await settle(invoice.payment, 'succeeded', { correct: true });
    expect(await latestOf(subscription)).toMatchObject({ status: 'paid', payment: invoice.payment });
    expect((await billing.subscription(subscription)).status).toBe('active');
  });

  test('a correction to failed opens the invoice again, and it is collected anew', async () => {
    const { subscription, invoice, customer } = await unknownRenewal(lost.request);
    await settle(invoice.payment, 'succeeded');
    await passes(9 * dayMs); // longer than dunning takes
    await settle(invoice.payment, 'failed', { correct: true });
    const open = await latestOf(subscription);
    expect(open).toMatchObject({ status: 'open', amount_paid: 0, last_failure: { code: 'processing_error' } });
    expect(open).not.toHaveProperty('paid_at');
    expect(open.next_payment_attempt).toBe(Math.floor(billing.time.now() / 1_000) + dayMs / 1_000);
    expect((await billing.subscription(subscription)).status).toBe('past_due');
    expect(await eventsOf(invoice.id)).toEqual(['created', 'finalized', 'paid', 'payment_failed']);
    await billing.pays(customer, cards.pays);
    await billing.server.settled();
    expect(await latestOf(subscription)).toMatchObject({ status: 'paid', attempt_count: 2 });
    expect((await billing.subscription(subscription)).status).toBe('active');
  });

  test('a correction to failed after the subscription has ended: the money is not expected', async () => {
    const { subscription, invoice } = await unknownRenewal(lost.request);
    await settle(invoice.payment, 'succeeded');
    await billing.post(`subscriptions/${subscription.id}/cancel`);
    await settle(invoice.payment, 'failed', { correct: true });
    expect(await billing.get(`invoices/${invoice.id}`)).toMatchObject({ status: 'uncollectible', amount_paid: 0 });
    expect((await billing.subscription(subscription)).status).toBe('canceled');
  });

  test('a correction to failed of what had been given up: the money is not expected again', async () => {
    const { subscription, invoice } = await unknownRenewal(lost.request);
    await settle(invoice.payment, 'failed');
    await billing.post(`invoices/${invoice.id}/mark_uncollectible`);
    const { payment } = await billing.post(`invoices/${invoice.id}/pay`);
    await passes(90_000);
    await settle(payment, 'succeeded');
    expect(await latestOf(subscription)).toMatchObject({ status: 'paid' });
    await settle(payment, 'failed', { correct: true });
    const given = await latestOf(subscription);
    expect(given).toMatchObject({
      status: 'uncollectible',
      amount_paid: 0,
      last_failure: { code: 'processing_error' },
    });
    expect(given).not.toHaveProperty('next_payment_attempt');
    expect((await billing.subscription(subscription)).status).toBe('active');
  });

  test('a correction waits for another charge of the invoice; money that was taken twice can be refunded', async () => {
    const { subscription, invoice } = await unknownRenewal(lost.reply);
    await settle(invoice.payment, 'failed');
    await billing.post(`invoices/${invoice.id}/pay`);
    await expect(settle(invoice.payment, 'succeeded', { correct: true })).rejects.toThrow(
      `${invoice.id} is being charged by another payment`,
    );
    await billing.clearFaults();
    await isAsked();
    expect((await latestOf(subscription)).payment).not.toBe(invoice.payment);
    await settle(invoice.payment, 'succeeded', { correct: true });
    expect(await latestOf(subscription)).toMatchObject({ status: 'paid' });
    await billing.post('refunds', { payment: invoice.payment });
  });

  test('a correction to succeeded of a payment whose invoice is void is refunded', async () => {
    const { subscription, invoice } = await unknownRenewal(lost.reply);
    await settle(invoice.payment, 'failed');
    await billing.post(`invoices/${invoice.id}/void`);
    await billing.server.sql.query(`update invoices set closing = 'refund', payment = 'py_other' where id = $1`, [
      invoice.id,
    ]);
    await expect(settle(invoice.payment, 'succeeded', { correct: true })).rejects.toThrow(
      `${invoice.id} is void, and the money of another payment, py_other, is being refunded`,
    );
    await billing.server.sql.query('update invoices set closing = null where id = $1', [invoice.id]);
    await settle(invoice.payment, 'succeeded', { correct: true });
    await passes(1_000);
    expect((await billing.get(`payments/${invoice.payment}`)).amount_refunded).toBe(1_000);
    expect(await latestOf(subscription)).toMatchObject({ status: 'void' });
  });
});
