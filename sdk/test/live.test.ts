import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { Agent, fetch as fetchWith } from 'undici';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, type TestAccount, type TestServer } from '../../server/test/harness.ts';
import {
  AuthenticationError,
  CardError,
  type Fetch,
  IdempotencyError,
  InvalidRequestError,
  PermissionError,
  RateLimitError,
  Tollgate,
  type TollgateOptions,
  webhooks,
} from '../src/index.ts';

/** The client against a whole gateway, over TLS. */

let server: TestServer;
let account: TestAccount;
let agent: Agent;
let fetch: Fetch;

beforeAll(async () => {
  server = await startServer({ purpose: 'dev', environment: { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' } });
  account = await server.account();
  agent = new Agent({ connect: { ca: server.ca } });
  fetch = (url, init) => fetchWith(url, { ...init, dispatcher: agent } as never) as unknown as Promise<Response>;
});

afterAll(async () => {
  await agent.close();
  await server.stop();
});

function client(options: object = {}): Tollgate {
  const given = { baseUrl: server.baseUrl, apiKey: account.testKey, fetch, ...options };
  return new Tollgate(given as TollgateOptions);
}

const card = (number: string) => ({ type: 'card' as const, card: { number, exp_month: 12, exp_year: 2040 } });

async function errorOf(call: PromiseLike<unknown>): Promise<unknown> {
  return call.then(
    () => undefined,
    (error) => error,
  );
}

test('a payment is made, refunded and found again', async () => {
  const tollgate = client();
  const customer = await tollgate.customers.create({ name: 'Ada Lovelace', metadata: { plan: 'gold' } });
  const { id } = await tollgate.paymentMethods.create({ ...card('4242424242424242'), customer: customer.id });
  const payment = await tollgate.payments.create({ amount: 2000, currency: 'eur', payment_method: id });
  expect(payment).toMatchObject({ object: 'payment', status: 'succeeded', amount_received: 2000 });
  const refund = await tollgate.refunds.create({ payment: payment.id, amount: 500 });
  expect(refund.status).toBe('succeeded');
  expect(await tollgate.payments.retrieve(payment.id)).toMatchObject({ amount_refunded: 500 });
  expect((await tollgate.customers.listPaymentMethods(customer.id)).data.map((one) => one.id)).toEqual([id]);
  await tollgate.customers.update(customer.id, { name: null });
  expect(await tollgate.customers.retrieve(customer.id)).not.toHaveProperty('name');
  expect(await tollgate.customers.delete(customer.id)).toMatchObject({ deleted: true });
  expect(await tollgate.request('GET', '/v1/balance')).toMatchObject({ object: 'balance' });
});

test('a document comes as bytes, and its refusal as an error', async () => {
  const tollgate = client();
  const { id } = await tollgate.paymentMethods.create(card('4242424242424242'));
  const body = { amount: 2000, currency: 'eur', payment_method: id };
  const paid = await tollgate.payments.create(body);
  const bytes = await tollgate.payments.receipt(paid.id);
  expect(bytes).toBeInstanceOf(Uint8Array);
  expect(new TextDecoder('latin1').decode(bytes)).toMatch(/^%PDF-1\.7\n.*%%EOF\s*$/s);
  const held = await tollgate.payments.create({ ...body, capture_method: 'manual' });
  expect(await errorOf(tollgate.payments.receipt(held.id))).toMatchObject({ code: 'payment_not_received' });
});

test('balance transactions come as a stream of CSV', async () => {
  const csv = await client().balance.listTransactionsCsv({ type: 'refund' });
  const [head, ...rows] = (await buffer(csv)).toString().trim().split('\n');
  expect(head).toContain('amount');
  expect(rows).toHaveLength(1);
});

test('refusals are errors of their class', async () => {
  const tollgate = client();
  const declined = await tollgate.paymentMethods.create(card('4000000000009995'));
  const params = { amount: 700, currency: 'eur', payment_method: declined.id };
  const error = await errorOf(tollgate.payments.create(params, { idempotencyKey: 'declined' }));
  expect(error).toBeInstanceOf(CardError);
  expect(error).toMatchObject({
    ...{ status: 402, code: 'card_declined', declineCode: 'insufficient_funds', type: 'card_error' },
    payment: expect.stringMatching(/^py_/),
    requestId: expect.stringMatching(/^req_/),
    helpUrl: `${server.baseUrl}/docs/errors#card_declined`,
    idempotencyKey: 'declined',
  });
  const reused = await errorOf(tollgate.payments.create({ ...params, amount: 8 }, { idempotencyKey: 'declined' }));
  expect(reused).toBeInstanceOf(IdempotencyError);
  const invalid = await errorOf(tollgate.payments.create({ ...params, currency: 'xxx' }));
  expect(invalid).toBeInstanceOf(InvalidRequestError);
  expect(invalid).toMatchObject({ code: 'currency_unknown', param: 'currency' });
  expect(await errorOf(tollgate.payments.retrieve('py_1'))).toMatchObject({ status: 404, code: 'resource_missing' });
  const stranger = client({ apiKey: 'sk_test_tg_wrong' });
  expect(await errorOf(stranger.payments.list())).toBeInstanceOf(AuthenticationError);
  const { key } = await server.key(account.id, { scopes: ['events:read'] });
  expect(await errorOf(client({ apiKey: key }).balance.retrieve())).toBeInstanceOf(PermissionError);
});

test('too many requests are a RateLimitError that says when to come back', async () => {
  const { testKey } = await server.account({ tier: 'enterprise', rateLimit: 1 });
  const tollgate = client({ apiKey: testKey, maxRetries: 0 });
  const errors = [];
  // A new minute may begin in between.
  for (let request = 0; request < 3; request++) errors.push(await errorOf(tollgate.balance.retrieve()));
  const limited = errors.find((error) => error !== undefined);
  expect(limited).toBeInstanceOf(RateLimitError);
  expect((limited as RateLimitError).retryAfterSeconds).toBeGreaterThan(0);
});

describe('a list', () => {
  const names = ['g', 'f', 'e', 'd', 'c', 'b', 'a'];
  let tollgate: Tollgate;
  beforeAll(async () => {
    tollgate = client({ apiKey: (await server.account()).testKey });
    for (const name of names.toReversed()) await tollgate.customers.create({ name });
  });

  test('is read over several pages, newest first', async () => {
    let requests = 0;
    const listing = tollgate.customers.list({ limit: 3 }, { onResponse: () => void requests++ });
    expect((await Array.fromAsync(listing)).map(({ name }) => name)).toEqual(names);
    expect(requests).toBe(3);
    const pages = await Array.fromAsync(tollgate.customers.list({ limit: 3 }).pages());
    expect(pages.map(({ data }) => data.length)).toEqual([3, 3, 1]);
  });

  test('requests no more pages than are looked at', async () => {
    let requests = 0;
    for await (const _ of tollgate.customers.list({ limit: 2 }, { onResponse: () => void requests++ })) break;
    expect(requests).toBe(1);
  });

  test('goes from a position, in both directions, and by filters', async () => {
    const page = await tollgate.customers.list({ limit: 5 });
    expect(page).toMatchObject({ object: 'list', has_more: true });
    const fifth = page.data[4]!;
    const older = await Array.fromAsync(tollgate.customers.list({ limit: 1, starting_after: fifth.id }));
    expect(older.map(({ name }) => name)).toEqual(['b', 'a']);
    const newer = await Array.fromAsync(tollgate.customers.list({ limit: 3, ending_before: fifth.id }));
    expect(newer.map(({ name }) => name)).toEqual(['d', 'e', 'f', 'g']);
    expect((await tollgate.customers.list({ created: { lt: 1_000 } })).data).toEqual([]);
    const events = await Array.fromAsync(tollgate.events.list({ type: 'customer.created', limit: 4 }));
    expect(events).toHaveLength(7);
  });

  test('is requested once, however often it is awaited, and fails like any call', async () => {
    let requests = 0;
    const listing = tollgate.customers.list({ limit: 7 }, { onResponse: () => void requests++ });
    const [one, other] = await Promise.all([listing, listing]);
    expect(one).toBe(other);
    expect(await Array.fromAsync(listing)).toHaveLength(7);
    expect(requests).toBe(1);
    const message = await tollgate.customers.list({ limit: 101 }).catch((error) => (error as Error).message);
    expect(message).toContain('limit');
  });
});

test('a key that requires signatures accepts signed requests only', async () => {
  const { key } = await server.key(account.id, { signatureRequired: true });
  const unsigned = client({ apiKey: key, maxRetries: 0 });
  expect(await errorOf(unsigned.customers.create({}))).toMatchObject({ code: 'signature_missing' });
  const signing = client({ apiKey: key, sign: true });
  const created = await signing.customers.create({ name: 'Zoë', metadata: { a: 'b c' } });
  await signing.customers.update(created.id, {});
  expect((await signing.customers.list({ limit: 1, created: { gte: 7 } })).data[0]!.id).toBe(created.id);
  expect(await signing.customers.delete(created.id)).toMatchObject({ deleted: true });
});

describe('a payment is made once, although', () => {
  /** Pays with a network that fails so often, and counts what has become of it. */
  async function pay(options: Partial<TollgateOptions>): Promise<void> {
    const { testKey } = await server.account();
    const { id } = await client({ apiKey: testKey }).paymentMethods.create(card('4242424242424242'));
    const paid = await client({ apiKey: testKey, ...options }).payments.create({
      amount: 900,
      currency: 'eur',
      payment_method: id,
    });
    const all = await client({ apiKey: testKey }).payments.list();
    expect(all.data.map((one) => one.id)).toEqual([paid.id]);
  }

  test('its response is lost', async () => {
    let lost = 0;
    await pay({
      async fetch(url, init) {
        const response = await fetch(url, init);
        if (lost++ < 2) throw new TypeError('fetch failed', { cause: new Error('other side closed') });
        return response;
      },
    });
    expect(lost).toBe(3);
  });

  test('its response comes too late', async () => {
    const waiting: Promise<unknown>[] = [];
    await pay({
      // On a busy machine, later responses may come too late as well.
      timeoutMs: 500,
      maxRetries: 9,
      async fetch(url, init) {
        if (waiting.length > 0) return fetch(url, init);
        // The request goes on at the gateway; the client has stopped waiting.
        const { signal, ...rest } = init;
        waiting.push(fetch(url, rest));
        return new Promise((_, reject) => signal!.addEventListener('abort', () => reject(signal!.reason)));
      },
    });
    await Promise.all(waiting);
  });

  test('the connection is reset after the request was sent', async () => {
    let connections = 0;
    const { port } = new URL(server.baseUrl);
    const proxy = createTcpServer((socket) => {
      const upstream = connect(Number(port), 'localhost');
      const isFirst = connections++ === 0;
      for (const end of [socket, upstream]) end.on('error', () => {});
      socket.on('close', () => upstream.destroy());
      socket.pipe(upstream);
      let records = 0;
      // Of the gateway's packets, those after the handshake are the response.
      upstream.on('data', (bytes) => {
        if (isFirst && ++records > 2) socket.resetAndDestroy();
        else socket.write(bytes);
      });
    });
    await new Promise<void>((resolve) => void proxy.listen(0, resolve));
    try {
      await pay({ baseUrl: `https://localhost:${(proxy.address() as AddressInfo).port}` });
      expect(connections).toBe(2);
    } finally {
      await agent.destroy();
      agent = new Agent({ connect: { ca: server.ca } });
      proxy.close();
    }
  });
});

describe('a webhook', () => {
  type Received = { body: Buffer; headers: IncomingHttpHeaders };
  const received: Received[] = [];
  let receiver: Server;

  beforeAll(async () => {
    receiver = createServer(async (request, response) => {
      received.push({ body: await buffer(request), headers: request.headers });
      response.end();
    });
    await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  });
  afterAll(() => void receiver.close());

  test('of the gateway is verified, also while its secret is rotated', async () => {
    const tollgate = client();
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
    const endpoint = await tollgate.webhookEndpoints.create({ url, enabled_events: ['customer.created'] });
    await tollgate.customers.create({ name: 'Grace Hopper' });
    await expect.poll(() => received.length).toBe(1);
    const event = await webhooks.verify(received[0]!.body, received[0]!.headers, endpoint.secret);
    expect(event.type === 'customer.created' && event.data.object.name).toBe('Grace Hopper');

    const { secret } = await tollgate.webhookEndpoints.rotateSecret(endpoint.id);
    const isRotating = ({ headers }: Received) => 'x-service-signature-next' in headers;
    // A running gateway applies the change within a second.
    await expect
      .poll(() => tollgate.webhookEndpoints.test(endpoint.id).then(() => received.some(isRotating)), { interval: 200 })
      .toBe(true);
    const { body, headers } = received.find(isRotating)!;
    for (const known of [endpoint.secret, secret, [endpoint.secret, secret]])
      expect((await webhooks.verify(body, headers, known)).type).toBe('webhook_endpoint.test');
  });
});
