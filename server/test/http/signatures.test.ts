import { createHash, createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import type { Answer, Client } from '../client.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
import { expectRefusal, rawHead, sendRaw, unusedId } from './support.ts';

const path = '/v1/customers';

let clock: VirtualClock;
let server: TestServer;
let account: TestAccount;

beforeAll(async () => {
  clock = virtualClock(Math.floor(Date.now() / 1_000) * 1_000);
  server = await startServer({ clock });
  account = await server.account();
});
afterAll(() => server.stop());

const nowSeconds = () => clock.now() / 1_000;

function hmac(key: string, signed: string | Buffer): string {
  return createHmac('sha256', key).update(signed).digest('hex');
}

type Request = { method: string; target: string; body?: string; idempotencyKey?: string; timestamp?: number | string };

/** The headers of the form with a timestamp, written from the documentation and not from the code. */
function stamped(key: string, request: Request): Record<string, string> {
  const { method, target, body = '', idempotencyKey = '', timestamp = nowSeconds() } = request;
  const digest = createHash('sha256').update(body).digest('hex');
  const signature = hmac(key, `${timestamp}\n${method}\n${target}\n${idempotencyKey}\n${digest}`);
  return {
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Signature': `sha256=${signature}`,
    ...(idempotencyKey === '' ? {} : { 'Idempotency-Key': idempotencyKey }),
    ...(body === '' ? {} : { 'Content-Type': 'application/json' }),
  };
}

function send(client: Client, request: Request, headers: Record<string, string>): Promise<Answer> {
  return client.request(request.method, request.target, {
    headers,
    ...(request.body === undefined ? {} : { body: request.body }),
  });
}

/** A customer with a unique name, so that every signature differs. */
function creation(more: Partial<Request> = {}): Request {
  return { method: 'POST', target: path, body: `{"name":"${randomUUID()}"}`, ...more };
}

const json = { 'Content-Type': 'application/json' };

describe('without a timestamp the raw body is signed', () => {
  const sign = (body: string) => ({ ...json, 'X-Service-Signature': `sha256=${hmac(account.testKey, body)}` });

  test('and a correct signature is accepted, in lower and upper case', async () => {
    const body = '{ "name" : "Ada" }';
    const { 'X-Service-Signature': signature } = sign(body);
    const capital = `sha256=${signature.slice(7).toUpperCase()}`;
    for (const one of [signature, capital])
      expect((await account.test.post(path, body, { ...json, 'X-Service-Signature': one })).status).toBe(200);
  });

  test('to the byte, as a form too', async () => {
    const body = 'name=Ada&phone=%31';
    const headers = { ...sign(body), 'Content-Type': 'application/x-www-form-urlencoded' };
    expect((await account.test.post(path, body, headers)).status).toBe(200);
    expectRefusal(await account.test.post(path, `${body}&`, headers), 'signature_invalid', 'X-Service-Signature');
  });

  test('which is empty for GET and DELETE', async () => {
    const headers = { 'X-Service-Signature': `sha256=${hmac(account.testKey, '')}` };
    expect((await account.test.get(path, { headers })).status).toBe(200);
    const { id } = (await account.test.post(path, {})).json;
    expect((await account.test.delete(`${path}/${id}`, headers)).status).toBe(200);
  });

  test('equal bodies have equal signatures, and a repetition is a new request', async () => {
    const body = '{"name":"twice"}';
    const answers = [await account.test.post(path, body, sign(body)), await account.test.post(path, body, sign(body))];
    expect(new Set(answers.map((answer) => answer.json.id)).size).toBe(2);
  });

  test('a chunked body is signed without its framing', async () => {
    const body = '{"name":"Ada"}';
    const signature = `X-Service-Signature: sha256=${hmac(account.testKey, body)}\r\n`;
    const head = `${rawHead(`POST ${path}`, account.testKey)}Content-Type: application/json\r\n${signature}`;
    const chunks = `Transfer-Encoding: chunked\r\n\r\n4\r\n${body.slice(0, 4)}\r\na\r\n${body.slice(4)}\r\n0\r\n\r\n`;
    expect((await sendRaw(server, head + chunks)).status).toBe(200);
  });
});

describe('with a timestamp five lines are signed', () => {
  test('and a correct signature is accepted, in lower and upper case', async () => {
    for (const change of [(text: string) => text, (text: string) => text.toUpperCase()]) {
      const request = creation();
      const headers = stamped(account.testKey, request);
      headers['X-Service-Signature'] = `sha256=${change(headers['X-Service-Signature']!.slice(7))}`;
      expect((await send(account.test, request, headers)).status).toBe(200);
    }
  });

  test('by every kind of key', async () => {
    const live = creation();
    expect((await send(account.live, live, stamped(account.liveKey, live))).status).toBe(200);
    const { key, client } = await server.key(account.id, { scopes: ['customers:write'] });
    const request = creation();
    expect((await send(client, request, stamped(key, request))).status).toBe(200);
  });

  test('with the request target exactly as it is on the request line', async () => {
    const target = '/customers?limit=1&created%5Bgte%5D=1&created%5Blt%5D=99999999999';
    const signedAs = async (signed: string) => {
      const lines = Object.entries(stamped(account.testKey, { method: 'GET', target: signed }));
      const headers = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
      return sendRaw(server, `${rawHead(`GET ${target}`, account.testKey)}${headers}\r\n`);
    };
    expect((await signedAs(target)).status).toBe(200);
    for (const other of [
      `/v1${target}`,
      '/customers',
      decodeURIComponent(target),
      `${target}&`,
      `https://localhost${target}`,
    ])
      expectRefusal(await signedAs(other), 'signature_invalid', 'X-Service-Signature');
  });

  const made = creation({ idempotencyKey: 'one intent' });
  const tampered: [what: string, signed: Partial<Request>][] = [
    ['another timestamp', { timestamp: 1_700_000_000 }],
    ['another method', { method: 'PUT' }],
    ['a small method', { method: 'post' }],
    ['another path', { target: '/v1/events' }],
    ['a query', { target: `${path}?` }],
    ['another idempotency key', { idempotencyKey: 'another intent' }],
    ['no idempotency key', { idempotencyKey: '' }],
    ['another body', { body: `${made.body} ` }],
    ['no body', { body: '' }],
  ];
  test.each(tampered)('and each of them counts: %s', async (_what, signed) => {
    const good = stamped(account.testKey, made);
    const { 'X-Service-Signature': signature } = stamped(account.testKey, { ...made, ...signed });
    const answer = await send(account.test, made, { ...good, 'X-Service-Signature': signature! });
    expectRefusal(answer, 'signature_invalid', 'X-Service-Signature');
  });

  test('an idempotency key that was added in transit is detected', async () => {
    const request = creation();
    const headers = { ...stamped(account.testKey, request), 'Idempotency-Key': randomUUID() };
    expectRefusal(await send(account.test, request, headers), 'signature_invalid', 'X-Service-Signature');
  });

  test('a timestamp that was removed in transit is detected', async () => {
    const request = creation();
    const { 'X-Service-Timestamp': _taken, ...headers } = stamped(account.testKey, request);
    expectRefusal(await send(account.test, request, headers), 'signature_invalid', 'X-Service-Signature');
  });
});

describe('a signature that is present is always checked', () => {
  const good = 'a'.repeat(64);
  test.each([
    ['of another key', () => `sha256=${hmac(account.liveKey, '{}')}`],
    ['of nobody', () => `sha256=${good}`],
    ['without sha256=', () => hmac(account.testKey, '{}')],
    ['of another algorithm', () => `sha1=${good.slice(24)}`],
    ['too short', () => `sha256=${hmac(account.testKey, '{}').slice(1)}`],
    ['too long', () => `sha256=${hmac(account.testKey, '{}')}0`],
    ['not hexadecimal', () => `sha256=${'g'.repeat(64)}`],
    ['in base64', () => `sha256=${Buffer.from(hmac(account.testKey, '{}'), 'hex').toString('base64')}`],
    ['empty', () => ''],
    ['two in one', () => `sha256=${good}, sha256=${hmac(account.testKey, '{}')}`],
  ])('even by a key that need not sign: %s', async (_what, signature) => {
    const headers = { 'X-Service-Signature': signature() };
    const answers = [
      await account.test.post(path, '{}', { ...json, ...headers }),
      await account.test.get(path, { headers: { ...headers, 'X-Service-Timestamp': String(nowSeconds()) } }),
    ];
    for (const answer of answers) expectRefusal(answer, 'signature_invalid', 'X-Service-Signature');
  });

  test.each(['', 'now', '1e9', '-1', '1.5', '0x10', '99999999999999', '2026-01-01T00:00:00Z', '1700000000000000'])(
    'and so is its timestamp: "%s"',
    async (timestamp) => {
      const request = creation({ timestamp });
      const answer = await send(account.test, request, stamped(account.testKey, request));
      expectRefusal(answer, 'signature_invalid', 'X-Service-Timestamp');
    },
  );

  test('a timestamp alone is not a signature', async () => {
    const headers = { 'X-Service-Timestamp': '1' };
    expect((await account.test.get(path, { headers })).status).toBe(200);
  });
});

describe('a timestamp is accepted within 300 seconds of the server time', () => {
  test.each([
    [-300, true],
    [-299, true],
    [0, true],
    [300, true],
    [-301, false],
    [301, false],
    [-86_400, false],
    [86_400, false],
  ])('%i s: %s', async (offset, holds) => {
    const request = creation({ timestamp: nowSeconds() + offset });
    const answer = await send(account.test, request, stamped(account.testKey, request));
    if (holds) return expect(answer.status).toBe(200);
    expectRefusal(answer, 'signature_expired', 'X-Service-Timestamp');
    expect(answer.json.error.message).toContain(String(nowSeconds()));
  });

  test('and a wrong signature with an old timestamp is refused as wrong', async () => {
    const request = creation({ timestamp: 1 });
    const headers = stamped(account.liveKey, request);
    expectRefusal(await send(account.test, request, headers), 'signature_invalid', 'X-Service-Signature');
  });

  test('a signature that was accepted expires later', async () => {
    const request: Request = { method: 'GET', target: path };
    const headers = stamped(account.testKey, request);
    expect((await send(account.test, request, headers)).status).toBe(200);
    clock.advance(301_000);
    expectRefusal(await send(account.test, request, headers), 'signature_expired', 'X-Service-Timestamp');
  });
});

describe('a signed request that changes something', () => {
  test('is accepted once', async () => {
    const request = creation();
    const headers = stamped(account.testKey, request);
    expect((await send(account.test, request, headers)).status).toBe(200);
    for (let again = 0; again < 3; again++)
      expectRefusal(await send(account.test, request, headers), 'signature_replayed', 'X-Service-Signature');
    expect(await customersNamed(request)).toBe(1);
  });

  test('is accepted once, whatever the case of its digits', async () => {
    const request = creation();
    const headers = stamped(account.testKey, request);
    expect((await send(account.test, request, headers)).status).toBe(200);
    headers['X-Service-Signature'] = `sha256=${headers['X-Service-Signature']!.slice(7).toUpperCase()}`;
    expectRefusal(await send(account.test, request, headers), 'signature_replayed', 'X-Service-Signature');
  });

  test('is accepted once, however many copies arrive together at several instances', async () => {
    const second = await startServer({ databaseUrl: server.databaseUrl, clock });
    try {
      const clients = [account.test, second.client(account.testKey)];
      const request = creation();
      const headers = stamped(account.testKey, request);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, at) => send(clients[at % 2]!, request, headers)),
      );
      expect(answers.filter((answer) => answer.status === 200).length).toBe(1);
      for (const answer of answers)
        if (answer.status !== 200) expectRefusal(answer, 'signature_replayed', 'X-Service-Signature');
      expect(await customersNamed(request)).toBe(1);
    } finally {
      await second.stop();
    }
  });

  test('cannot be replayed to undo a later change', async () => {
    const { id } = (await account.test.post(path, { name: 'one' })).json;
    const request = creation({ target: `${path}/${id}`, body: '{"name":"two"}' });
    const headers = stamped(account.testKey, request);
    expect((await send(account.test, request, headers)).json.name).toBe('two');
    await account.test.post(`${path}/${id}`, { name: 'three' });
    expectRefusal(await send(account.test, request, headers), 'signature_replayed', 'X-Service-Signature');
    expect((await account.test.get(`${path}/${id}`)).json.name).toBe('three');
  });

  test('has one effect when it deletes', async () => {
    const { id } = (await account.test.post(path, {})).json;
    const request: Request = { method: 'DELETE', target: `${path}/${id}` };
    const headers = stamped(account.testKey, request);
    expect((await send(account.test, request, headers)).json).toEqual({ id, object: 'customer', deleted: true });
    expectRefusal(await send(account.test, request, headers), 'signature_replayed', 'X-Service-Signature');
    const { data } = (await account.test.get('/v1/events?type=customer.deleted')).json;
    expect(
      data.filter((event: { data: { object: object } }) => 'id' in event.data.object && event.data.object.id === id)
        .length,
    ).toBe(1);
  });

  test('is not used up by a refusal of its parameters, which needs no stored state', async () => {
    const unknown = creation({ body: '{"colour":"red"}' });
    const headers = stamped(account.testKey, unknown);
    for (let again = 0; again < 2; again++)
      expectRefusal(await send(account.test, unknown, headers), 'parameter_unknown', 'colour');
  });

  test('is accepted beside one that differs only in its timestamp', async () => {
    const request = creation();
    const answers = [];
    for (const timestamp of [nowSeconds(), nowSeconds() + 1])
      answers.push(await send(account.test, request, stamped(account.testKey, { ...request, timestamp })));
    expect(answers.map((answer) => answer.status)).toEqual([200, 200]);
    expect(await customersNamed(request)).toBe(2);
  });

  async function customersNamed(request: Request): Promise<number> {
    const { name } = JSON.parse(request.body!);
    const { rows } = await server.sql.query('select count(*) as count from customers where name = $1', [name]);
    return Number(rows[0].count);
  }
});

describe('a signed request that may be repeated', () => {
  test('can read any number of times', async () => {
    const request: Request = { method: 'GET', target: `${path}?limit=1` };
    const headers = stamped(account.testKey, request);
    for (let again = 0; again < 3; again++) expect((await send(account.test, request, headers)).status).toBe(200);
  });

  test('with an idempotency key gets its first answer again', async () => {
    const request = creation({ idempotencyKey: randomUUID() });
    const headers = stamped(account.testKey, request);
    const first = await send(account.test, request, headers);
    const again = await send(account.test, request, headers);
    expect([first.status, again.status, again.headers['idempotent-replayed']]).toEqual([200, 200, 'true']);
    expect(again.text).toBe(first.text);
  });

  test('with an idempotency key may be signed again for a retry', async () => {
    const request = creation({ idempotencyKey: randomUUID() });
    const first = await send(account.test, request, stamped(account.testKey, request));
    const later = { ...request, timestamp: nowSeconds() + 60 };
    const again = await send(account.test, later, stamped(account.testKey, later));
    expect(again.text).toBe(first.text);
    expect(again.headers['idempotent-replayed']).toBe('true');
  });

  test('with an idempotency key is still checked', async () => {
    const request = creation({ idempotencyKey: randomUUID() });
    await send(account.test, request, stamped(account.testKey, request));
    const headers = { ...stamped(account.testKey, request), 'X-Service-Signature': `sha256=${'0'.repeat(64)}` };
    expectRefusal(await send(account.test, request, headers), 'signature_invalid', 'X-Service-Signature');
  });
});

describe('a key that requires signatures', () => {
  let key: string;
  let client: Client;

  beforeAll(async () => {
    ({ key, client } = await server.key(account.id, { signatureRequired: true }));
  });

  test('refuses a request without a signature, to read and to write', async () => {
    expectRefusal(await client.get(path), 'signature_missing', 'X-Service-Signature');
    expectRefusal(await client.post(path, {}), 'signature_missing', 'X-Service-Signature');
    expectRefusal(await client.delete(`${path}/${unusedId('cus')}`), 'signature_missing', 'X-Service-Signature');
    const headers = { 'X-Service-Timestamp': String(nowSeconds()) };
    expectRefusal(await client.get(path, { headers }), 'signature_missing', 'X-Service-Signature');
  });

  test('refuses the form without a timestamp, even if it is correct', async () => {
    const headers = { 'X-Service-Signature': `sha256=${hmac(key, '')}` };
    expectRefusal(await client.get(path, { headers }), 'signature_missing', 'X-Service-Timestamp');
  });

  test('accepts the form with a timestamp', async () => {
    const request = creation();
    expect((await send(client, request, stamped(key, request))).status).toBe(200);
    const read: Request = { method: 'GET', target: path };
    expect((await send(client, read, stamped(key, read))).status).toBe(200);
  });

  test('refuses a wrong, an expired and a used signature', async () => {
    const request = creation();
    const old = { ...request, timestamp: nowSeconds() - 301 };
    expectRefusal(
      await send(client, request, stamped(account.testKey, request)),
      'signature_invalid',
      'X-Service-Signature',
    );
    expectRefusal(await send(client, old, stamped(key, old)), 'signature_expired', 'X-Service-Timestamp');
    await send(client, request, stamped(key, request));
    expectRefusal(await send(client, request, stamped(key, request)), 'signature_replayed', 'X-Service-Signature');
  });
});
