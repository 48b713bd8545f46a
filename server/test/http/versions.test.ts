import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { expectCommonHeaders, expectRefusal, rawHead, sendRaw, unusedId } from './support.ts';

let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
});
afterAll(() => server.stop());

type Headers = Record<string, string>;
const accept = (version: string): Headers => ({ Accept: `application/json; version=${version}` });
const custom = (version: string): Headers => ({ 'X-Service-Version': version });
const get = (path: string, headers: Headers = {}) => account.test.get(path, { headers });

test.each(['https://localhost/v1/customers', 'http://other.example/customers?limit=1'])(
  'a whole address as the target (%s) asks for its path',
  async (target) => {
    const answer = await sendRaw(server, `${rawHead(`GET ${target}`, account.testKey)}\r\n`);
    expect([answer.status, answer.json.url]).toEqual([200, '/v1/customers']);
  },
);

describe('version 1 is selected', () => {
  const ways: [way: string, path: string, headers: Headers][] = [
    ['by the path', '/v1/customers', {}],
    ['by Accept', '/customers', accept('1')],
    ['by X-Service-Version', '/customers', custom('1')],
    ['by nothing at all', '/customers', {}],
    ['by all three', '/v1/customers', { ...accept('1'), ...custom('1') }],
    ['by both headers', '/customers', { ...accept('1'), ...custom('1') }],
    ['by Accept in quotes', '/customers', accept('"1"')],
    ['by Accept without spaces', '/customers', { Accept: 'application/json;version=1' }],
    ['by Accept with capitals', '/customers', { Accept: 'application/json; Version=1' }],
    ['by one of several in Accept', '/customers', { Accept: 'text/html, application/json; version=1; q=0.9, */*' }],
  ];
  test.each(ways)('%s', async (_way, path, headers) => {
    const answer = await get(path, headers);
    expect(answer.status).toBe(200);
    expect(answer.json).toMatchObject({ object: 'list', url: '/v1/customers' });
    expectCommonHeaders(answer);
  });

  test.each([
    '*/*',
    'application/json',
    'text/html',
    'application/json; conversion=2',
    'application/json; q=0.5',
    'application/signed-exchange;v=b3',
    'version/2',
    '',
  ])('an Accept without version= is ignored: "%s"', async (Accept) => {
    expect((await get('/customers', { Accept })).status).toBe(200);
    expect((await get('/v1/customers', { Accept })).status).toBe(200);
  });

  test('a path without a prefix supports every operation', async () => {
    const made = await account.test.post('/customers', { name: 'Ada' }, accept('1'));
    expect(made.status).toBe(200);
    const { id } = made.json;
    expect((await account.test.get(`/v1/customers/${id}`)).text).toBe(made.text);
    expect((await account.test.get(`/customers/${id}`)).text).toBe(made.text);
    expect((await account.test.post(`/customers/${id}`, { name: 'Bob' })).json.name).toBe('Bob');
    expect((await account.test.get('/events?limit=1')).json.data[0].type).toBe('customer.updated');
    expect((await account.test.delete(`/customers/${id}`, custom('1'))).json.deleted).toBe(true);
  });

  test('a path without a prefix is the same request for an idempotency key', async () => {
    const headers = { 'Idempotency-Key': randomUUID() };
    const first = await account.test.post('/customers', {}, headers);
    const second = await account.test.post('/v1/customers', {}, headers);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.text).toBe(first.text);
  });

  test('a page is not versioned', async () => {
    for (const path of ['/healthz', '/version', '/docs', '/openapi.json'])
      expect((await server.anonymous.get(path, { headers: custom('7') })).status).toBe(200);
  });
});

describe('selectors that disagree are 400 version_conflict, with the header that disagrees', () => {
  const table: [path: string, headers: Headers, param: string][] = [
    ['/v1/customers', accept('2'), 'Accept'],
    ['/v1/customers', accept('0'), 'Accept'],
    ['/v1/customers', custom('2'), 'X-Service-Version'],
    ['/v1/customers', { ...accept('1'), ...custom('2') }, 'X-Service-Version'],
    ['/v2/customers', accept('1'), 'Accept'],
    ['/v0/customers', custom('1'), 'X-Service-Version'],
    ['/customers', { ...accept('1'), ...custom('2') }, 'X-Service-Version'],
    ['/customers', { ...accept('0'), ...custom('1') }, 'X-Service-Version'],
    ['/customers', { Accept: 'application/json; version=1, application/json; version=2' }, 'Accept'],
  ];
  test.each(table)('%s with %j: %s', async (path, headers, param) => {
    const answer = await get(path, headers);
    expectRefusal(answer, 'version_conflict', param);
    expect(answer.headers.deprecation).toBeUndefined();
  });

  test('two Accept lines are one list', async () => {
    const lines = 'Accept: application/json; version=1\r\nAccept: application/json; version=2\r\n';
    const answer = await sendRaw(server, `${rawHead('GET /customers', account.testKey)}${lines}\r\n`);
    expectRefusal(answer, 'version_conflict', 'Accept');
  });

  test('a request with a conflict has no effect', async () => {
    const alone = await server.account();
    expectRefusal(await alone.test.post('/v1/customers', {}, custom('2')), 'version_conflict', 'X-Service-Version');
    expect((await alone.test.get('/v1/events')).json.data).toEqual([]);
  });
});

describe('an unknown version is 400 version_unknown', () => {
  const table: [path: string, headers: Headers, param: string][] = [
    ['/v2/customers', {}, 'path'],
    ['/v10/customers', {}, 'path'],
    ['/v999999999/customers', {}, 'path'],
    ['/v9999999999/customers', {}, 'path'],
    ['/v99999999999999999999999999/customers', {}, 'path'],
    ['/v2/nothing', {}, 'path'],
    ['/v2', {}, 'path'],
    ['/v2?limit=1', {}, 'path'],
    ['/v2/', {}, 'path'],
    ['/v2/customers', { ...accept('2'), ...custom('2') }, 'path'],
    ['/customers', accept('2'), 'Accept'],
    ['/customers', accept('one'), 'Accept'],
    ['/customers', accept('1.0'), 'Accept'],
    ['/customers', accept('-1'), 'Accept'],
    ['/customers', accept(''), 'Accept'],
    ['/customers', custom('2'), 'X-Service-Version'],
    ['/customers', custom('2023-01-01'), 'X-Service-Version'],
    ['/customers', custom('1, 1'), 'X-Service-Version'],
    ['/customers', custom(''), 'X-Service-Version'],
    ['/v1/customers', custom('x'), 'X-Service-Version'],
  ];
  test.each(table)('%s with %j: %s', async (path, headers, param) => {
    expectRefusal(await get(path, headers), 'version_unknown', param);
  });

  test.each(['/V1/customers', '/vx/customers', '/v/customers', '/v1.0/customers', '/v1x/customers', '/1/customers'])(
    'a first segment that is not v and digits is part of the path: %s',
    async (path) => {
      expectRefusal(await get(path), 'url_unrecognized');
    },
  );

  test('only the first segment is a version', async () => {
    expectRefusal(await get('/customers/v2'), 'resource_missing', 'id');
    expectRefusal(await get('/v1/v2/customers'), 'url_unrecognized');
    expectRefusal(await get('/v1/v1/customers'), 'url_unrecognized');
    expectRefusal(await get('//v2/customers'), 'url_unrecognized');
  });
});

describe('v0 is retired', () => {
  const table: [path: string, headers: Headers, param: string][] = [
    ['/v0/customers', {}, 'path'],
    ['/v0/nothing', {}, 'path'],
    ['/v0', {}, 'path'],
    [`/v0/customers/${unusedId('cus')}`, {}, 'path'],
    ['/v0/customers', { ...accept('0'), ...custom('0') }, 'path'],
    ['/customers', accept('0'), 'Accept'],
    ['/customers', custom('0'), 'X-Service-Version'],
  ];
  test.each(table)('%s with %j: the refusal has Deprecation, Sunset and Link', async (path, headers, param) => {
    const answer = await get(path, headers);
    expectRefusal(answer, 'version_retired', param);
    // RFC 9745: a structured date. RFC 8594: an HTTP date.
    expect(answer.headers.deprecation).toBe(`@${Date.parse('2023-01-01T00:00:00Z') / 1_000}`);
    expect(answer.headers.sunset).toBe('Tue, 31 Dec 2024 23:59:59 GMT');
    expect(answer.json.error.message).toContain('2024-12-31');
    const [deprecation, help] = String(answer.headers.link).split(', ');
    expect(help).toBe('</docs/errors#version_retired>; rel="help"');
    const [, page, anchor] = /^<([^#>]+)#(\w+)>; rel="deprecation"$/.exec(deprecation ?? '') ?? [];
    expect((await server.anonymous.get(page ?? '')).text).toContain(`id="${anchor}"`);
  });

  test('a request to it has no effect', async () => {
    const alone = await server.account();
    expectRefusal(await alone.test.post('/v0/customers', {}), 'version_retired', 'path');
    expect((await alone.test.get('/v1/events')).json.data).toEqual([]);
  });

  test('v1 is not deprecated', async () => {
    const { headers } = await get('/v1/customers');
    expect([headers.deprecation, headers.sunset, headers.link]).toEqual([undefined, undefined, undefined]);
  });
});
