import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { cards, type Shown } from './billing.fixture.ts';
import { lost, serveBilling } from './served_billing.fixture.ts';

/** Invoices that are voided while their payment has no outcome, with a remote processor. */
const billing = serveBilling({ environment: { SIMULATOR: 'remote' } });

afterEach(async () => {
  await passes(20_000);
  await passes(20_000);
  const { server, tenant } = billing;
  expect(await violationsOf(server.sql, { rest: true, tenant })).toEqual([]);
  const text = 'select id, closing from invoices where tenant = $1 and closing is not null';
  expect((await server.sql.query(text, [tenant])).rows).toEqual([]);
});

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const return_url = 'https://shop.test/back';

/** Time passes. Leases are in real time: that of a job which has met with a conflict is over, too. */
async function passes(milliseconds: number): Promise<void> {
  for (const table of ['payments', 'invoices', 'refunds'])
    await billing.server.sql.query(
      `update ${table} set lease_until = null where tenant = $1 and lease_until is not null`,
      [billing.tenant],
    );
  await billing.passTime(milliseconds);
}

/** While the processor is down, nobody learns of an outcome. */
const processorIsDown = () => billing.fault('find', 'down', 1_000);

async function removed(customer: Shown): Promise<void> {
  const answer = await billing.account.test.delete(`/v1/customers/${customer.id}`);
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
    await processorIsDown();
    await passes(23 * hourMs);
    expect(await ends(subscription)).toEqual(['canceled', 'open', 'processing', 0]);
    await billing.clearFaults();
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
    const payment = await paymentOf(await invoiceOf(subscription));
    await processorIsDown();
    await billing.decide(payment, 'approve');
    await passes(23 * hourMs);
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'canceled', 0]);
    await billing.clearFaults();
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
    await billing.server.settled();
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
      await billing.server.settled();
      expect(await ends(subscription)).toEqual(['canceled', 'void', 'canceled', 0]);
      const { pathname } = new URL(next_action.redirect_to_url.url);
      await billing.server.anonymous.form(pathname, 'decision=approve');
      await passes(60_000);
      expect(await ends(subscription)).toEqual(['canceled', 'void', 'canceled', 0]);
    },
  );

  test('the cardholder has approved it, and nobody knows: the cancel gives the money back', async () => {
    const customer = await billing.customer(undefined, cards.challenges);
    const subscription = await billing.subscribe(customer, await price(), { return_url });
    const payment = await paymentOf(await invoiceOf(subscription));
    await processorIsDown();
    await billing.decide(payment, 'approve');
    await billing.post(`subscriptions/${subscription.id}/cancel`);
    await billing.server.settled();
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'canceled', 0]);
    await billing.clearFaults();
  });
});

describe('the payment of a void invoice that has succeeded after all', () => {
  /** A subscription that is canceled while nobody knows of its first payment. */
  async function canceledUnknown(card: string): Promise<Shown> {
    await billing.fault('authorize', 'lose_reply');
    const subscription = await billing.subscribe(await billing.customer(undefined, card), await price());
    await billing.post(`subscriptions/${subscription.id}/cancel`);
    await billing.server.settled(); // two jobs at the same moment could conflict, and a lease is in real time
    expect(await ends(subscription)).toEqual(['canceled', 'open', 'processing', 0]);
    return subscription;
  }

  async function refundsOf(subscription: Shown): Promise<string[]> {
    const { payment } = await invoiceOf(subscription);
    const { data } = await billing.get(`refunds?payment=${payment}&limit=100`);
    return data.map(({ status }: Shown) => status).reverse();
  }

  async function attention(): Promise<Shown[]> {
    const { client } = await billing.server.person(billing.account.id, 'owner');
    return (await client.get('/v1/needs_attention?kind=void_invoice')).json.data;
  }

  test('a refund that fails is made again after a pause, until one has succeeded', async () => {
    const subscription = await canceledUnknown(cards.pays);
    await billing.fault('refund', 'not_sent', 3);
    await passes(60_000);
    await passes(60_000);
    expect(await refundsOf(subscription)).toEqual(['failed']);
    await passes(14 * minuteMs);
    expect(await refundsOf(subscription)).toEqual(['failed', 'failed']);
    await passes(20 * minuteMs);
    expect(await refundsOf(subscription)).toEqual(['failed', 'failed']);
    await passes(24 * hourMs);
    await passes(24 * hourMs);
    expect(await refundsOf(subscription)).toEqual(['failed', 'failed', 'failed', 'succeeded']);
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'succeeded', 1_000]);
    expect(await attention()).toEqual([]);
  });

  test('a refund whose outcome is unknown is settled, and not made again', async () => {
    const subscription = await canceledUnknown(cards.pays);
    await billing.fault('refund', 'lose_reply');
    await passes(25_000);
    await billing.fault('find', 'down', 3);
    await passes(5_000);
    expect(await refundsOf(subscription)).toEqual(['pending']);
    for (let hours = 0; hours < 6; hours++) await passes(hourMs);
    expect(await refundsOf(subscription)).toEqual(['succeeded']);
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'succeeded', 1_000]);
  });

  test('refunds that the bank sends back each time: a person is asked after some days, and can end it', async () => {
    const subscription = await canceledUnknown('4000000000005126');
    for (let days = 0; days < 3; days += 0.5) await passes(12 * hourMs);
    await passes(24 * hourMs);
    const tried = await refundsOf(subscription);
    expect(new Set(tried)).toEqual(new Set(['failed']));
    expect(tried.length).toBeGreaterThanOrEqual(3);
    const { id, payment } = await invoiceOf(subscription);
    expect(await attention()).toMatchObject([
      { id: payment, object: 'payment', amount: 1_000, currency: 'eur', operation: 'refunds.create' },
    ]);
    await passes(48 * hourMs);
    expect((await refundsOf(subscription)).length).toBe(tried.length);
    const parameters = { as: 'given_back' };
    await billing.server.operator.run('invoices.settle', { account: billing.account.id, mode: 'test', id, parameters });
    expect(await attention()).toEqual([]);
    await passes(24 * hourMs);
    expect((await refundsOf(subscription)).length).toBe(tried.length);
  });

  test.each([
    ['lost: the cardholder has the money', ['canceled', 'void', 'succeeded', 0], 'losing_evidence'],
    ['won: it is refunded', ['canceled', 'void', 'succeeded', 1_000], 'winning_evidence'],
  ])('it is disputed, which is flagged immediately; %s', async (_name, end, uncategorized_text) => {
    const subscription = await canceledUnknown('4000000000000259');
    await passes(60_000);
    await passes(60_000);
    expect(await refundsOf(subscription)).toEqual([]);
    const { payment } = await invoiceOf(subscription);
    expect(await attention()).toMatchObject([{ id: payment }]);
    const { dispute } = await billing.get(`payments/${payment}`);
    await billing.post(`disputes/${dispute}`, { evidence: { uncategorized_text }, submit: true });
    for (let hours = 0; hours < 3; hours++) await passes(hourMs);
    expect(await ends(subscription)).toEqual(end);
    expect(await attention()).toEqual([]);
  });
});

test('a cancel that the processor refuses is asked for again with growing pauses', async () => {
  await billing.fault('cancel', 'not_sent', 1_000);
  const customer = await billing.customer(undefined, cards.challenges);
  const subscription = await billing.subscribe(customer, await price(), { return_url });
  await billing.post(`subscriptions/${subscription.id}/cancel`);
  await billing.server.settled();
  const { payment } = await invoiceOf(subscription);
  const cancels = async () =>
    (await billing.get(`payments/${payment}/attempts?limit=100`)).data.filter(({ verb }: Shown) => verb === 'cancel');
  for (let seconds = 0; seconds < 600; seconds += 20) await passes(20_000);
  // After 0, 20, 40, 60, 100, 180 and 340 s; a little later where the payment was looked at in the same moment.
  expect([6, 7]).toContain((await cancels()).length);
  await billing.clearFaults();
  for (let hours = 0; hours < 4; hours += 2) await passes(2 * hourMs);
  expect(await ends(subscription)).toEqual(['canceled', 'void', 'canceled', 0]);
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
    await billing.server.settled();
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
    await billing.server.settled();
    expect(await ends(subscription)).toEqual(['canceled', 'void', 'failed', 0]);
    expect(await billing.get(`invoices/${draft.id}`)).toMatchObject({ status: 'void' });
    expect(await billing.refused(`invoices/${draft.id}/finalize`)).toMatchObject({ status: 400 });
    expect((await billing.account.test.get(`/v1/invoice_items/${waiting.id}`)).status).toBe(404);
  });

  test('with sixty subscriptions, in steps', async () => {
    const customer = await billing.customer(undefined, cards.pays);
    const gold = await price();
    const all: Shown[] = [];
    for (let n = 0; n < 60; n++)
      all.push(await billing.subscribe(customer, gold, n % 2 === 0 ? {} : { trial_days: 5 }));
    await removed(customer);
    await billing.server.settled();
    const { rows } = await billing.server.sql.query(
      'select status, count(*)::int4 from subscriptions where tenant = $1 group by 1',
      [billing.tenant],
    );
    expect(rows).toEqual([{ status: 'canceled', count: 60 }]);
    const told = await billing.server.sql.query(
      `select count(*)::int4 from events where tenant = $1 and type = 'subscription.canceled'`,
      [billing.tenant],
    );
    expect(told.rows).toEqual([{ count: 60 }]);
    const invoices = await billing.server.sql.query(`select count(*)::int4 from invoices where tenant = $1`, [
      billing.tenant,
    ]);
    await passes(40 * 24 * hourMs);
    expect(
      (await billing.server.sql.query(`select count(*)::int4 from invoices where tenant = $1`, [billing.tenant])).rows,
    ).toEqual(invoices.rows);
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
