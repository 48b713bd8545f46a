import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { expectRefusal, rawHead, sendRaw, unusedId } from './support.ts';

// Its own server: requests without a key are counted by address, and other tests send many.
let server: TestServer;
let account: TestAccount;
/** An account whose changes are all refused. */
let refused: TestAccount;

beforeAll(async () => {
  server = await startServer();
  account = await server.account();
  refused = await server.account();
});
afterAll(() => server.stop());

const json = { 'Content-Type': 'application/json' };

describe('the order of checks: of two faults the earlier one is reported', () => {
  const wrongSignature = { 'X-Service-Signature': `sha256=${'0'.repeat(64)}` };
  const large = Buffer.alloc(300_000, 'x');

  /** A key of an account that has used up its window, and one that is revoked besides. */
  async function exhausted() {
    const spent = await server.account({ rateLimit: 1 });
    const revoked = await server.key(spent.id, {});
    await server.sql.query('update api_keys set revoked_at = now() where id = $1', [revoked.id]);
    return { spent, revoked: revoked.client };
  }

  test('transport before key', async () => {
    expectRefusal(await sendRaw(server, `${rawHead('GET /v1/customers')}Host: b\r\n\r\n`), 'header_repeated', 'Host');
    expectRefusal(await sendRaw(server, `${rawHead('GET /v1/customers')}\r\n`, { tls: false }), 'https_required');
    expectRefusal(await sendRaw(server, `${rawHead('GET /x')}Expect: y\r\n\r\n`), 'request_malformed', 'Expect');
  });

  test('key before rate limit', async () => {
    const { spent, revoked } = await exhausted();
    await spent.test.get('/v1/events');
    expectRefusal(await revoked.get('/v1/events'), 'api_key_revoked', 'Authorization');
    expectRefusal(await server.anonymous.get('/v1/events'), 'api_key_missing', 'Authorization');
  });

  test('rate limit before version', async () => {
    const { spent } = await exhausted();
    const answers = [];
    // One new minute may begin meanwhile, in which a request is served.
    for (let at = 0; at < 3; at++) answers.push(await spent.test.get('/v0/events'));
    const codes = answers.map((answer) => answer.json.error.code);
    expect(codes).toContain('rate_limited');
    expectRefusal(answers[codes.indexOf('rate_limited')]!, 'rate_limited');
  });

  test('key before version and route', async () => {
    expectRefusal(await server.anonymous.get('/v0/nothing'), 'api_key_missing', 'Authorization');
    expectRefusal(
      await server.anonymous.get('/v1/customers/x', { headers: wrongSignature }),
      'api_key_missing',
      'Authorization',
    );
  });

  test('version before route', async () => {
    expectRefusal(await refused.test.get('/v0/nothing'), 'version_retired', 'path');
    expectRefusal(await refused.test.get('/v7/nothing'), 'version_unknown', 'path');
    const headers = { 'X-Service-Version': '2' };
    expectRefusal(await refused.test.get('/v1/nothing', { headers }), 'version_conflict', 'X-Service-Version');
  });

  test.each([
    ['a path that cannot be decoded', '/%zz'],
    ['an id that is too long', `/customers/${'x'.repeat(1_001)}`],
  ])('key, rate limit and version before %s', async (_what, path) => {
    expectRefusal(await server.anonymous.get(`/v1${path}`), 'api_key_missing', 'Authorization');
    expectRefusal(await refused.test.get(`/v0${path}`), 'version_retired', 'path');
    const { revoked } = await exhausted();
    expectRefusal(await revoked.get(`/v1${path}`), 'api_key_revoked', 'Authorization');
  });

  test('route before IP', async () => {
    const { client } = await server.key(refused.id, { allowedIps: ['10.0.0.1'] });
    expectRefusal(await client.get('/v1/nothing'), 'url_unrecognized');
    expectRefusal(await client.request('PUT', '/v1/customers'), 'url_unrecognized');
  });

  test('IP before scope', async () => {
    const { client } = await server.key(refused.id, { allowedIps: ['10.0.0.1'], scopes: [] });
    expectRefusal(await client.get('/v1/customers'), 'ip_not_allowed');
  });

  test('scope before body bytes', async () => {
    const { client } = await server.key(refused.id, { scopes: [] });
    expectRefusal(await client.post('/v1/customers', large, json), 'scope_missing');
    expectRefusal(await client.request('GET', '/v1/customers', { body: {} }), 'scope_missing');
  });

  test('body bytes before signature', async () => {
    const { client } = await server.key(refused.id, { signatureRequired: true });
    expectRefusal(await client.post('/v1/customers', large, json), 'body_too_large');
    const answer = await refused.test.post('/v1/customers', large, { ...json, ...wrongSignature });
    expectRefusal(answer, 'body_too_large');
  });

  test.each([
    ['that is not JSON', '{', { 'Content-Type': 'application/json' }],
    ['with a key twice', '{"a":1,"a":2}', { 'Content-Type': 'application/json' }],
    ['of another type', 'x', { 'Content-Type': 'text/plain' }],
    ['of no type', 'x', {}],
    ['of a type that is none', 'x', { 'Content-Type': 'garbage' }],
    ['that is compressed', 'x', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }],
  ])('signature before the parsing of a body %s', async (_what, body, headers) => {
    const { client } = await server.key(refused.id, { signatureRequired: true });
    expectRefusal(await client.post('/v1/customers', body, headers), 'signature_missing', 'X-Service-Signature');
    const answer = await refused.test.post('/v1/customers', body, { ...headers, ...wrongSignature });
    expectRefusal(answer, 'signature_invalid', 'X-Service-Signature');
  });

  test('body bytes before the type of a body', async () => {
    expectRefusal(await refused.test.post('/v1/customers', large, { 'Content-Type': 'text/plain' }), 'body_too_large');
    expectRefusal(await refused.test.post('/v1/customers', large, { 'Content-Type': 'garbage' }), 'body_too_large');
  });

  test('parsing before parameters', async () => {
    const answer = await refused.test.post('/v1/customers', '{"colour":1,"name":1,"name":2}', json);
    expectRefusal(answer, 'parameter_invalid', 'name');
    expectRefusal(await refused.test.get('/v1/customers?colour=1&limit=%zz'), 'parameter_invalid', 'limit');
  });

  test('parameters before idempotency', async () => {
    const invalid = { 'Idempotency-Key': 'x'.repeat(256) };
    expectRefusal(await refused.test.post('/v1/customers', { colour: 1 }, invalid), 'parameter_unknown', 'colour');
    const used = { 'Idempotency-Key': 'used for parameters' };
    await account.test.post('/v1/customers', {}, used);
    expectRefusal(await account.test.post('/v1/customers', { colour: 1 }, used), 'parameter_unknown', 'colour');
  });

  test('idempotency before state', async () => {
    const used = { 'Idempotency-Key': 'used for state' };
    await account.test.post('/v1/customers', {}, used);
    const missing = `/v1/customers/${unusedId('cus')}`;
    for (const answer of [await account.test.post(missing, {}, used), await account.test.delete(missing, used)])
      expectRefusal(answer, 'idempotency_key_reused', 'Idempotency-Key');
    const invalid = { 'Idempotency-Key': 'x'.repeat(256) };
    expectRefusal(await refused.test.post(missing, {}, invalid), 'idempotency_key_invalid', 'Idempotency-Key');
  });

  test('parameters before state', async () => {
    const missing = `/v1/customers/${unusedId('cus')}`;
    expectRefusal(await refused.test.post(missing, { colour: 1 }), 'parameter_unknown', 'colour');
    expectRefusal(await refused.test.get(`${missing}?colour=1`), 'parameter_unknown', 'colour');
  });
});
