import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal, unusedId } from '../../../test/http/support.ts';
import { Checkout, cards } from './checkout.fixture.ts';

/** What is wrong with each field: of the API, and of the page. Nothing is stored. */

let server: TestServer;
let account: TestAccount;
let checkout: Checkout;
let monthly: string;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  checkout = new Checkout(server, account);
  const branding = { terms_url: 'https://shop.example/terms' };
  await server.operator.run('branding.update', { account: account.id, parameters: branding });
  const price = { currency: 'eur', unit_amount: 900, product_name: 'Tea', recurring: { interval: 'month' } };
  monthly = (await account.test.post('/v1/prices', price)).json.id;
});
afterAll(() => server.stop());

async function stored(): Promise<object> {
  const counts = ['checkout_sessions', 'payments', 'payment_methods', 'customers', 'events', 'attempts'].map(
    (table) => `(select count(*) from ${table}) as ${table}`,
  );
  const typed = '(select count(*) from checkout_sessions where customer_details is not null) as typed';
  return (await server.sql.query(`select ${[...counts, typed].join(', ')}`)).rows[0];
}

const invalid = 'parameter_invalid';
const unknown = 'parameter_unknown';
const long = (length: number) => 'x'.repeat(length);
const line = (more: object) => ({
  amount: null,
  currency: null,
  line_items: [{ name: 'Poster', unit_amount: 5, currency: 'eur', ...more }],
});
const subscription = (data: object) => ({
  ...{ amount: null, currency: null, mode: 'subscription' },
  line_items: [{ price: monthly }],
  subscription_data: data,
});

describe('a new session is refused, and nothing is stored:', () => {
  const cases: [param: string, body: () => object, code: string, param?: string][] = [
    ['mode', () => ({ mode: 7 }), invalid],
    ['amount', () => ({ amount: 1.5 }), invalid],
    ['amount', () => ({ amount: -1 }), 'amount_too_small'],
    ['amount', () => ({ amount: [] }), invalid],
    ['currency', () => ({ currency: 978 }), invalid],
    ['currency', () => ({ currency: 'euro' }), 'currency_unknown'],
    ['description', () => ({ description: 7 }), invalid],
    ['description', () => ({ description: '🧾'.repeat(1_001) }), invalid],
    ['line_items', () => ({ ...line({}), line_items: {} }), invalid],
    ['line_items.0', () => ({ ...line({}), line_items: ['Poster'] }), invalid],
    ['line_items.0.name', () => line({ name: long(257) }), invalid],
    ['line_items.0.name', () => line({ name: { en: 'Poster' } }), invalid],
    ['line_items.0.unit_amount', () => line({ unit_amount: -1 }), invalid],
    ['line_items.0.unit_amount', () => line({ unit_amount: 1.5 }), invalid],
    ['line_items.0.unit_amount', () => line({ unit_amount: 1e12 }), 'amount_too_large'],
    ['line_items.0.currency', () => line({ currency: 1 }), invalid],
    ['line_items.0.quantity', () => line({ quantity: '2' }), invalid],
    ['line_items.0.quantity', () => line({ quantity: 1.5 }), invalid],
    ['line_items.0.color', () => line({ color: 'red' }), unknown],
    ['line_items.0.price', () => ({ ...line({}), line_items: [{ price: 7 }] }), invalid],
    ['line_items.0.price', () => ({ ...line({}), line_items: [{ price: 'cus_1' }] }), 'resource_missing'],
    ['customer', () => ({ customer_email: null, customer: 'cus_none' }), 'resource_missing'],
    ['customer', () => ({ customer_email: null, customer: ['cus_1'] }), invalid],
    ['customer_email', () => ({ customer_email: `${long(250)}@b.co` }), invalid],
    ['capture_method', () => ({ capture_method: true }), invalid],
    ['allow_coupons', () => ({ allow_coupons: 'yes' }), invalid],
    ['collect', () => ({ collect: true }), invalid],
    ['collect.name', () => ({ collect: { name: 'yes' } }), invalid],
    ['collect.phone', () => ({ collect: { phone: 1 } }), invalid],
    ['collect.terms', () => ({ collect: { terms: 'yes' } }), invalid],
    ['collect.billing_address', () => ({ collect: { billing_address: true } }), invalid],
    ['success_url', () => ({ success_url: 'shop' }), invalid],
    ['success_url', () => ({ success_url: `https://shop.example/${long(2_048)}` }), invalid],
    ['success_url', () => ({ success_url: 'https://ada:secret@shop.example/' }), invalid],
    ['cancel_url', () => ({ cancel_url: 'http://192.0.2.1/' }), invalid],
    ['cancel_url', () => ({ cancel_url: 7 }), invalid],
    ['locale', () => ({ locale: ['de'] }), invalid],
    ['expires_in', () => ({ expires_in: '3600' }), invalid],
    ['expires_in', () => ({ expires_in: 1_800.5 }), invalid],
    ['reference', () => ({ reference: 17 }), invalid],
    ['metadata.a', () => ({ metadata: { a: long(501) } }), 'metadata_value_too_long'],
    ['metadata', () => ({ metadata: { [long(41)]: 1 } }), 'metadata_key_too_long'],
    ['metadata.a', () => ({ metadata: { a: [] } }), 'metadata_value_invalid'],
    ['expires_at', () => ({ expires_at: 1 }), unknown],
    ['payment_method', () => ({ payment_method: 'pm_1' }), unknown],
    ['subscription_data', () => subscription([]), invalid],
    ['subscription_data.coupon', () => subscription({ coupon: unusedId('coupon') }), 'resource_missing'],
    ['subscription_data.coupon', () => subscription({ coupon: 7 }), invalid],
    ['subscription_data.color', () => subscription({ color: 'red' }), unknown],
    ['subscription_data.metadata', () => subscription({ metadata: 'a' }), invalid],
    ['subscription_data.metadata.a', () => subscription({ metadata: { a: long(501) } }), 'metadata_value_too_long'],
    ['subscription_data.metadata.a', () => subscription({ metadata: { a: {} } }), 'metadata_value_invalid'],
    ['subscription_data.metadata', () => subscription({ metadata: { [long(41)]: 1 } }), 'metadata_key_too_long'],
    [
      'subscription_data.metadata',
      () => subscription({ metadata: Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, at])) }),
      'metadata_too_many_keys',
    ],
  ];
  test.each(cases.map((one, at) => [at, ...one] as const))('%i, %s', async (_at, param, body, code) => {
    const before = await stored();
    const whole = { amount: 2_000, currency: 'eur', customer_email: 'ada@example.com', ...body() };
    expectRefusal(await account.test.post('/v1/checkout_sessions', whole), code, param);
    expect(await stored()).toEqual(before);
  });

  test('of a customer whose clock is advancing', async () => {
    const frozen_time = Math.floor(Date.now() / 1_000);
    const clock = (await account.test.post('/v1/test_clocks', { frozen_time })).json.id;
    const customer = (await account.test.post('/v1/customers', { test_clock: clock })).json.id;
    await server.sql.query(`update test_clocks set status = 'advancing', target = frozen_time where id = $1`, [clock]);
    const body = { amount: 2_000, currency: 'eur', customer };
    expectRefusal(await account.test.post('/v1/checkout_sessions', body), 'clock_not_ready', 'customer');
  });

  test.each([
    ['status', 'status=paid'],
    ['limit', 'limit=0'],
    ['starting_after', 'starting_after=py_1'],
    ['reference', `reference=${long(201)}`],
    ['reference', 'reference='],
    ['created', 'created=yesterday'],
  ])('a list by %s: %s', async (param, query) => {
    expectRefusal(await account.test.get(`/v1/checkout_sessions?${query}`), invalid, param);
  });

  test.each([
    ['metadata', { metadata: 'a' }, invalid],
    ['amount', { amount: 5 }, unknown],
    ['status', { status: 'complete' }, unknown],
  ])('an update of %s', async (param, body, code) => {
    const { id } = await checkout.create();
    expectRefusal(await account.test.post(`/v1/checkout_sessions/${id}`, body), code, param);
  });
});

/** A browser that has opened the page of a session. */
async function open({ url }: { url: string }) {
  const { pathname } = new URL(url);
  const page = await server.anonymous.get(pathname);
  const [cookie = ''] = String(page.headers['set-cookie'] ?? '').split(';');
  const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(page.text) ?? [];
  const type = 'application/x-www-form-urlencoded';
  const browser: Client = server.anonymous.with({ Cookie: cookie, 'Content-Type': type });
  return (fields: Record<string, string>) =>
    browser.post(pathname, new URLSearchParams({ form_token, ...fields }).toString());
}

describe('a press of the button is answered by a sentence beside the field, and nothing is stored:', () => {
  const right = {
    ...{ act: 'pay', email: 'ada@example.com', name: 'Ada', phone: '+44 20 7946 0000', country: 'GB', terms: 'yes' },
    ...{ line1: '1 Lane', postal_code: 'SW1A', city: 'London', number: cards.good, expiry: '12 / 40', cvc: '123' },
  };
  const asksAll = { name: true, phone: true, billing_address: 'full', terms: true };
  const cases: [field: string, values: readonly string[]][] = [
    ['email', ['', ' ', 'ada', 'a@b', 'a b@c.de', `${long(250)}@b.co`, 'a\0@b.co', 'a\u2028@b.co']],
    ['name', ['', ' ', long(257), 'A\0da', 'A\nda']],
    ['phone', ['', 'phone', '12', '+'.repeat(5), `0${long(40)}`, `+${'1'.repeat(41)}`, '12345\0']],
    ['country', ['', 'XX', 'gb', 'GBR', 'G', '\0\0']],
    ['line1', ['', ' ', long(257), 'a\0']],
    ['city', ['', long(129), 'a\t\0']],
    ['postal_code', [long(17), 'S\0W']],
    ['terms', ['', 'no', 'on']],
    ['number', ['', '4242', '4242424242424241', 'card', `${cards.good}0`, '4242 4242 4242 424\0', long(41)]],
    ['expiry', ['', '13/40', '00/40', '1/2', '12/20', '12-2020', 'soon', '12/40/1', '99999']],
    ['cvc', ['', '12', '12345', 'abc', '1 2 3', '12\0']],
  ];
  test.each(cases.flatMap(([field, values]) => values.map((value) => [field, value] as const)))(
    '%s: %j',
    async (field, value) => {
      const made = await checkout.create({ customer_email: null, collect: asksAll });
      const press = await open(made);
      const before = await stored();
      const { status, text } = await press({ ...right, [field]: value });
      expect(status).toBe(400);
      expect(text).toContain(`<li><a href="#${field}">`);
      expect(text).toMatch(new RegExp(`id="${field}"[^>]*aria-invalid="true" aria-describedby="${field}-problem"`));
      expect(text).toMatch(new RegExp(`id="${field}-problem">[^<]+<`));
      expect(text).not.toContain(cards.good);
      expect(await stored()).toEqual(before);
      expect((await checkout.get(made.id)).status).toBe('open');
    },
  );

  test('the same form pays, once nothing is wrong', async () => {
    const made = await checkout.create({ customer_email: null, collect: asksAll });
    expect((await (await open(made))(right)).status).toBe(303);
    expect(await checkout.get(made.id)).toMatchObject({
      status: 'complete',
      customer_details: { email: 'ada@example.com', address: { line1: '1 Lane', city: 'London', postal_code: 'SW1A' } },
    });
  });

  test.each([[''], [' '], ['WRONG'], [long(65)], ['a\0'], ["' or 1=1 --"]])('coupon: %j', async (coupon) => {
    const made = await checkout.create({ allow_coupons: true });
    const { status, text, headers } = await (await open(made))({ act: 'coupon', coupon });
    const { rows } = await server.sql.query('select coupon_tries, coupon from checkout_sessions where id = $1', [
      made.id,
    ]);
    const isEmpty = coupon.trim() === '';
    expect(rows).toEqual([{ coupon_tries: isEmpty ? 0 : 1, coupon: null }]);
    // An empty field takes a coupon back, of which there is none.
    if (isEmpty) expect([status, headers.location]).toEqual([303, new URL(made.url).pathname]);
    else {
      expect([status, text.includes('This code is not valid.')]).toEqual([400, true]);
      expect(text).toMatch(/id="coupon"[^>]*aria-invalid="true" aria-describedby="coupon-problem"/);
    }
  });

  test.each([
    ['no act', {}],
    ['an unknown act', { act: 'refund' }],
    ['a coupon where none is taken', { act: 'coupon', coupon: 'A' }],
    ['a quantity that nobody asked for', { act: 'quantity', quantity: '5' }],
    ['a method of nobody', { act: 'pay', email: 'ada@example.com', method: 'pm_1' }],
  ])('%s', async (_, fields) => {
    const made = await checkout.create({ customer_email: null });
    const press = await open(made);
    const before = await stored();
    expect((await press(fields)).status).toBe(400);
    expect(await stored()).toEqual(before);
  });
});
