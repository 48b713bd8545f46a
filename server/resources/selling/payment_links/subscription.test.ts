import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal, unusedId } from '../../../test/http/support.ts';
import { Checkout } from '../checkout_sessions/checkout.fixture.ts';

/** Links that sell subscriptions. */

let server: TestServer;
let shop: TestAccount;
let checkout: Checkout;
let monthly: string;
let setUp: string;

beforeAll(async () => {
  server = await startServer();
  shop = await server.account();
  checkout = new Checkout(server, shop);
  monthly = await price({ recurring: { interval: 'month', interval_count: 3 } });
  setUp = await price({ unit_amount: 500, product_name: 'Set-up' });
});
afterAll(() => server.stop());

const price = async (more: object) =>
  (await shop.test.post('/v1/prices', { currency: 'eur', unit_amount: 900, product_name: 'Tea', ...more })).json.id;
const coupon = async (more: object) => (await shop.test.post('/v1/coupons', { duration: 'once', ...more })).json.id;
const create = (more: object = {}) =>
  shop.test.post('/v1/payment_links', { mode: 'subscription', line_items: [{ price: monthly }], ...more });
const pathOf = ({ url }: { url: string }) => new URL(url).pathname;

async function press(link: { url: string }, fields: Record<string, string> = {}) {
  const page = await server.anonymous.get(pathOf(link));
  const [cookie = ''] = String(page.headers['set-cookie'] ?? '').split(';');
  const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(page.text) ?? [];
  const type = 'application/x-www-form-urlencoded';
  const browser: Client = server.anonymous.with({ Cookie: cookie, 'Content-Type': type });
  return browser.post(pathOf(link), new URLSearchParams({ form_token, ...fields }).toString());
}

const plain = (html: string) => html.replaceAll(/<style>.*?<\/style>|<[^>]*>/gs, ' ').replaceAll(/\s+/g, ' ');

test('shows the price of a period, and each sale starts a subscription', async () => {
  const subscription_data = {
    metadata: { plan: 'tea', empty: '' },
    coupon: await coupon({ amount_off: 100, currency: 'eur' }),
  };
  const answer = await create({
    line_items: [{ price: monthly, quantity: 2 }],
    adjustable_quantity: { min: 1, max: 5 },
    subscription_data,
  });
  const link = answer.json;
  const shown = { metadata: { plan: 'tea' }, coupon: subscription_data.coupon };
  expect(link).toMatchObject({ mode: 'subscription', subscription_data: shown });
  expect((await shop.test.get(`/v1/payment_links/${link.id}`)).json).toEqual(link);
  const text = plain((await server.anonymous.get(pathOf(link))).text);
  expect(text).toMatch(
    /€17\.00 .*Tea .*Quantity: 2 .*€18\.00 \/ 3 months .*Subtotal €18\.00 Discount -€1\.00 Due today €17\.00/,
  );
  const pressed = await press(link, { quantity: '3', email: 'ada@example.com' });
  const paid = await checkout.pay({ url: String(pressed.headers.location) });
  expect(paid?.view).toMatchObject({ status: 'complete', amount_total: 2_600 });
  const [session] = (await shop.test.get(`/v1/checkout_sessions?payment_link=${link.id}`)).json.data;
  expect(session).toMatchObject({ mode: 'subscription', payment_status: 'paid', payment_link: link.id });
  const subscription = (await shop.test.get(`/v1/subscriptions/${session.subscription}`)).json;
  expect(subscription).toMatchObject({
    ...{ status: 'active', metadata: { plan: 'tea' }, coupon: shown.coupon },
    items: [{ price: monthly, quantity: 3 }],
  });
  expect((await shop.test.get(`/v1/payment_links/${link.id}`)).json.completed).toBe(1);
});

test('of one price shows what a period costs; lines that are paid once are due today', async () => {
  const alone = (await create()).json;
  expect(plain((await server.anonymous.get(pathOf(alone))).text)).toMatch(/€9\.00 Tea €9\.00 \/ 3 months/);
  const both = (await create({ line_items: [{ price: monthly }, { price: setUp }] })).json;
  expect(plain((await server.anonymous.get(pathOf(both))).text)).toMatch(
    /€14\.00 .*Tea €9\.00 \/ 3 months .*Set-up €5\.00 .*Due today €14\.00/,
  );
});

test('gives the price for a period on the page of the session too', async () => {
  const pressed = await press((await create()).json);
  const { text } = await server.anonymous.get(String(pressed.headers.location));
  expect(plain(text)).toMatch(/€9\.00 \/ 3 months/);
});

test('can be changed, and loses what it gave to subscriptions by null', async () => {
  const id = await coupon({ percent_off: 10 });
  const link = (await create({ subscription_data: { coupon: id } })).json;
  const update = async (body: object) => (await shop.test.post(`/v1/payment_links/${link.id}`, body)).json;
  expect(await update({ subscription_data: { metadata: { a: 1 } } })).toMatchObject({
    subscription_data: { metadata: { a: 1 } },
  });
  expect(await update({ subscription_data: null })).not.toHaveProperty('subscription_data');
});

test('whose coupon was deleted, or whose price is inactive, sells nothing', async () => {
  const [id, own] = [await coupon({ percent_off: 10 }), await price({ recurring: { interval: 'week' } })];
  const [couponed, priced] = [
    (await create({ subscription_data: { coupon: id } })).json,
    (await create({ line_items: [{ price: own }] })).json,
  ];
  await shop.test.delete(`/v1/coupons/${id}`);
  await shop.test.post(`/v1/prices/${own}`, { active: false });
  for (const link of [couponed, priced]) {
    const { text, status } = await server.anonymous.get(pathOf(link));
    expect([status, text.includes('This page is not available.')]).toEqual([200, true]);
    await press(link);
    expect((await shop.test.get(`/v1/checkout_sessions?payment_link=${link.id}`)).json.data).toEqual([]);
  }
});

describe('refused:', () => {
  const invalid = 'parameter_invalid';
  const cases: [what: string, body: () => object | Promise<object>, code: string, param: string][] = [
    ['no lines', () => ({ line_items: null }), 'parameter_missing', 'line_items'],
    ['an amount', () => ({ line_items: null, amount: 5, currency: 'eur' }), 'parameter_missing', 'line_items'],
    [
      'an amount of choice',
      () => ({ line_items: null, currency: 'eur', amount_choice: { min: 1, max: 2 } }),
      'parameter_missing',
      'line_items',
    ],
    ['no price that recurs', () => ({ line_items: [{ price: setUp }] }), invalid, 'line_items'],
    [
      'two periods',
      async () => ({ line_items: [{ price: monthly }, { price: await price({ recurring: { interval: 'day' } }) }] }),
      invalid,
      'line_items',
    ],
    [
      'a price of nobody',
      () => ({ line_items: [{ price: unusedId('price') }] }),
      'resource_missing',
      'line_items.0.price',
    ],
    ['only an authorization', () => ({ capture_method: 'manual' }), invalid, 'capture_method'],
    [
      'a coupon of nobody',
      () => ({ subscription_data: { coupon: unusedId('coupon') } }),
      'resource_missing',
      'subscription_data.coupon',
    ],
    [
      'a coupon in another currency',
      async () => ({ subscription_data: { coupon: await coupon({ amount_off: 1, currency: 'usd' }) } }),
      'coupon_not_usable',
      'subscription_data.coupon',
    ],
    [
      'a coupon that leaves nothing of the least quantity',
      async () => ({
        line_items: [{ price: monthly, quantity: 2 }],
        adjustable_quantity: { min: 1, max: 5 },
        subscription_data: { coupon: await coupon({ amount_off: 900, currency: 'eur' }) },
      }),
      invalid,
      'subscription_data.coupon',
    ],
    [
      'an unknown member',
      () => ({ subscription_data: { color: 'red' } }),
      'parameter_unknown',
      'subscription_data.color',
    ],
    [
      'long metadata',
      () => ({ subscription_data: { metadata: { a: 'x'.repeat(501) } } }),
      'metadata_value_too_long',
      'subscription_data.metadata.a',
    ],
    [
      'nested metadata',
      () => ({ subscription_data: { metadata: { a: {} } } }),
      'metadata_value_invalid',
      'subscription_data.metadata.a',
    ],
    ['a mode that sells once', () => ({ mode: 'payment' }), invalid, 'line_items.0.price'],
    [
      'subscription_data of what is sold once',
      () => ({ mode: 'payment', line_items: [{ price: setUp }], subscription_data: {} }),
      invalid,
      'subscription_data',
    ],
  ];
  test.each(cases)('%s', async (_, body, code, param) => {
    expectRefusal(await create(await body()), code, param);
  });

  test.each([
    ['to an amount', { amount: 500, currency: 'eur' }, 'parameter_missing', 'line_items'],
    ['to only authorize', { capture_method: 'manual' }, invalid, 'capture_method'],
    ['of the mode', { mode: 'payment' }, 'parameter_unknown', 'mode'],
  ])('a change %s', async (_, body, code, param) => {
    const { id } = (await create()).json;
    expectRefusal(await shop.test.post(`/v1/payment_links/${id}`, body), code, param);
  });
});
