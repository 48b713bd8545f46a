import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newId } from '../../base/id.ts';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';
import { expectRefusal } from '../../test/http/support.ts';

let server: TestServer;
let account: TestAccount;
let customer: string;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  customer = (await account.test.post('/v1/customers', { name: 'Ada' })).json.id;
});
afterAll(() => server.stop());

const named = 'No such customer in live mode; it exists in test mode.';
const plain = 'No such customer.';
const message = (answer: { json: { error: { message: string } } }) => answer.json.error.message;

describe('an id of the other mode', () => {
  test('in a path is missing, and the message says where it exists', async () => {
    const answer = await account.live.get(`/v1/customers/${customer}`);
    expectRefusal(answer, 'resource_missing', 'id');
    expect([answer.status, message(answer)]).toEqual([404, named]);
    expect(message(await account.live.post(`/v1/customers/${customer}`, { name: 'Grace' }))).toBe(named);
    expect(message(await account.live.delete(`/v1/customers/${customer}`))).toBe(named);
    expect((await account.test.get(`/v1/customers/${customer}`)).json.name).toBe('Ada');
  });

  test('in a body is missing, by the name of its parameter', async () => {
    const subscription = { customer, items: [{ price: newId('price', Date.now()) }] };
    const answer = await account.live.post('/v1/subscriptions', subscription);
    expectRefusal(answer, 'resource_missing', 'customer');
    expect(message(answer)).toBe(named);
  });

  test('of what has no descriptor is named as well: processor accounts, balance transactions and requests', async () => {
    const card = { type: 'card', card: { number: '4242424242424242', exp_month: 12, exp_year: 2040 } };
    const { id: payment_method } = (await account.test.post('/v1/payment_methods', card)).json;
    await account.test.post('/v1/payments', { amount: 2000, currency: 'eur', payment_method });
    const stripe = { connector: 'stripe', name: 'Stripe', credentials: { secret_key: 'sk_test_0123456789abcdef' } };
    const processor = (await account.test.post('/v1/processor_accounts', stripe)).json.id;
    const transaction = (await account.test.get('/v1/balance/transactions')).json.data[0].id;
    const { id: request } = await loggedRequest();
    const exists = (noun: string) => `No such ${noun} in live mode; it exists in test mode.`;
    const missing = async (path: string) => message(await account.live.get(path));
    expect(await missing(`/v1/processor_accounts/${processor}`)).toBe(exists('processor account'));
    expect(await missing(`/v1/balance/transactions/${transaction}`)).toBe(exists('balance transaction'));
    expect(await missing(`/v1/request_logs/${request}`)).toBe(exists('request'));
    const token = { type: 'card', processor_token: { processor_account: processor, token: 'tok_1' } };
    const answer = await account.live.post('/v1/payment_methods', token);
    expectRefusal(answer, 'resource_missing', 'processor_token.processor_account');
    expect(message(answer)).toBe(exists('processor account'));
  });

  async function loggedRequest(): Promise<{ id: string }> {
    for (;;) {
      const [found] = (await account.test.get('/v1/request_logs?limit=1')).json.data;
      if (found !== undefined) return found;
    }
  }

  test('is named in the other direction too, and for a person', async () => {
    const { id } = (await account.live.post('/v1/customers')).json;
    const backwards = 'No such customer in test mode; it exists in live mode.';
    expect(message(await account.test.get(`/v1/customers/${id}`))).toBe(backwards);
    const { client } = await server.person(account.id, 'owner', { mode: 'live' });
    expect(message(await client.get(`/v1/customers/${customer}`))).toBe(named);
  });

  test('is saved without it under an idempotency key', async () => {
    const headers = { 'Idempotency-Key': 'a customer of the other mode' };
    const send = () => account.live.post(`/v1/customers/${customer}`, { name: 'Grace' }, headers);
    expect(message(await send())).toBe(named);
    const again = await send();
    expect([message(again), again.headers['idempotent-replayed']]).toEqual([plain, 'true']);
  });
});

describe('nothing more is said', () => {
  test('of an id that does not exist, or of another kind', async () => {
    for (const id of [newId('cus', Date.now()), 'cus_x', newId('py', Date.now())])
      expect(message(await account.live.get(`/v1/customers/${id}`))).toBe(plain);
  });

  test('of what was deleted there', async () => {
    const { id } = (await account.test.post('/v1/customers')).json;
    await account.test.delete(`/v1/customers/${id}`);
    expect(message(await account.live.get(`/v1/customers/${id}`))).toBe(plain);
  });

  test('to another account', async () => {
    const other = await server.account();
    for (const client of [other.live, other.test])
      expect(message(await client.get(`/v1/customers/${customer}`))).toBe(plain);
  });

  test('to a key that may not read such objects', async () => {
    const wish = { mode: 'live', scopes: ['subscriptions:write'] } as const;
    const { client } = await server.key(account.id, { ...wish, scopes: [...wish.scopes] });
    const subscription = { customer, items: [{ price: newId('price', Date.now()) }] };
    expect(message(await client.post('/v1/subscriptions', subscription))).toBe(plain);
    const reader = await server.key(account.id, { mode: 'live', scopes: ['subscriptions:write', 'customers:read'] });
    expect(message(await reader.client.post('/v1/subscriptions', subscription))).toBe(named);
  });
});
