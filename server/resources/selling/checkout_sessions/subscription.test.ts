import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal } from '../../../test/http/support.ts';
import { violationsOf } from '../../../test/payment_invariants.ts';
import { Checkout, cards } from './checkout.fixture.ts';

let server: TestServer;
let account: TestAccount;
let checkout: Checkout;
let monthly: string;
let yearly: string;
let setUp: string;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  checkout = new Checkout(server, account);
  const price = async (more: object) =>
    (await account.test.post('/v1/prices', { currency: 'eur', unit_amount: 900, product_name: 'Tea', ...more })).json
      .id;
  monthly = await price({ recurring: { interval: 'month' } });
  yearly = await price({ recurring: { interval: 'year' } });
  setUp = await price({ unit_amount: 500, product_name: 'Set-up' });
});
afterAll(() => server.stop());

const none = { amount: null, currency: null };
const create = (more: object = {}) =>
  checkout.create({
    ...none,
    mode: 'subscription',
    line_items: [{ price: monthly, quantity: 2 }, { price: setUp }],
    ...more,
  });
const get = async (path: string) => (await account.test.get(`/v1/${path}`)).json;

describe('a session of mode subscription', () => {
  test('starts the subscription with its paid invoice in the commit of the payment', async () => {
    const { id, url, ...made } = await create({ subscription_data: { metadata: { plan: 'tea' } } });
    expect(made).toMatchObject({ mode: 'subscription', amount_total: 2_300, amount_subtotal: 2_300 });
    expect(made.line_items[0]).toMatchObject({ recurring: { interval: 'month', interval_count: 1 } });
    await checkout.pay({ url });
    const session = await checkout.get(id);
    expect(session).toMatchObject({
      status: 'complete',
      payment_status: 'paid',
      customer: expect.stringMatching(/^cus_/),
    });
    const subscription = await get(`subscriptions/${session.subscription}`);
    expect(subscription).toMatchObject({
      ...{ status: 'active', customer: session.customer, latest_invoice: session.invoice, metadata: { plan: 'tea' } },
      default_payment_method: session.payment_method,
      items: [{ price: monthly, quantity: 2 }],
    });
    const invoice = await get(`invoices/${session.invoice}`);
    expect(invoice).toMatchObject({ status: 'paid', amount_due: 2_300, amount_paid: 2_300, payment: session.payment });
    expect(invoice.number).toBeTruthy();
    expect(invoice.lines.map(({ amount }: { amount: number }) => amount)).toEqual([1_800, 500]);
    const payment = await get(`payments/${session.payment}`);
    expect(payment).toMatchObject({ customer: session.customer, invoice: session.invoice, checkout_session: id });
    expect(await checkout.events(id)).toEqual(['created', 'completed']);
    expect(await get(`payment_methods/${session.payment_method}`)).toMatchObject({ customer: session.customer });
  });

  test('leaves nothing behind when it is declined, and starts with the next card', async () => {
    const { id, url } = await create();
    await checkout.pay({ url }, cards.declined);
    const failed = await checkout.get(id);
    expect(failed).toMatchObject({ status: 'open', payment_status: 'unpaid' });
    for (const member of ['subscription', 'invoice', 'customer']) expect(failed).not.toHaveProperty(member);
    expect(await get(`payments/${failed.payment}`)).not.toHaveProperty('invoice');
    await checkout.pay({ url });
    const paid = await checkout.get(id);
    expect(paid).toMatchObject({ status: 'complete', subscription: expect.stringMatching(/^sub_/) });
    expect(await checkout.payments(id)).toEqual(['failed', 'succeeded']);
  });

  test('is started once by two presses of the button', async () => {
    const { id, url } = await create();
    await Promise.all([checkout.pay({ url }), checkout.pay({ url })]);
    expect(await checkout.payments(id)).toEqual(['succeeded']);
    const { customer } = await checkout.get(id);
    expect((await get(`subscriptions?customer=${customer}`)).data).toHaveLength(1);
  });

  test.each([
    ['one line', () => [{ price: yearly }], ['€9.00</bdi> / year']],
    ['several lines', () => [{ price: monthly, quantity: 2 }, { price: setUp }], ['€18.00</bdi> / month']],
  ])('shows how often it is paid, with %s', async (_, line_items, texts) => {
    const { url } = await create({ line_items: line_items(), locale: 'en' });
    const { text } = await server.anonymous.get(new URL(url).pathname);
    for (const shown of texts) expect(text).toContain(shown);
  });

  test('of a known customer is theirs', async () => {
    const { json: customer } = await account.test.post('/v1/customers', { name: 'Ada' });
    const { id, url } = await checkout.create({
      ...{ ...none, customer_email: null, customer: customer.id },
      ...{ mode: 'subscription', line_items: [{ price: monthly }] },
    });
    await checkout.pay({ url });
    const session = await checkout.get(id);
    expect(session).toMatchObject({ customer: customer.id, status: 'complete' });
    expect(await get(`payments/${session.payment}`)).toMatchObject({ customer: customer.id, invoice: session.invoice });
  });

  test('with a coupon takes it off the items alone', async () => {
    const { json: coupon } = await account.test.post('/v1/coupons', { percent_off: 50, duration: 'once' });
    const { id, url, ...made } = await create({ subscription_data: { coupon: coupon.id } });
    expect(made).toMatchObject({ amount_total: 1_400, amount_subtotal: 2_300, amount_discount: 900 });
    await checkout.pay({ url });
    const { invoice } = await checkout.get(id);
    expect(await get(`invoices/${invoice}`)).toMatchObject({ status: 'paid', amount_paid: 1_400 });
  });

  type Refused = [what: string, body: () => object, code: string, param: string];
  const refused: Refused[] = [
    ['an amount', () => ({ amount: 100, currency: 'eur', line_items: null }), 'parameter_missing', 'line_items'],
    ['nothing that recurs', () => ({ line_items: [{ price: setUp }] }), 'parameter_invalid', 'line_items'],
    [
      'two intervals',
      () => ({ line_items: [{ price: monthly }, { price: yearly }] }),
      'parameter_invalid',
      'line_items',
    ],
    ['a capture by hand', () => ({ capture_method: 'manual' }), 'parameter_invalid', 'capture_method'],
    [
      'data of a subscription for a payment',
      () => ({ mode: 'payment', line_items: [{ price: setUp }], subscription_data: {} }),
      'parameter_invalid',
      'subscription_data',
    ],
  ];
  test.each(refused)('refuses %s', async (_, body, code, param) => {
    const lines = [{ price: monthly }];
    const answer = await account.test.post('/v1/checkout_sessions', {
      mode: 'subscription',
      line_items: lines,
      ...body(),
    });
    expectRefusal(answer, code, param);
  });

  test('keeps the rules of payments, invoices and the ledger', async () => {
    expect(await violationsOf(server.sql, { rest: true })).toEqual([]);
  });
});
