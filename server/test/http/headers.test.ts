import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { errorTable } from '../../catalog.ts';
import { shortLimits } from '../../http/transport/harness.ts';
import type { Answer } from '../client.ts';
import { createDatabase, startServer, type TestAccount, type TestServer } from '../harness.ts';
import {
  type Cable,
  databaseOnCable,
  expectCommonHeaders,
  expectErrorShape,
  expectRefusal,
  rateOf,
  rawHead,
  sendRaw,
  unusedId,
} from './support.ts';

let clock: VirtualClock;
let server: TestServer;
let impatient: TestServer;
let account: TestAccount;

beforeAll(async () => {
  clock = virtualClock(Date.now());
  server = await startServer({ clock });
  impatient = await startServer({ limits: shortLimits });
  account = await server.account();
});
beforeEach(() => clock.advance(60_000)); // a new window for requests without a key
afterAll(async () => {
  await server.stop();
  await impatient.stop();
});

const raw = (bytes: string) => sendRaw(server, bytes);
const post = 'POST /v1/customers';
const json = 'Content-Type: application/json\r\n';

type Case = [what: string, status: number, ask: () => Promise<Answer>];

const answered: Case[] = [
  ['an object that was created', 200, () => account.test.post('/v1/customers', {})],
  ['a list', 200, () => account.test.get('/v1/customers')],
  ['an answer in live mode', 200, () => account.live.get('/v1/events')],
  ['an answer on a path without a version', 200, () => account.test.get('/customers')],
  ['/healthz', 200, () => server.anonymous.get('/healthz')],
  ['/readyz', 200, () => server.anonymous.get('/readyz')],
  ['/version', 200, () => server.anonymous.get('/version')],
  ['/docs', 200, () => server.anonymous.get('/docs')],
  ['/docs/errors', 200, () => server.anonymous.get('/docs/errors')],
  ['/openapi.json', 200, () => server.anonymous.get('/openapi.json')],
  ['/', 200, () => server.anonymous.get('/')],
  ['HEAD of a page', 200, () => server.anonymous.request('HEAD', '/docs')],
];

const refused: [what: string, code: string, ask: () => Promise<Answer>, param?: string][] = [
  ['a body that cannot be read', 'body_invalid', () => account.test.post('/v1/customers', '{', jsonType)],
  ['an unknown parameter', 'parameter_unknown', () => account.test.post('/v1/customers', { colour: 'red' }), 'colour'],
  ['a bad value', 'parameter_invalid', () => account.test.get('/v1/customers?limit=0'), 'limit'],
  ['no key', 'api_key_missing', () => server.anonymous.get('/v1/customers'), 'Authorization'],
  ['a made-up key', 'api_key_invalid', () => server.client('sk_test_tg_x').get('/v1/customers'), 'Authorization'],
  ['a missing scope', 'scope_missing', () => withoutScope().then((client) => client.get('/v1/customers'))],
  ['an id that nothing has', 'resource_missing', () => account.test.get(`/v1/customers/${unusedId('cus')}`), 'id'],
  ['a path that does not exist', 'url_unrecognized', () => account.test.get('/v1/nothing')],
  ['a method that does not exist there', 'url_unrecognized', () => account.test.request('PATCH', '/v1/customers')],
  ['OPTIONS', 'url_unrecognized', () => account.test.request('OPTIONS', '/v1/customers')],
  ['a path that cannot be decoded', 'url_unrecognized', () => account.test.get('/v1/customers/%zz')],
  ['an id of 1,001 characters', 'url_unrecognized', () => account.test.get(`/v1/customers/${'x'.repeat(1_001)}`)],
  ['an unknown version', 'version_unknown', () => account.test.get('/v2/customers'), 'path'],
  ['a retired version', 'version_retired', () => account.test.get('/v0/customers'), 'path'],
  ['a body over 256 KiB', 'body_too_large', () => account.test.post('/v1/customers', 'x'.repeat(262_145), jsonType)],
  ['plain HTTP', 'https_required', () => sendRaw(server, `${rawHead('GET /v1/customers')}\r\n`, { tls: false })],
  ['what is not HTTP', 'request_malformed', () => raw('hello\r\n\r\n')],
  ['an unknown method', 'request_malformed', () => raw(`${rawHead('BREW /pot')}\r\n`)],
  ['CONNECT', 'request_malformed', () => raw(`${rawHead('CONNECT example.com:443')}\r\n`)],
  ['an expectation', 'request_malformed', () => raw(`${rawHead(post)}Expect: more\r\n\r\n`), 'Expect'],
  ['a missing Host', 'request_malformed', () => raw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n'), 'Host'],
  ['two lengths', 'request_malformed', () => raw(`${rawHead(post)}Content-Length: 1\r\nContent-Length: 2\r\n\r\na`)],
  ['headers of 20 kB', 'headers_too_large', () => raw(`${rawHead(post)}X-Big: ${'x'.repeat(20_000)}\r\n\r\n`)],
  ['a repeated header', 'header_repeated', () => raw(`${rawHead('GET /healthz')}Host: b\r\n\r\n`), 'Host'],
  [
    'a broken chunk',
    'request_malformed',
    () => raw(`${rawHead(post, account.testKey)}${json}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`),
  ],
  ['headers that come too slowly', 'request_timeout', () => sendRaw(impatient, `${rawHead(post)}X-Slow: `)],
  [
    'a body that comes too slowly',
    'request_timeout',
    async () => {
      const { testKey } = await impatient.account();
      return sendRaw(impatient, `${rawHead(post, testKey)}${json}Content-Length: 10\r\n\r\n{"`);
    },
  ],
];

const jsonType = { 'Content-Type': 'application/json' };

async function withoutScope() {
  const { client } = await server.key(account.id, { scopes: ['events:read'] });
  return client;
}

describe('every response carries the headers of the interface', () => {
  test.each(answered)('%s (%i)', async (_what, status, ask) => {
    const answer = await ask();
    expect(answer.status).toBe(status);
    expectCommonHeaders(answer);
    expect(answer.headers.link).toBeUndefined();
  });

  test.each(refused)('the refusal of %s (%s)', async (_what, code, ask, param) => {
    expectRefusal(await ask(), code, param);
  });

  test('the refusal of HEAD, without a body but with its length', async () => {
    const answer = await account.test.request('HEAD', '/v1/customers');
    expect(answer.status).toBe(404);
    expectCommonHeaders(answer);
    expect(answer.text).toBe('');
    expect(Number(answer.headers['content-length'])).toBeGreaterThan(50);
    expect(answer.headers.link).toBe('</docs/errors#url_unrecognized>; rel="help"');
  });

  test('the refusal of a request over the limit of an account, and of an address', async () => {
    const small = await server.account({ tier: 'enterprise', rateLimit: 1 });
    const answers = [await small.test.get('/v1/events'), await small.test.get('/v1/events')];
    // A minute may end between the two requests; then the third is over the limit.
    if (answers[1]!.status === 200) answers.push(await small.test.get('/v1/events'));
    expectRefusal(answers.at(-1)!, 'rate_limited');

    const { first } = server.anonymous;
    let last = await first.get('/version');
    for (let more = 0; more < 100; more++) last = await first.get('/version');
    expectRefusal(last, 'rate_limited');
  });

  test('a replay', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const [first, second] = [
      await account.test.post('/v1/customers', {}, key),
      await account.test.post('/v1/customers', {}, key),
    ];
    expectCommonHeaders(second);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.headers['request-id']).not.toBe(first.headers['request-id']);
  });

  test('a saved refusal that is replayed, with its help', async () => {
    const key = { 'Idempotency-Key': randomUUID() };
    const path = `/v1/customers/${unusedId('cus')}`;
    await account.test.post(path, {}, key);
    const replayed = await account.test.post(path, {}, key);
    expect(replayed.headers['idempotent-replayed']).toBe('true');
    expectRefusal(replayed, 'resource_missing', 'id');
  });

  test('none of them is sent twice', async () => {
    const answer = await raw(`${rawHead('GET /v1/customers', account.testKey)}\r\n`);
    // The client joins repeated headers with a comma, and none of these values has a comma.
    for (const [name, value] of Object.entries(answer.headers))
      if (name !== 'date') expect(`${name}: ${value}`).not.toContain(',');
  });
});

describe('faults of the server', () => {
  let cable: Cable;
  let wired: TestServer;
  let customer: TestAccount;

  beforeAll(async () => {
    cable = await databaseOnCable();
    wired = await startServer({ databaseUrl: cable.databaseUrl });
    customer = await wired.account();
  });
  afterAll(async () => {
    await wired.stop();
    await cable.remove();
  });

  test('a defect is 500 internal_error, with the Request-Id and nothing else', async () => {
    await wired.sql.query('alter table customers rename to hidden');
    const answer = await customer.test.get(`/v1/customers/${unusedId('cus')}`);
    await wired.sql.query('alter table hidden rename to customers');
    expectRefusal(answer, 'internal_error');
    expect(answer.json.error.message).toContain(answer.headers['request-id']);
    expect(answer.text).not.toMatch(/relation|select|hidden|customers/);
    const line = wired.logged.find((one) => one.includes('request failed with an internal error'));
    expect(JSON.parse(line ?? '{}')).toMatchObject({ requestId: answer.headers['request-id'] });
  });

  test('an unreachable database is 500 unavailable with Retry-After, and requests succeed once it is back', async () => {
    cable.cut();
    try {
      for (const answer of [await customer.test.get('/v1/customers'), await customer.test.post('/v1/customers', {})]) {
        expectRefusal(answer, 'unavailable');
        expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      }
    } finally {
      await cable.repair();
    }
    await expect.poll(async () => (await customer.test.post('/v1/customers', {})).status).toBe(200);
  });
});

describe('a database that was dropped', () => {
  test('is 500 unavailable with Retry-After: it may be restored', async () => {
    const database = await createDatabase();
    const doomed = await startServer({ databaseUrl: database.url });
    try {
      const { test: client } = await doomed.account();
      await client.get('/v1/customers');
      await database.drop();
      // The first request may use a broken connection; later ones find no database to connect to.
      for (let at = 0; at < 3; at++) {
        const answer = await client.get('/v1/customers');
        expectRefusal(answer, 'unavailable');
        expect(answer.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      }
    } finally {
      await doomed.stop();
    }
  });
});

describe('Request-Id', () => {
  test('is different for each request, and is in the log', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => account.test.get('/v1/customers?limit=0')));
    const ids = answers.map((answer) => answer.headers['request-id']);
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(server.logged.some((line) => line.includes(`"${id}"`))).toBe(true);
  });

  test('cannot be chosen by the caller', async () => {
    const answer = await account.test.get('/v1/customers', { headers: { 'Request-Id': 'req_mine' } });
    expectCommonHeaders(answer);
  });
});

describe('the rate headers', () => {
  test('are those of the account when the key is valid, whatever is refused after it', async () => {
    for (const path of ['/v1/customers', '/v1/nothing', '/v0/customers', '/v1/customers?limit=0'])
      expect(rateOf(await account.test.get(path))).toMatchObject({ policy: 'account', limit: 1_000_000 });
  });

  test('are those of the address when there is no valid key', async () => {
    for (const path of ['/v1/customers', '/nothing', '/openapi.json', '/healthz'])
      expect(rateOf(await server.anonymous.get(path))).toMatchObject({ policy: 'address', limit: 100 });
    expect(rateOf(await server.anonymous.get('/docs'))).toMatchObject({ policy: 'page', limit: 300 });
  });
});

describe('the help of an error', () => {
  test('is a heading of /docs/errors for each row of the table, with its status and type', async () => {
    const page = await server.anonymous.get('/docs/errors');
    const headings = [...page.text.matchAll(/<h2 id="(\w+)">(\w+)<\/h2><p class="meta">(\d+) · (\w+)<\/p>/g)];
    expect(headings.map(([, id, title, status, type]) => [id, title, Number(status), type])).toEqual(
      Object.entries(errorTable).map(([code, { status, type }]) => [code, code, status, type]),
    );
  });

  test('is where the Link of a refusal leads', async () => {
    const answer = await account.test.get('/v1/nothing');
    expectErrorShape(answer);
    const [, path, anchor] = /^<([^#>]+)#(\w+)>; rel="help"$/.exec(String(answer.headers.link)) ?? [];
    const page = await server.anonymous.get(path ?? '');
    expect(page.status).toBe(200);
    expect(page.text).toContain(`id="${anchor}"`);
  });
});

describe('a header that is wrong is named, with what is wrong about it', () => {
  const line = 'GET /v1/customers HTTP/1.1\r\n';
  test.each([
    ['Host', `${line}Connection: close\r\n\r\n`, 'the header Host is missing'],
    ['Expect', `${line}Host: a\r\nConnection: close\r\nExpect: foo\r\n\r\n`, 'Expect can only be 100-continue'],
    [
      'Transfer-Encoding',
      `POST /v1/customers HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n`,
      'Transfer-Encoding can only be chunked',
    ],
  ])('%s', async (param, bytes, reason) => {
    const answer = await raw(bytes);
    expectRefusal(answer, 'request_malformed', param);
    expect(answer.json.error.message).toBe(`The request is not valid HTTP/1.1: ${reason}.`);
  });

  test.each([
    ['X-Service-Version', { 'X-Service-Version': '' }, 'X-Service-Version is empty. Send 1, or leave it out.'],
    ['Accept', { Accept: 'application/json; version=' }, 'The version in Accept is empty. Send 1, or leave it out.'],
    ['X-Service-Version', { 'X-Service-Version': '2' }, 'There is no version 2 of this API. The current version is 1.'],
  ])('%s of %j', async (param, headers, message) => {
    const answer = await account.test.get('/customers', { headers });
    expectRefusal(answer, 'version_unknown', param);
    expect(answer.json.error.message).toBe(message);
  });
});
