import { afterAll, beforeAll, expect, test } from 'vitest';
import { virtualClock } from '../../../base/clock.fixture.ts';
import type { Client } from '../../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal } from '../../../test/http/support.ts';

const clock = virtualClock(Date.now());
let server: TestServer;
let account: TestAccount;
let viewer: Client;

beforeAll(async () => {
  server = await startServer({ clock });
  account = await server.account();
  viewer = (await server.person(account.id, 'viewer')).client;
});
afterAll(() => server.stop());

const payment = { amount: '2000', currency: 'EUR', brand: 'visa' };
async function ask(more: Record<string, string> = {}, client = viewer) {
  clock.advance(1_001); // what was read before is forgotten
  return client.get(`/v1/routing/preview?${new URLSearchParams({ ...payment, ...more })}`);
}
const add = async (body: object) =>
  (await account.test.post('/v1/processor_accounts', { connector: 'simulator', ...body })).json.id;

test('without rules the accounts are named oldest first; without accounts, none', async () => {
  expect((await ask()).json).toEqual({
    object: 'routing_preview',
    reason: 'There are no rules and no enabled processor accounts. The processor of the mode takes the payment.',
    passed: [],
    processors: [],
  });
  const first = await add({ name: 'First' });
  clock.advance(5);
  const second = await add({ name: 'Second' });
  expect((await ask()).json).toMatchObject({
    reason: 'There are no rules. The enabled processor accounts are tried, oldest first.',
    processors: [
      { account: first, able: true },
      { account: second, able: true },
    ],
  });
});

test('the rule that matches is named, with why those before it do not, and it is the one that a payment gets', async () => {
  const [off, on] = [await add({ name: 'Off', enabled: false }), await add({ name: 'On' })];
  const stripe = await add({ connector: 'stripe', name: 'Stripe', credentials: { secret_key: 'sk_test_0123456789' } });
  const rules = [
    { when: { currency: ['usd'], brand: ['amex', 'visa'] }, use: [on] },
    { when: { currency: ['eur'], country: ['DE', 'FR'], amount: { gte: 5_000 } }, use: [on] },
    { when: { amount: { lt: 2_001 } }, use: [off, stripe, on] },
    { use: [off] },
  ];
  expect((await account.test.post('/v1/routing', { rules })).status).toBe(200);
  expect((await ask()).json).toEqual({
    object: 'routing_preview',
    rule: 3,
    reason: 'Rule 3 matches: amount below 2001.',
    passed: [
      { rule: 1, reasons: ['the rule takes usd, and the currency is eur'] },
      {
        rule: 2,
        reasons: [
          'the rule takes amount from 5000, and the amount is 2000',
          'the rule takes DE or FR, and the country is not known',
        ],
      },
    ],
    processors: [
      { account: off, able: false, reason: 'it is disabled' },
      { account: stripe, able: false, reason: 'it takes no card numbers, only tokens that it keeps itself' },
      { account: on, able: true },
    ],
  });
  expect((await ask({ currency: 'usd' })).json).toMatchObject({ rule: 1, passed: [] });
  expect((await ask({ amount: '5000', country: 'de' })).json).toMatchObject({ rule: 2 });
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040 };
  const method = (await account.test.post('/v1/payment_methods', { type: 'card', card })).json.id;
  const { json } = await account.test.post('/v1/payments', { amount: 2_000, currency: 'eur', payment_method: method });
  expect(json.processor.account).toBe(on);
});

test('where rules are and none matches, all of them are explained', async () => {
  const only = await add({ name: 'Only' });
  await account.test.post('/v1/routing', { rules: [{ when: { brand: ['amex'] }, use: [only] }] });
  expect((await ask()).json).toEqual({
    object: 'routing_preview',
    reason: 'No rule matches. The payment is refused.',
    passed: [{ rule: 1, reasons: ['the rule takes amex, and the brand is visa'] }],
    processors: [],
  });
});

test('keys do not find it, and what no payment can have is refused', async () => {
  expectRefusal(await ask({}, account.test), 'url_unrecognized');
  expectRefusal(await ask({ amount: '0' }), 'amount_too_small', 'amount');
  expectRefusal(await ask({ currency: 'xxx' }), 'currency_unknown', 'currency');
  expectRefusal(await ask({ brand: 'shell' }), 'parameter_invalid', 'brand');
  expectRefusal(await ask({ country: 'DEU' }), 'parameter_invalid', 'country');
});
