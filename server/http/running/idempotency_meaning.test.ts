import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../../test/client.ts';
import { startServer, type TestServer } from '../../test/harness.ts';
import { signedIn } from '../../test/person.ts';

let server: TestServer;
let client: Client;
let owner: Client;
let customer: string;
let payment_method: string;

const card = { number: '4242424242424242', exp_month: 12, exp_year: 2035 };

beforeAll(async () => {
  // One instance: the message names parameters from the request log, where another instance sees an entry only once it is written.
  server = await startServer({ isAlone: true, environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  const account = await server.account();
  client = account.test;
  owner = (await signedIn(server, account.id, 'owner')).client;
  customer = (await client.post('/v1/customers', { name: 'Ada' })).json.id;
  payment_method = (await client.post('/v1/payment_methods', { type: 'card', card })).json.id;
});
afterAll(() => server.stop());

const keyed = (key: string) => ({ 'Idempotency-Key': key });
const charge = (currency: string) => ({ amount: 100, currency, payment_method });
const method = (number: string) => ({ type: 'card', card: { ...card, number } });
const from = (country: string) => ({ ...method(card.number), billing_details: { address: { country } } });
const apiKey = (wish: object) => ({ name: 'till', kind: 'restricted', scopes: ['events:read'], ...wish });
const endpoint = (...enabled_events: string[]) => ({ url: 'https://127.0.0.1:9/', enabled_events });

type Pair = [what: string, path: () => string, first: () => object, second: () => object];
/** People alone make API keys and inboxes. */
const senderTo = (path: string) => (/^\/v1\/(api_keys|inbox)$/.test(path) ? owner : client);

describe('two requests of one meaning are one request, however they are spelt', () => {
  const pairs: Pair[] = [
    ['the case of a currency', () => '/v1/payments', () => charge('EUR'), () => charge('eur')],
    ['the case of a currency, mixed', () => '/v1/payments', () => charge('eur'), () => charge('EuR')],
    [
      'spaces in a card number',
      () => '/v1/payment_methods',
      () => method('4242 4242 4242 4242'),
      () => method('4242424242424242'),
    ],
    [
      'dashes in a card number',
      () => '/v1/payment_methods',
      () => method('4242424242424242'),
      () => method('4242-4242-4242-4242 '),
    ],
    ['the case of a country', () => '/v1/payment_methods', () => from('US'), () => from('us')],
    [
      'the case of a country, in an update',
      () => `/v1/payment_methods/${payment_method}`,
      () => ({ billing_details: { address: { country: 'fr' } } }),
      () => ({ billing_details: { address: { country: 'FR' } } }),
    ],
    [
      'the order of a set',
      () => '/v1/webhook_endpoints',
      () => endpoint('payment.*', 'customer.created'),
      () => endpoint('customer.created', 'payment.*'),
    ],
    [
      'the order of scopes',
      () => '/v1/api_keys',
      () => apiKey({ scopes: ['payments:write', 'events:read'] }),
      () => apiKey({ scopes: ['events:read', 'payments:write'] }),
    ],
    [
      'the order of allowed addresses',
      () => '/v1/api_keys',
      () => apiKey({ allowed_ips: ['203.0.113.0/24', '10.0.0.1'] }),
      () => apiKey({ allowed_ips: ['10.0.0.1', '203.0.113.0/24'] }),
    ],
    [
      'the order of the events of an inbox',
      () => '/v1/inbox',
      () => ({ enabled_events: ['payment.*', 'customer.created'] }),
      () => ({ enabled_events: ['customer.created', 'payment.*'] }),
    ],
    [
      'the two ways to remove a key of the metadata',
      () => `/v1/customers/${customer}`,
      () => ({ metadata: { order: '' } }),
      () => ({ metadata: { order: null } }),
    ],
  ];
  test.each(pairs)('%s', async (_what, path, first, second) => {
    const key = randomUUID();
    const one = await senderTo(path()).post(path(), first(), keyed(key));
    expect(one.status).toBe(200);
    const other = await senderTo(path()).post(path(), second(), keyed(key));
    expect([other.status, other.text]).toEqual([200, one.text]);
    expect(other.headers['idempotent-replayed']).toBe('true');
  });
});

describe('two requests of different meaning are not', () => {
  const pairs: [...Pair, param: string][] = [
    ['another currency', () => '/v1/payments', () => charge('EUR'), () => charge('usd'), 'currency'],
    [
      'another number',
      () => '/v1/payment_methods',
      () => method(card.number),
      () => method('5555 5555 5555 4444'),
      'card',
    ],
    ['another country', () => '/v1/payment_methods', () => from('US'), () => from('gb'), 'billing_details'],
    [
      'another set',
      () => `/v1/webhook_endpoints/${endpointId}`,
      () => ({ enabled_events: ['payment.*', 'customer.created'] }),
      () => ({ enabled_events: ['customer.created', 'refund.*'] }),
      'enabled_events',
    ],
    [
      'a text in another case',
      () => `/v1/customers/${customer}`,
      () => ({ name: 'Ada' }),
      () => ({ name: 'ADA' }),
      'name',
    ],
  ];
  let endpointId: string;
  beforeAll(async () => {
    const body = { url: 'https://127.0.0.1:9/other', enabled_events: ['*'] };
    endpointId = (await client.post('/v1/webhook_endpoints', body)).json.id;
  });

  test.each(pairs)('%s', async (_what, path, first, second, param) => {
    const key = randomUUID();
    expect((await client.post(path(), first(), keyed(key))).status).toBe(200);
    const other = await client.post(path(), second(), keyed(key));
    expect(other.json.error).toMatchObject({ code: 'idempotency_key_reused' });
    expect(other.json.error.message).toContain(`(different: ${param})`);
  });
});

test('operations get the normal form', async () => {
  const made = await client.post('/v1/payment_methods', {
    ...from('us'),
    card: { ...card, number: '4242 4242 4242 4242' },
  });
  const { rows } = await server.sql.query('select billing from payment_methods where id = $1', [made.json.id]);
  expect([made.json.card.last4, rows[0].billing.address.country]).toEqual(['4242', 'US']);
  expect((await client.post('/v1/payments', charge('EUR'))).json.currency).toBe('eur');
});
