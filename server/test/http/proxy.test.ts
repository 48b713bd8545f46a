import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Client } from '../client.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { expectCommonHeaders, expectRefusal, rateOf, sendRaw } from './support.ts';

const path = '/v1/events';
const https = { 'X-Forwarded-Proto': 'https' };

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer({ environment: { TLS: 'proxy', TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8 fd00::/8' } });
  account = await server.account();
});
afterAll(() => server.stop());

describe('behind a proxy that terminates TLS', () => {
  test('a request that came over HTTPS is served, with all headers', async () => {
    const answer = await account.test.get(path, { headers: https });
    expect(answer.status).toBe(200);
    expectCommonHeaders(answer);
    expect((await account.test.get(path, { headers: { 'X-Forwarded-Proto': 'HTTPS' } })).status).toBe(200);
    expect((await server.anonymous.get('/docs', { headers: https })).status).toBe(200);
  });

  const insecure: [what: string, headers: Record<string, string | string[]>][] = [
    ['that came over HTTP', { 'X-Forwarded-Proto': 'http' }],
    ['of which nothing is said', {}],
    ['with an empty scheme', { 'X-Forwarded-Proto': '' }],
    ['with two schemes', { 'X-Forwarded-Proto': 'http, https' }],
    ['with two schemes, https first', { 'X-Forwarded-Proto': 'https, http' }],
    ['with two headers', { 'X-Forwarded-Proto': ['https', 'https'] }],
    ['that says it elsewhere', { Forwarded: 'proto=https', 'X-Forwarded-Ssl': 'on', 'X-Scheme': 'https' }],
  ];
  test.each(insecure)('a request %s is https_required and never processed', async (_what, headers) => {
    const body = Buffer.from('{}');
    const request = { headers: { 'Content-Type': 'application/json', ...headers }, body };
    expectRefusal(await account.test.request('POST', '/v1/customers', request), 'https_required');
    const list = await account.test.get('/v1/customers', { headers: https });
    expect(list.json.data).toEqual([]);
  });

  test('/healthz does not answer plain HTTP either', async () => {
    expectRefusal(await server.anonymous.get('/healthz'), 'https_required');
  });

  test('TLS is not served on this port', async () => {
    const hello = Buffer.from([22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3]);
    expectRefusal(await sendRaw(server, hello, { tls: false }), 'request_malformed');
  });
});

describe('from an address that is not a trusted proxy', () => {
  test('every request is https_required, whatever its headers say', async () => {
    const elsewhere = await startServer({ environment: { TLS: 'proxy', TRUSTED_PROXIES: '10.0.0.0/8, ::1' } });
    try {
      const { test: client } = await elsewhere.account();
      for (const headers of [https, {}, { ...https, 'X-Forwarded-For': '10.0.0.1' }])
        expectRefusal(await client.get(path, { headers }), 'https_required');
    } finally {
      await elsewhere.stop();
    }
  });
});

describe('the address of the client', () => {
  let only: Client;

  beforeAll(async () => {
    ({ client: only } = await server.key(account.id, { allowedIps: ['203.0.113.7', '2001:db8::/32'] }));
  });

  const table: [forwarded: string | string[] | undefined, address: string][] = [
    ['203.0.113.7', '203.0.113.7'],
    ['2001:db8::1', '2001:db8::1'],
    ['::ffff:203.0.113.7', '203.0.113.7'],
    ['203.0.113.7:4711', '203.0.113.7'],
    ['[2001:db8::1]:4711', '2001:db8::1'],
    [' 203.0.113.7 ', '203.0.113.7'],
    ['198.51.100.1, 203.0.113.7', '203.0.113.7'],
    ['203.0.113.7, 198.51.100.1', '198.51.100.1'],
    ['203.0.113.7, 10.1.2.3', '203.0.113.7'],
    ['203.0.113.7, 10.1.2.3, fd00::1, 127.0.0.1', '203.0.113.7'],
    ['203.0.113.7, 198.51.100.1, 10.1.2.3', '198.51.100.1'],
    [['198.51.100.1', '203.0.113.7'], '203.0.113.7'],
    [['203.0.113.7', '198.51.100.1'], '198.51.100.1'],
    ['10.1.2.3', '10.1.2.3'],
    ['203.0.113.7, nonsense', '127.0.0.1'],
    ['203.0.113.7, nonsense, 10.1.2.3', '10.1.2.3'],
    ['nonsense, 203.0.113.7', '203.0.113.7'],
    ['', '127.0.0.1'],
    [undefined, '127.0.0.1'],
  ];
  test.each(table)('X-Forwarded-For: %j is %s', async (forwarded, address) => {
    const headers = { ...https, ...(forwarded === undefined ? {} : { 'X-Forwarded-For': forwarded }) };
    const answer = await only.get(path, { headers });
    if (/^(203\.0\.113\.7|2001:db8:)/.test(address)) return expect(answer.status).toBe(200);
    expectRefusal(answer, 'ip_not_allowed');
    expect(answer.json.error.message).toContain(address);
  });

  test('is written to the log', async () => {
    const headers = { ...https, 'X-Forwarded-For': '198.51.100.1, 203.0.113.7, 10.0.0.1' };
    const answer = await account.test.get(path, { headers });
    const line = server.logged.find((one) => one.includes(String(answer.headers['request-id'])));
    expect(JSON.parse(line ?? '{}').address).toBe('203.0.113.7');
  });

  test('is what requests without a key count against', async () => {
    const ask = async (address: string) =>
      rateOf(await server.anonymous.get('/version', { headers: { ...https, 'X-Forwarded-For': address } })).remaining;
    const [mine, other] = [await ask('192.0.2.1'), await ask('192.0.2.2')];
    expect([mine, other]).toEqual([99, 99]);
    // One new minute may have begun in between, never two.
    expect([98, 99]).toContain(await ask('198.51.100.9, 192.0.2.1'));
  });

  test('is what a refusal of the transport counts against', async () => {
    const ask = async () => {
      const headers = { 'X-Forwarded-For': '192.0.2.77', 'X-Forwarded-Proto': 'http' };
      return rateOf(await server.anonymous.get('/version', { headers })).remaining;
    };
    expect(await ask()).toBe(99);
  });

  test('changes from request to request on one connection', async () => {
    for (const [address, status] of [
      ['203.0.113.7', 200],
      ['203.0.113.8', 403],
      ['203.0.113.7', 200],
    ] as const)
      expect((await only.get(path, { headers: { ...https, 'X-Forwarded-For': address } })).status).toBe(status);
  });
});
