import { METHODS } from 'node:http';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { anyCharacter } from '../../base/any_character.fixture.ts';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { errorTable, operations } from '../../catalog.ts';
import { dial, host, type Line } from '../../http/transport/harness.ts';
import type { Answer } from '../client.ts';
import { becomes } from '../eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { isTorture, shareOf } from '../torture.ts';
import { expectCommonHeaders, expectErrorShape, expectRefusal, rawHead, sendRaw, unusedId } from './support.ts';

let clock: VirtualClock;
let server: TestServer;
let account: TestAccount;
/** An account whose changes are all refused. */
let refused: TestAccount;

/** Unreadable requests count against their address. A new minute starts a new window. */
const newMinute = () => clock.advance(60_000);

beforeAll(async () => {
  clock = virtualClock(Date.now());
  server = await startServer({ clock });
  account = await server.account();
  refused = await server.account();
});
beforeEach(newMinute);
afterAll(() => server.stop());

const json = { 'Content-Type': 'application/json' };
const raw = (requestLine: string, rest = '\r\n', key = refused.testKey) =>
  sendRaw(server, rawHead(requestLine, key) + rest);

/** The status is in the closed list and not 500, and an error has the shape of the interface. */
function expectInList(answer: Answer): void {
  expect(answer.status).not.toBe(500);
  if (answer.status === 200) expectCommonHeaders(answer);
  else expectErrorShape(answer);
}

/** The log lines about defects. */
const failures = () => server.logged.filter((line) => line.includes('failed with an internal error'));

/** Section 6 of the decisions. */
const decided: [status: number, type: string, codes: string][] = [
  [
    400,
    'invalid_request_error',
    `parameter_missing parameter_unknown parameter_invalid parameters_exclusive body_invalid body_too_large
     content_type_unsupported https_required header_repeated amount_too_small amount_too_large currency_unknown
     invalid_number invalid_expiry_month invalid_expiry_year invalid_cvc metadata_too_many_keys metadata_key_too_long
     metadata_value_too_long metadata_value_invalid payment_method_not_usable customer_mismatch payment_not_capturable
     payment_not_cancelable setup_not_cancelable payment_not_refundable refund_exceeds_payment payment_disputed capture_exceeds_authorized
     return_url_invalid dispute_closed evidence_past_due endpoint_url_not_allowed endpoint_exists endpoint_disabled
     endpoint_limit_reached payment_method_limit_reached notice_signature_invalid processor_account_in_use
     content_encoding_unsupported request_malformed headers_too_large request_timeout subscription_not_updatable
     external_id_in_use invitation_invalid last_owner mail_erased mail_not_set_up email_verified email_not_verified
     coupon_not_usable checkout_session_not_open payment_not_received
     invoice_not_payable invoice_not_updatable invoice_item_not_deletable invoice_not_finalized clock_not_ready test_mode_only version_conflict
     version_unknown version_retired idempotency_key_invalid`,
  ],
  [400, 'idempotency_error', 'idempotency_key_reused'],
  [
    401,
    'authentication_error',
    `api_key_missing api_key_invalid api_key_expired api_key_revoked
     signature_missing signature_invalid signature_expired signature_replayed sign_in_failed code_required
     session_invalid`,
  ],
  [402, 'card_error', 'card_declined expired_card incorrect_cvc processing_error authentication_required'],
  [
    403,
    'permission_error',
    'scope_missing ip_not_allowed account_suspended role_missing csrf_invalid portal_not_allowed',
  ],
  [404, 'invalid_request_error', 'resource_missing url_unrecognized'],
  [
    429,
    'rate_limit_error',
    'rate_limited idempotency_key_in_use lock_timeout too_many_exports sign_in_locked sign_in_busy mail_limit',
  ],
  [500, 'api_error', 'internal_error unavailable'],
];

describe('the error table', () => {
  test('has only codes that were decided, each with its decided status and type', () => {
    const rows = new Map(
      decided.flatMap(([status, type, codes]) => codes.split(/\s+/).map((code) => [code, { status, type }] as const)),
    );
    for (const [code, { status, type }] of Object.entries(errorTable))
      expect({ code, status, type }).toEqual({ code, ...rows.get(code) });
  });

  test('has every code that does not wait for payments', () => {
    const later =
      /^(amount|currency|invalid_|payment|customer_mismatch|refund|capture|return_url|dispute|evidence|endpoint|processor)/;
    const early = decided
      .filter(([status]) => status !== 402)
      .flatMap(([, , codes]) => codes.split(/\s+/))
      .filter((code) => !later.test(code) && !/^(subscription|invoice)/.test(code));
    expect(early.filter((code) => !(code in errorTable))).toEqual([]);
  });

  test('has messages without values other than their blanks', async () => {
    const answer = await refused.test.get(`/v1/customers/${unusedId('cus')}`);
    expect(answer.text).toBe(
      '{"error":{"code":"resource_missing","message":"No such customer.","param":"id","type":"invalid_request_error"}}',
    );
  });
});

describe('an unknown method', () => {
  const routes = [...new Set(operations.map(({ route }) => route))];
  /** What is served at a path. A word in the place of an id is also an id, for the methods that the word has not. */
  const offered = (route: string) => {
    const withId = route.replace(/\/[^/:]+$/, '/:id');
    const isServed = (one: string) => one === route || (one === withId && route.split('/').length === 3);
    return [...new Set(operations.filter((one) => isServed(one.route)).map(({ method }) => method as string))];
  };

  const usual = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const rare = METHODS.filter((one) => one !== 'CONNECT' && !usual.includes(one));
  /** Some of the methods, and others at the next route. */
  const inTurn = (methods: string[], route: string, count: number) =>
    Array.from({ length: count }, (_, more) => methods[(routes.indexOf(route) * count + more) % methods.length]!);
  /**
   * The methods that a route does not serve. `npm test` tries three of the usual ones at each route, and one of the rare ones, with and
   * without a prefix in turn; `npm run torture` tries all with both.
   */
  const unserved = (route: string) => {
    const tried = isTorture ? [...usual, ...rare] : [...inTurn(usual, route, 3), ...inTurn(rare, route, 1)];
    return tried.filter((one) => !offered(route).includes(one));
  };
  const pathsOf = (route: string) => {
    const path = route.replace(':id', unusedId('cus'));
    return [`/v1${path}`, `${path}?a=b`];
  };

  test.each(routes)('%s: every other method is 404, and Allow lists the supported ones', async (route) => {
    for (const [at, method] of unserved(route).entries()) {
      const paths = pathsOf(route);
      for (const path of isTorture ? paths : [paths[(at + routes.indexOf(route)) % 2]!]) {
        const answer = await refused.test.request(method, path);
        expect(answer.status, method).toBe(404);
        expect(String(answer.headers.allow).split(', ').sort(), method).toEqual(offered(route).sort());
        if (method !== 'HEAD') expectRefusal(answer, 'url_unrecognized');
      }
    }
  });

  test.each(['/docs', '/docs/errors', '/openapi.json', '/healthz', '/readyz', '/version', '/'])(
    '%s: every other method is 404, and Allow lists GET and HEAD',
    async (path) => {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const answer = await raw(`${method} ${path}`);
        expectRefusal(answer, 'url_unrecognized');
        expect(answer.headers.allow, method).toBe('GET, HEAD');
      }
    },
  );

  test('an unknown path has no Allow header', async () => {
    for (const path of ['/v1/nothing', '/nothing', '/v1', '/v1/', '/v1/customers/a/b'])
      expect((await raw(`PUT ${path}`)).headers.allow).toBeUndefined();
  });

  test.each(['BREW', 'get', 'GETT', 'G', '', 'POST/', 'ПОСТ'])('unknown to HTTP is 400: "%s"', async (method) => {
    expectRefusal(await raw(`${method} /v1/customers`), 'request_malformed');
  });

  test('CONNECT and HTTP/2 are 400', async () => {
    expectRefusal(await raw('CONNECT localhost:443'), 'request_malformed');
    expectRefusal(await sendRaw(server, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), 'request_malformed');
  });

  test('the method cannot be overridden by a header', async () => {
    const { id } = (await account.test.post('/v1/customers', {})).json;
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-HTTP-Method': 'DELETE', 'X-Method-Override': 'DELETE' };
    expect((await account.test.get(`/v1/customers/${id}`, { headers })).json.id).toBe(id);
    expect((await account.test.get(`/v1/customers/${id}`)).status).toBe(200);
  });
});

describe('an unknown path is 404 url_unrecognized', () => {
  test.each([
    '/v1',
    '/v1/',
    '/v1//customers',
    '//v1/customers',
    '/v1/customers//',
    '/v1/./customers',
    '/v1/../v1/customers',
    '/../v1/customers',
    '/v1/customers/../customers',
    '/v1/%2e%2e/customers',
    '/v1/customers%2f',
    '/v1/customers%2Fcus_1',
    '/v1%2fcustomers',
    '/%761/customers',
    '/v1/customers%00',
    '/v1/customers%20',
    '/v1/customers%0d%0aX-Injected:%20yes',
    '/v1/customers;a=b',
    '/v1/customers.json',
    '/v1/Customers',
    '/v1/CUSTOMERS',
    '/v1/customers&limit=1',
    '/v1/customers%3flimit=1',
    '/v1/customers/a/b',
    '/v1/payment/',
    '/v1/\\customers',
    '/docs/',
    '/healthz/',
    '/DOCS',
    '/favicon.ico',
    '/.env',
    '/admin',
    '/%',
    '/v1/%',
    '/v1/customers/%',
    '/v1/customers/%zz',
    '/v1/customers/%c0%af',
    '/v1/customers/%e2%82',
    '/v1/%u0063ustomers',
    '*',
    `/${'a'.repeat(10_000)}`,
    `/v1/customers/${'x'.repeat(1_001)}`,
    `/v1/customers/${'x'.repeat(10_000)}`,
    '/'.repeat(2_000),
    `/v1${'/..'.repeat(1_000)}`,
    `/${'%25'.repeat(3_000)}`,
  ])('%s', async (path) => {
    expectRefusal(await raw(`GET ${path}`), 'url_unrecognized');
  });

  test('an empty id is neither a list nor an object', async () => {
    for (const method of ['GET', 'POST', 'DELETE']) expect((await raw(`${method} /v1/customers/`)).status).toBe(404);
  });

  test.each([
    '/v1/customers/..',
    '/v1/customers/%2e%2e',
    '/v1/customers/%00',
    '/v1/customers/%2f',
    '/v1/customers/:id',
  ])('but any text in the place of an id is an id: %s', async (path) => {
    expectRefusal(await raw(`GET ${path}`), 'resource_missing', 'id');
  });

  test('a target that is not a path is 400', async () => {
    for (const target of ['customers', '', '?', '#', '\\', '/v1/\xff', '/v1/ünïcode'])
      expectRefusal(await raw(`GET ${target}`), 'request_malformed');
  });

  test.each([
    'https://localhost/v1/customers',
    'http://evil.example/v1/customers',
    '/v1/customers#part',
    '/v1/customers?',
  ])('a target in another form is answered from the list: %s', async (target) => {
    expectInList(await raw(`GET ${target}`));
  });
});

describe('what others would answer with another status', () => {
  const id = unusedId('cus');
  const table: [what: string, others: string, code: string, ask: () => Promise<Answer>, param?: string][] = [
    ['a wrong method', '405', 'url_unrecognized', () => refused.test.request('PUT', '/v1/customers')],
    [
      'a body that is too large',
      '413',
      'body_too_large',
      () => refused.test.post('/v1/customers', Buffer.alloc(300_000, 'x'), json),
    ],
    [
      'a type that is not supported',
      '415',
      'content_type_unsupported',
      () => refused.test.post('/v1/customers', 'x', { 'Content-Type': 'text/plain' }),
      'Content-Type',
    ],
    [
      'a value that is not right',
      '422',
      'parameter_invalid',
      () => refused.test.post('/v1/customers', { email: 'x' }),
      'email',
    ],
    ['a target that is too long', '414', 'headers_too_large', () => raw(`GET /${'x'.repeat(20_000)}`)],
    [
      'headers that are too large',
      '431',
      'headers_too_large',
      () => raw('GET /v1/events', `X-Big: ${'x'.repeat(20_000)}\r\n\r\n`),
    ],
    [
      'an expectation that fails',
      '417',
      'request_malformed',
      () => raw('POST /v1/customers', 'Expect: 200-ok\r\n\r\n'),
      'Expect',
    ],
    [
      'a coding that is unknown',
      '501',
      'request_malformed',
      () => raw('POST /v1/customers', 'Transfer-Encoding: xchunked\r\n\r\n'),
      'Transfer-Encoding',
    ],
    ['a version of HTTP that is unknown', '505', 'request_malformed', () => sendRaw(server, 'GET / HTTP/3.7\r\n\r\n')],
    ['something that is gone', '410', 'resource_missing', () => refused.test.get(`/v1/customers/${id}`), 'id'],
  ];
  test.each(table)('%s (%s) is %s', async (_what, _others, code, ask, param) => {
    expectRefusal(await ask(), code, param);
  });

  test('a key that was used for a different request (409) is 400', async () => {
    const headers = { 'Idempotency-Key': 'for two intents' };
    await account.test.post('/v1/customers', { name: 'one' }, headers);
    const answer = await account.test.post('/v1/customers', { name: 'two' }, headers);
    expectRefusal(answer, 'idempotency_key_reused', 'Idempotency-Key');
    expect(answer.json.error.type).toBe('idempotency_error');
  });

  const harmless: [header: string, value: string][] = [
    ['If-None-Match', '*'],
    ['If-Match', '"x"'],
    ['If-Modified-Since', 'Fri, 01 Jan 2100 00:00:00 GMT'],
    ['If-Unmodified-Since', 'Thu, 01 Jan 1970 00:00:00 GMT'],
    ['Range', 'bytes=0-1'],
    ['Accept', 'text/plain'],
    ['Accept', 'image/png;q=0'],
    ['Accept-Encoding', 'identity;q=0'],
    ['Accept-Charset', 'utf-7'],
    ['Accept-Language', 'xx'],
    ['Upgrade', 'h2c'],
    ['Max-Forwards', '0'],
    ['TE', 'trailers'],
    ['Origin', 'https://evil.example'],
    ['Cookie', 'a=b'],
    ['Content-Type', 'text/plain'],
    ['Content-Encoding', 'gzip'],
    ['Idempotency-Key', 'x'.repeat(300)],
    ['X-Forwarded-Proto', 'http'],
  ];
  test.each(harmless)(
    'a header that asks for something else changes nothing about a GET: %s: %s',
    async (name, value) => {
      const answer = await account.test.get('/v1/events?limit=1', { headers: { [name]: value } });
      expect(answer.status).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json');
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
      expect(answer.json.object).toBe('list');
    },
  );

  test.each(['HTTP/1.0', 'HTTP/1.1'])('%s is served', async (version) => {
    const bytes = `GET /v1/events ${version}\r\n${host}Connection: close\r\nAuthorization: Bearer ${account.testKey}\r\n\r\n`;
    expect((await sendRaw(server, bytes)).status).toBe(200);
  });

  test('an idempotency key that is too long, empty or not ASCII is 400', async () => {
    for (const key of ['x'.repeat(256), '', 'é', '\t'])
      expectRefusal(
        await raw('POST /v1/customers', `Idempotency-Key: ${key}\r\nContent-Length: 0\r\n\r\n`),
        'idempotency_key_invalid',
        'Idempotency-Key',
      );
  });
});

describe('no request can be smuggled inside another', () => {
  const inner = () => rawHead('POST /v1/customers', refused.testKey);
  test.each([
    ['both lengths', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['both lengths, the other way round', 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 0\r\nContent-Length: 400\r\n\r\n'],
    ['a coding that hides', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    ['a coding with a space', 'Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n'],
    ['a length with a sign', 'Content-Length: +0\r\n\r\n'],
    ['a bare line feed', 'X: y\nContent-Length: 0\r\n\r\n'],
    ['a chunk size that overflows', 'Transfer-Encoding: chunked\r\n\r\n10000000000000000\r\n\r\n'],
    ['a chunk extension with a line feed', 'Transfer-Encoding: chunked\r\n\r\n0;a\nb\r\n\r\n'],
  ])('%s', async (_what, frame) => {
    const answer = await raw('POST /v1/nothing', `${frame}${inner()}Content-Length: 0\r\n\r\n`);
    expectErrorShape(answer);
    expect(answer.status).toBeLessThan(500);
    expect((await refused.test.get('/v1/customers')).json.data).toEqual([]);
  });
});

describe('a client that leaves', () => {
  let left: TestServer;

  beforeAll(async () => {
    left = await startServer();
  });
  afterAll(() => left.stop());

  test.each([
    ['breaks off', (line: Line) => line.tcp.resetAndDestroy()],
    ['stops sending', (line: Line) => line.socket.end()],
  ])('and %s in the middle of its body causes no error in the server', async (_how, leave) => {
    const { testKey, test: client } = await left.account();
    const before = left.logged.length;
    const line = await dial({ port: left.gateway.port, ca: left.ca });
    const head = `POST /v1/customers HTTP/1.1\r\n${host}Authorization: Bearer ${testKey}\r\nContent-Type: application/json\r\n`;
    line.socket.write(`${head}Content-Length: 100\r\nExpect: 100-continue\r\n\r\n`);
    await becomes(() => line.received()).toContain('100 Continue');
    line.socket.write('{"name":');
    leave(line);
    await line.ended;
    // The server notices the loss while it serves other clients.
    for (let more = 0; more < 10; more++) expect((await client.get('/v1/events')).json.data).toEqual([]);
    const blamed = left.logged.slice(before).filter((one) => /failed with an internal error|"status":500/.test(one));
    expect(blamed).toEqual([]);
  });
});

describe('whatever is sent', () => {
  const piece = fc.constantFrom(
    ...['/', '/v1', '/v0', '/v2', '/customers', '/events', '/docs', '?', '&', '=', 'limit', 'created', '[', ']', '%5B'],
    ...[
      '%',
      '%2f',
      '%00',
      '%zz',
      '%ff',
      '%F0%9F%98%80',
      '..',
      '.',
      '#',
      ';',
      '\\',
      '~',
      ':id',
      '*',
      '+',
      '{',
      '"',
      '<',
    ],
    ...['cus_', 'cus_0000000000000000000000', '4242424242424242', '__proto__', 'constructor', '0', '-1', '1e9', '\xe9'],
  );
  const target = fc.array(piece, { maxLength: 12 }).map((pieces) => `/${pieces.join('')}`);
  const method = fc.constantFrom(
    'GET',
    'POST',
    'DELETE',
    'PUT',
    'PATCH',
    'OPTIONS',
    'TRACE',
    'QUERY',
    'PURGE',
    'SEARCH',
  );

  test('as a target and a method is answered from the list', async () => {
    const property = fc.asyncProperty(method, target, async (verb, path) => {
      newMinute();
      expectInList(await raw(`${verb} ${path}`));
    });
    await fc.assert(property, { numRuns: shareOf(2_500, 40) });
  });

  const header = fc.constantFrom(
    ...['Accept', 'Authorization', 'Content-Type', 'Content-Encoding', 'Content-Length', 'Transfer-Encoding', 'Host'],
    ...['Idempotency-Key', 'X-Service-Version', 'X-Service-Signature', 'X-Service-Timestamp', 'X-Forwarded-For'],
    ...['Connection', 'Upgrade', 'TE', 'Trailer', 'Range', 'Cookie', 'Content-Range', 'X'],
  );
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '1',
      '-1',
      'chunked',
      'identity',
      'gzip',
      'close',
      'application/json',
      '*/*; version=0',
      ',',
    ),
    fc.string({ maxLength: 30 }).map((text) => text.replaceAll(/[^\x20-\x7e]/g, '')),
    fc.constantFrom('\xff\xfe', '\t', '"', 'sha256=', 'Bearer', 'x'.repeat(5_000)),
  );

  test('as headers is answered from the list', async () => {
    const lines = fc.array(fc.tuple(header, value), { minLength: 1, maxLength: 4 });
    const property = fc.asyncProperty(lines, async (pairs) => {
      const extra = pairs.map(([name, of]) => `${name}: ${of}\r\n`).join('');
      // Two bytes of a body, so that no length makes the server wait for more.
      const framed = /^(content-length|transfer-encoding|connection)$/i;
      if (pairs.some(([name]) => framed.test(name))) return;
      newMinute();
      expectInList(await raw('POST /v1/customers/x', `${extra}Content-Length: 2\r\n\r\n{}`));
    });
    await fc.assert(property, { numRuns: shareOf(1_500, 30) });
  });

  const name = fc.constantFrom('name', 'email', 'phone', 'metadata', 'metadata[a]', 'metadata[]', 'x', '__proto__', '');
  const text = fc.oneof(
    fc.string(),
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('%', '%00', 'é', '\ud800', '\0'),
  );
  const jsonBody = fc.oneof(
    fc.json(),
    fc.dictionary(fc.oneof(name, text), fc.jsonValue()).map((parts) => JSON.stringify(parts)),
    fc.json().map((whole) => whole.slice(1)),
    fc.uint8Array({ maxLength: 50 }).map((bytes) => Buffer.from(bytes)),
  );
  const formBody = fc
    .array(fc.tuple(fc.oneof(name, text), text), { maxLength: 6 })
    .map((pairs) => pairs.map(([key, of]) => `${key}=${of}`).join('&'));

  test.each([
    ['JSON', 'application/json', jsonBody],
    ['a form', 'application/x-www-form-urlencoded', formBody],
  ] as const)('as %s is answered from the list', async (_what, type, body) => {
    const property = fc.asyncProperty<[string | Buffer]>(body as never, async (sent) => {
      const answer = await account.test.post('/v1/customers', sent, { 'Content-Type': type });
      expectInList(answer);
      expect([200, 400]).toContain(answer.status);
    });
    await fc.assert(property, { numRuns: shareOf(3_000, 60) });
  });
});

describe('after all this', () => {
  test('nothing failed in the server, and no refused request changed anything', async () => {
    expect(failures()).toEqual([]);
    expect((await refused.test.get('/v1/customers')).json.data).toEqual([]);
    expect((await refused.test.get('/v1/events')).json.data).toEqual([]);
  });
});
