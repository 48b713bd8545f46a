import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/eventually.ts';
import { startServer, type TestServer } from '../../../test/harness.ts';
import { at, Billing, cards } from './billing.fixture.ts';

let server: TestServer;
let billing: Billing;

beforeAll(async () => {
  server = await startServer();
  billing = new Billing(await server.account());
});
afterAll(() => server.stop());

describe('a monthly subscription', () => {
  test('is paid immediately, renewed at each boundary, and the 31st comes back', async () => {
    const clock = await billing.clock('2026-01-31T10:00');
    const customer = await billing.customer(clock);
    const price = await billing.price(1_000);
    const subscription = await billing.subscribe(customer, price, { items: [{ price: price.id, quantity: 2 }] });
    expect(subscription).toMatchObject({
      object: 'subscription',
      customer: customer.id,
      status: 'active',
      currency: 'eur',
      items: [{ price: price.id, quantity: 2 }],
      current_period_start: at('2026-01-31T10:00'),
      current_period_end: at('2026-02-28T10:00'),
      billing_cycle_anchor: at('2026-01-31T10:00'),
      cancel_at_period_end: false,
      created: at('2026-01-31T10:00'),
      test_clock: clock.id,
    });
    await billing.advance(clock, '2026-05-01');
    const invoices = await billing.invoices(subscription);
    expect(invoices.map(({ period_start }) => period_start)).toEqual(
      ['2026-01-31T10:00', '2026-02-28T10:00', '2026-03-31T10:00', '2026-04-30T10:00'].map(at),
    );
    expect(invoices.map(({ number }) => number)).toEqual(['INV-000001', 'INV-000002', 'INV-000003', 'INV-000004']);
    for (const invoice of invoices) expect(invoice).toMatchObject({ status: 'paid', total: 2_000, amount_paid: 2_000 });
    expect(invoices[1]).toMatchObject({ billing_reason: 'subscription_cycle', created: at('2026-02-28T10:00') });
    const payment = await billing.get(`payments/${invoices[1].payment}`);
    expect(payment).toMatchObject({
      amount: 2_000,
      status: 'succeeded',
      invoice: invoices[1].id,
      created: at('2026-02-28T10:00'),
    });
  });

  test('that is declined goes past due, is tried again after 1, 3, 5 and 7 days, and is canceled', async () => {
    const clock = await billing.clock('2026-01-01');
    const customer = await billing.customer(clock);
    const subscription = await billing.subscribe(customer, await billing.price(1_000));
    await billing.pays(customer, cards.declines);
    await billing.advance(clock, '2026-02-02');
    const [, invoice] = await billing.invoices(subscription);
    expect(await billing.subscription(subscription)).toMatchObject({ status: 'past_due' });
    expect(invoice).toMatchObject({ status: 'open', attempt_count: 2, next_payment_attempt: at('2026-02-04') });
    await billing.advance(clock, '2026-02-20');
    expect(await billing.subscription(subscription)).toMatchObject({ status: 'canceled', ended_at: at('2026-02-08') });
    expect(await billing.get(`invoices/${invoice.id}`)).toMatchObject({ status: 'uncollectible', attempt_count: 5 });
  });

  test('whose invoice was given up goes on, and the invoice can still be paid', async () => {
    const clock = await billing.clock('2026-01-01');
    const customer = await billing.customer(clock);
    const subscription = await billing.subscribe(customer, await billing.price(1_000));
    await billing.pays(customer, cards.declines);
    await billing.advance(clock, '2026-02-01');
    const [, { id }] = await billing.invoices(subscription);
    expect(await billing.post(`invoices/${id}/mark_uncollectible`)).toMatchObject({ status: 'uncollectible' });
    const declined = await billing.refused(`invoices/${id}/pay`);
    expect(declined).toMatchObject({ status: 402, code: 'card_declined' });
    const invoice = await billing.get(`invoices/${id}`);
    expect(invoice).toMatchObject({ status: 'uncollectible', attempt_count: 2, payment: declined.payment });
    expect(invoice).not.toHaveProperty('next_payment_attempt');
    // The money is no longer expected, so its subscription is not past due again.
    expect(await billing.subscription(subscription)).toMatchObject({ status: 'active' });
    const { id: payment_method } = await billing.method(cards.pays, customer.id);
    const paid = await billing.post(`invoices/${id}/pay`, { payment_method });
    expect(paid).toMatchObject({ status: 'paid', attempt_count: 3, amount_paid: 1_000, paid_at: at('2026-02-01') });
    expect(await billing.subscription(subscription)).toMatchObject({ status: 'active' });
  });

  test('whose items change has the lines that waited on its next invoice, credits first', async () => {
    const clock = await billing.clock('2026-01-01');
    const customer = await billing.customer(clock);
    const prices = [await billing.price(1_000), await billing.price(2_000), await billing.price(3_000)];
    const items = prices.map(({ id: price }) => ({ price }));
    const subscription = await billing.subscribe(customer, prices[0], { items });
    const changes = subscription.items.map(({ id }: { id: string }) => ({ id, quantity: 2 }));
    await billing.post(`subscriptions/${subscription.id}`, { items: changes });
    await billing.advance(clock, '2026-02-01');
    const [, invoice] = await billing.invoices(subscription);
    const amounts = invoice.lines.map(({ amount }: { amount: number }) => amount);
    expect(amounts).toEqual([2_000, 4_000, 6_000, -1_000, -2_000, -3_000, 2_000, 4_000, 6_000]);
  });

  test('that ends with its period leaves its open invoices open, and they are not tried again', async () => {
    const clock = await billing.clock('2026-01-01');
    const customer = await billing.customer(clock);
    const twoDays = await billing.price(1_000, { interval: 'day', interval_count: 2 });
    const subscription = await billing.subscribe(customer, twoDays);
    await billing.pays(customer, cards.declines);
    await billing.advance(clock, '2026-01-03');
    await billing.post(`subscriptions/${subscription.id}/cancel`, { at_period_end: true });
    await billing.advance(clock, '2026-01-20');
    expect(await billing.subscription(subscription)).toMatchObject({ status: 'canceled', ended_at: at('2026-01-05') });
    const [, invoice, ...others] = await billing.invoices(subscription);
    expect(others).toEqual([]);
    expect(invoice).toMatchObject({ status: 'open', attempt_count: 2 });
    expect(invoice).not.toHaveProperty('next_payment_attempt');
  });
});

describe('a change of items', () => {
  const start = '2026-04-01';
  const half = '2026-04-16'; // of April

  async function subscribed(more: object = {}, unit = 3_000) {
    const clock = await billing.clock(start);
    const customer = await billing.customer(clock);
    const price = await billing.price(unit);
    const subscription = await billing.subscribe(customer, price, more);
    await billing.advance(clock, half);
    const change = (body: object) => billing.post(`subscriptions/${subscription.id}`, body);
    return { clock, customer, price, subscription, item: subscription.items[0].id, change };
  }

  test('waits for the next invoice, with a credit and a charge for the rest of the period', async () => {
    const { clock, subscription, item, change } = await subscribed();
    await change({ items: [{ id: item, quantity: 3 }] });
    await billing.advance(clock, '2026-05-02');
    const [, renewal] = await billing.invoices(subscription);
    expect(renewal.lines.map((line: { amount: number }) => line.amount)).toEqual([9_000, -1_500, 4_500]);
    expect(renewal).toMatchObject({ total: 12_000, amount_paid: 12_000, status: 'paid' });
  });

  test('is invoiced now, and paid', async () => {
    const { subscription, item, change } = await subscribed();
    await change({ items: [{ id: item, quantity: 2 }], proration: 'invoice_now' });
    const [, invoice] = await billing.invoices(subscription);
    expect(invoice).toMatchObject({ billing_reason: 'subscription_update', total: 1_500, status: 'paid' });
    expect(invoice.lines.map(({ amount, proration }: never) => [amount, proration])).toEqual([
      [-1_500, true],
      [3_000, true],
    ]);
  });

  test('that lowers the price becomes credit, which the next invoice uses', async () => {
    const { clock, customer, subscription, item, change } = await subscribed();
    await change({ items: [{ id: item, quantity: 0 }], proration: 'invoice_now' });
    expect((await billing.get(`customers/${customer.id}`)).credit_balance).toEqual({ eur: 1_500 });
    await change({ items: [{ id: item, quantity: 1 }], proration: 'none' });
    await billing.advance(clock, '2026-05-02');
    const invoices = await billing.invoices(subscription);
    expect(invoices.at(-1)).toMatchObject({
      total: 3_000,
      credit_applied: 1_500,
      amount_due: 1_500,
      amount_paid: 1_500,
    });
    expect(await billing.get(`customers/${customer.id}`)).not.toHaveProperty('credit_balance');
    const { data } = await billing.get(`customers/${customer.id}/credit_transactions`);
    expect(data.map(({ amount }: { amount: number }) => amount)).toEqual([-1_500, 1_500]);
  });

  test('without proration leaves the charge as it was, and a later credit names what it was for', async () => {
    const { customer, subscription, price, change, item } = await subscribed();
    await change({ items: [{ id: item, quantity: 6 }], proration: 'none' });
    await billing.post(`subscriptions/${subscription.id}/cancel`, { proration: 'create' });
    const [, last] = await billing.invoices(subscription);
    expect(last.lines).toMatchObject([
      { amount: -1_500, quantity: 1, price: price.id, description: 'Unused time of 1 × Gold' },
    ]);
    expect((await billing.get(`customers/${customer.id}`)).credit_balance).toEqual({ eur: 1_500 });
  });

  test.each([
    ['without a discount', {}],
    ['with a percentage', { percent_off: 33, duration: 'forever' }],
    ['with an amount for one invoice', { amount_off: 50, currency: 'eur', duration: 'once' }],
  ])('that is undone immediately nets to 0 %s', async (_, discount) => {
    const coupon = Object.keys(discount).length === 0 ? undefined : await billing.post('coupons', discount);
    const { clock, subscription, item, change } = await subscribed(coupon && { coupon: coupon.id }, 101);
    await change({ items: [{ id: item, quantity: 2 }] });
    await change({ items: [{ id: item, quantity: 7 }] });
    await change({ items: [{ id: item, quantity: 1 }] });
    await billing.advance(clock, '2026-05-02');
    const [, renewal] = await billing.invoices(subscription);
    const [, ...prorations] = renewal.lines as { amount: number; discount: number }[];
    expect(prorations).toHaveLength(6);
    expect(prorations.reduce((sum, { amount, discount }) => sum + amount - discount, 0)).toBe(0);
  });
});

describe('a pause', () => {
  test('credits the rest of the period, and a resumption charges from then to the next boundary', async () => {
    const clock = await billing.clock('2026-04-01');
    const customer = await billing.customer(clock);
    const subscription = await billing.subscribe(customer, await billing.price(3_000));
    await billing.advance(clock, '2026-04-11');
    expect(await billing.post(`subscriptions/${subscription.id}/pause`)).toMatchObject({ status: 'paused' });
    expect((await billing.get(`customers/${customer.id}`)).credit_balance).toEqual({ eur: 2_000 });
    await billing.advance(clock, '2026-06-16');
    const resumed = await billing.post(`subscriptions/${subscription.id}/resume`);
    expect(resumed).toMatchObject({
      status: 'active',
      current_period_start: at('2026-06-16'),
      current_period_end: at('2026-07-01'),
    });
    expect((await billing.invoices(subscription)).at(-1)).toMatchObject({
      billing_reason: 'subscription_update',
      total: 1_500,
      credit_applied: 1_500,
      status: 'paid',
    });
  });
});

describe('a test clock that is deleted', () => {
  test('takes its subscriptions, invoices and items with it, and their numbers are not used again', async () => {
    const own = new Billing(await server.account());
    const clock = await own.clock('2026-04-01');
    const customer = await own.customer(clock);
    const price = await own.price(3_000);
    const subscription = await own.subscribe(customer, price);
    const facts = { customer: customer.id, amount: 700, currency: 'eur', description: 'Setup' };
    const item = await own.post('invoice_items', facts);
    await own.advance(clock, '2026-06-02');
    const invoices = await own.invoices(subscription);
    expect(invoices.at(-1)).toMatchObject({ number: 'INV-000003' });
    const deleted = await own.account.test.delete(`/v1/test_clocks/${clock.id}`);
    expect(deleted.status, deleted.text).toBe(200);
    const gone = [
      `customers/${customer.id}`,
      `subscriptions/${subscription.id}`,
      `invoice_items/${item.id}`,
      ...invoices.map(({ id }) => `invoices/${id}`),
    ];
    for (const path of gone)
      await eventually(async () => expect((await own.account.test.get(`/v1/${path}`)).status).toBe(404));
    expect((await own.get(`subscriptions?price=${price.id}`)).data).toEqual([]);
    const next = await own.subscribe(await own.customer(undefined), price);
    expect((await own.get(`invoices/${next.latest_invoice}`)).number).toBe('INV-000004');
  });
});
