import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { eventually } from '../../test/eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';
import { violationsOf } from '../../test/payment_invariants.ts';
import { Billing, cards, type Shown } from './billing.fixture.ts';

/** Invoices that are voided while their payment has no outcome, with a remote processor. */
let clock: VirtualClock;
let server: TestServer;
let account: TestAccount;
let billing: Billing;
let tenant: number;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  server = await startServer({ environment: { SIMULATOR: 'remote' }, clock });
});
afterAll(() => server.stop());
beforeEach(async () => {
  account = await server.account();
  billing = new Billing(account);
  const text = `select tenant from tenants where account = $1 and mode = 'test'`;
  tenant = (await server.sql.query(text, [account.id])).rows[0].tenant;
});
afterEach(async () => {
  await passes(20_000);
  await passes(20_000);
  expect(await violationsOf(server.sql, { rest: true, tenant })).toEqual([]);
  const { rows } = await server.sql.query(
    'select id, closing from invoices where tenant = $1 and closing is not null',
    [tenant],
  );
  expect(rows).toEqual([]);
});

const hourMs = 3_600_000;
const lost = { reply: '4000000000000408', request: '4000000000000416' };
const return_url = 'https://shop.test/back';

async function passes(milliseconds: number): Promise<void> {
  clock.advance(milliseconds);
  await server.settled();
}

/** While the processor is down, nobody learns of an outcome. */
async function processorIsDown(isDown: boolean): Promise<void> {
  const text = isDown
    ? `insert into simulator.faults (tenant, verb, kind, remaining) values ($1, 'find', 'down', 1000)`
    : 'update simulator.faults set remaining = 0 where tenant = $1';
  await server.sql.query(text, [tenant]);
}

async function removed(customer: Shown): Promise<void> {
  const answer = await account.test.delete(`/v1/customers/${customer.id}`);
  expect(answer.status, answer.text).toBe(200);
}

const invoiceOf = async ({ latest_invoice }: Shown) => billing.get(`invoices/${latest_invoice}`);
const paymentOf = async ({ payment }: Shown) => billing.get(`payments/${payment}`);

/** What has become of a subscription, its first invoice and its payment. */
async function ends(subscription: Shown): Promise<unknown[]> {
  const invoice = await invoiceOf(subscription);
  const payment = await paymentOf(invoice);
  const { status } = await billing.subscription(subscription);
  return [status, invoice.status, payment.status, payment.amount_refunded ?? 0];
}

const price = () => billing.price(1_000);

describe('a first payment that has not come within 23 hours', () => {
  test('the invoice is void, and its credit is given back', async () => {
    const customer = await billing.customer(undefined, cards.declines);
    await billing.post('invoice_items', { customer: customer.id, amount: -300, currency: 'eur', description: 'Sorry' });
    const { id } = await billing.post('invoices', { customer: customer.id });
    await billing.post(`invoices/${id}/finalize`);
    const subscription = await billing.subscribe(customer, await price());
    expect(await invoiceOf(subscription)).toMatchObject({ credit_applied: 300, amount_due: 700 });
    await passes(22 * hourMs);
    expect(await ends(subscription)).toEqual(['incomplete', 'open', 'failed', 0]);
    await passes(hourMs);
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'failed', 0]);
    expect(await billing.get(`customers/${customer.id}`)).toMatchObject({ credit_balance: { eur: 300 } });
  });

  test.each([
    ['found approved: it is refunded', lost.reply, ['canceled', 'void', 'succeeded', 1_000]],
    ['never received', lost.request, ['canceled', 'void', 'failed', 0]],
  ])('unknown, and then %s', async (_name, card, end) => {
    const subscription = await billing.subscribe(await billing.customer(undefined, card), await price());
    await processorIsDown(true);
    await passes(23 * hourMs);
    expect(await ends(subscription)).toEqual(['canceled', 'open', 'processing', 0]);
    await processorIsDown(false);
    await passes(2 * hourMs);
    await passes(60_000);
    expect(await ends(subscription)).toEqual(end);
  });

  test('it waits for the cardholder: the payment is canceled first', async () => {
    const customer = await billing.customer(undefined, cards.challenges);
    const subscription = await billing.subscribe(customer, await price(), { return_url });
    await billing.post(`payments/${(await invoiceOf(subscription)).payment}/cancel`);
    await passes(22.5 * hourMs);
    await billing.post(`invoices/${subscription.latest_invoice}/pay`, { return_url });
    await passes(0.5 * hourMs);
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'canceled', 0]);
  });

  test('by a test clock, while the cardholder has an hour of real time', async () => {
    const frozen = await billing.clock('2026-01-01');
    const customer = await billing.customer(frozen, cards.challenges);
    const subscription = await billing.subscribe(customer, await price(), { return_url });
    await billing.advance(frozen, '2026-01-02');
    await passes(60_000);
    await eventually(async () => expect(await ends(subscription)).toEqual(['canceled', 'void', 'canceled', 0]));
  });

  test('the cardholder has approved it, and nobody knows: the cancel gives the money back', async () => {
    const customer = await billing.customer(undefined, cards.challenges);
    const subscription = await billing.subscribe(customer, await price(), { return_url });
    const { next_action } = await paymentOf(await invoiceOf(subscription));
    await processorIsDown(true);
    const { pathname } = new URL(next_action.redirect_to_url.url);
    expect((await server.anonymous.form(pathname, 'decision=approve')).status).toBe(303);
    await passes(23 * hourMs);
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'canceled', 0]);
    await processorIsDown(false);
  });
});

describe('canceling a subscription whose first payment has not come', () => {
  test('declined: the invoice is void, its credit is given back, and a new card is not charged for it', async () => {
    const customer = await billing.customer(undefined, cards.declines);
    await billing.post('invoice_items', { customer: customer.id, amount: -300, currency: 'eur', description: 'Sorry' });
    const { id } = await billing.post('invoices', { customer: customer.id });
    await billing.post(`invoices/${id}/finalize`);
    const subscription = await billing.subscribe(customer, await price());
    const answer = await billing.post(`subscriptions/${subscription.id}/cancel`);
    expect(answer).toMatchObject({ status: 'canceled', latest_invoice: subscription.latest_invoice });
    expect(answer.ended_at).toBe(answer.canceled_at);
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'failed', 0]);
    expect(await billing.pays(customer, cards.pays)).toMatchObject({ credit_balance: { eur: 300 } });
    await passes(24 * hourMs);
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'failed', 0]);
  });

  test.each([
    ['found approved: it is refunded', lost.reply, ['canceled', 'void', 'succeeded', 1_000]],
    ['never received', lost.request, ['canceled', 'void', 'failed', 0]],
  ])('unknown, and then %s', async (_name, card, end) => {
    const subscription = await billing.subscribe(await billing.customer(undefined, card), await price());
    expect(await billing.post(`subscriptions/${subscription.id}/cancel`)).toMatchObject({ status: 'canceled' });
    expect(await ends(subscription)).toEqual(['canceled', 'open', 'processing', 0]);
    await passes(60_000);
    await passes(60_000);
    expect(await ends(subscription)).toEqual(end);
  });

  test.each(['in real time', 'by a test clock'])(
    'it waits for the cardholder, who comes too late (%s)',
    async (name) => {
      const frozen = name === 'by a test clock' ? await billing.clock('2026-01-01') : undefined;
      const customer = await billing.customer(frozen, cards.challenges);
      const subscription = await billing.subscribe(customer, await price(), { return_url });
      const { next_action } = await paymentOf(await invoiceOf(subscription));
      await billing.post(`subscriptions/${subscription.id}/cancel`);
      await server.settled();
      expect(await ends(subscription)).toEqual(['canceled', 'void', 'canceled', 0]);
      const { pathname } = new URL(next_action.redirect_to_url.url);
      await server.anonymous.form(pathname, 'decision=approve');
      await passes(60_000);
      expect(await ends(subscription)).toEqual(['canceled', 'void', 'canceled', 0]);
    },
  );

  test('the cardholder has approved it, and nobody knows: the cancel gives the money back', async () => {
    const customer = await billing.customer(undefined, cards.challenges);
    const subscription = await billing.subscribe(customer, await price(), { return_url });
    const { next_action } = await paymentOf(await invoiceOf(subscription));
    await processorIsDown(true);
    const { pathname } = new URL(next_action.redirect_to_url.url);
    expect((await server.anonymous.form(pathname, 'decision=approve')).status).toBe(303);
    await billing.post(`subscriptions/${subscription.id}/cancel`);
    await server.settled();
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'canceled', 0]);
    await processorIsDown(false);
  });
});

describe('deleting a customer', () => {
  test('with payments in every state', async () => {
    const customer = await billing.customer(undefined, '');
    const subscribed = async (number: string) => {
      const { id: default_payment_method } = await billing.method(number, customer.id);
      return billing.subscribe(customer, await price(), { default_payment_method, return_url });
    };
    const paid = await subscribed(cards.pays);
    const open = await subscribed(cards.declines);
    const waiting = await subscribed(cards.challenges);
    const approved = await subscribed(lost.reply);
    const never = await subscribed(lost.request);
    await removed(customer);
    await server.settled();
    expect(await ends(paid)).toEqual(['canceled', 'paid', 'succeeded', 0]);
    expect(await ends(open)).toEqual(['canceled', 'void', 'failed', 0]);
    expect(await ends(waiting)).toEqual(['canceled', 'void', 'canceled', 0]);
    expect(await ends(approved)).toEqual(['canceled', 'open', 'processing', 0]);
    await passes(60_000);
    await passes(60_000);
    expect(await ends(approved)).toEqual(['canceled', 'void', 'succeeded', 1_000]);
    expect(await ends(never)).toEqual(['canceled', 'void', 'failed', 0]);
  });

  test('with credit, an invoice that has used some, waiting items and a draft', async () => {
    const customer = await billing.customer(undefined, cards.declines);
    const item = (amount: number) =>
      billing.post('invoice_items', { customer: customer.id, amount, currency: 'eur', description: 'Item' });
    await item(-300);
    const { id } = await billing.post('invoices', { customer: customer.id });
    await billing.post(`invoices/${id}/finalize`);
    const subscription = await billing.subscribe(customer, await price());
    expect(await invoiceOf(subscription)).toMatchObject({ credit_applied: 300, status: 'open' });
    await item(-50);
    const granted = await billing.post('invoices', { customer: customer.id });
    await billing.post(`invoices/${granted.id}/finalize`);
    await item(70);
    const draft = await billing.post('invoices', { customer: customer.id });
    const waiting = await item(90);
    await removed(customer);
    await server.settled();
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'failed', 0]);
    expect(await billing.get(`invoices/${draft.id}`)).toMatchObject({ status: 'void' });
    expect(await billing.refused(`invoices/${draft.id}/finalize`)).toMatchObject({ status: 400 });
    expect((await account.test.get(`/v1/invoice_items/${waiting.id}`)).status).toBe(404);
  });

  test('with sixty subscriptions, in steps', async () => {
    const customer = await billing.customer(undefined, cards.pays);
    const gold = await price();
    const all: Shown[] = [];
    for (let n = 0; n < 60; n++)
      all.push(await billing.subscribe(customer, gold, n % 2 === 0 ? {} : { trial_days: 5 }));
    await removed(customer);
    await server.settled();
    const { rows } = await server.sql.query(
      'select status, count(*)::int4 from subscriptions where tenant = $1 group by 1',
      [tenant],
    );
    expect(rows).toEqual([{ status: 'canceled', count: 60 }]);
    const told = await server.sql.query(
      `select count(*)::int4 from events where tenant = $1 and type = 'subscription.canceled'`,
      [tenant],
    );
    expect(told.rows).toEqual([{ count: 60 }]);
    const invoices = await server.sql.query(`select count(*)::int4 from invoices where tenant = $1`, [tenant]);
    await passes(40 * 24 * hourMs);
    expect((await server.sql.query(`select count(*)::int4 from invoices where tenant = $1`, [tenant])).rows).toEqual(
      invoices.rows,
    );
  });
});

test('a draft cannot be voided', async () => {
  const customer = await billing.customer(undefined);
  await billing.post('invoice_items', { customer: customer.id, amount: 70, currency: 'eur', description: 'Item' });
  const draft = await billing.post('invoices', { customer: customer.id });
  expect(await billing.refused(`invoices/${draft.id}/void`)).toMatchObject({
    status: 400,
    code: 'invoice_not_updatable',
  });
});
