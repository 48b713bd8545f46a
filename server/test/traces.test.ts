import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readTraceparent } from '../base/tracing/traceparent.ts';
import { answer, startReceiver } from '../outbox/receiver.fixture.ts';
import { startServer, type TestAccount, type TestServer } from './harness.ts';
import { patienceMs, until } from './processes/child.ts';
import { readRepository } from './repository.ts';

/** A span as it arrived, with its attributes as an object. */
type ReceivedSpan = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  status?: { code: number };
  facts: Record<string, string>;
};

/** A collector of traces: it keeps what is posted to it. */
class Collector {
  readonly bodies: string[] = [];
  readonly headers: Record<string, unknown>[] = [];
  status = 200;
  readonly #server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      this.headers.push({ ...request.headers, url: request.url });
      if (this.status === 200) this.bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(this.status).end('{}');
    });
  });

  async start(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
  }

  spans(): ReceivedSpan[] {
    return this.bodies.flatMap((body) => {
      const [{ scopeSpans }] = JSON.parse(body).resourceSpans;
      return scopeSpans[0].spans.map((span: ReceivedSpan & { attributes: { key: string; value: object }[] }) => ({
        ...span,
        facts: Object.fromEntries(span.attributes.map(({ key, value }) => [key, Object.values(value)[0]])),
      }));
    });
  }

  /** The spans of a trace, once there are as many. */
  trace(traceId: string, count: number): Promise<ReceivedSpan[]> {
    return until(`${count} spans of ${traceId}`, patienceMs, () => {
      const spans = this.spans().filter((span) => span.traceId === traceId);
      return spans.length >= count && spans;
    });
  }
}

const collector = new Collector();
const card = { number: '4242424242424242', exp_month: 12, exp_year: 2040, cvc: '737' };
let server: TestServer;
let account: TestAccount;
let method: string;

beforeAll(async () => {
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: await collector.start(),
    OTEL_EXPORTER_OTLP_HEADERS: 'x-collector-key=open%20sesame',
    OTEL_SERVICE_NAME: 'shop',
    SIMULATOR: 'remote',
    WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
  };
  server = await startServer({ environment, isAlone: true });
  account = await server.account();
  const made = await account.test.post('/v1/payment_methods', {
    type: 'card',
    card,
    billing_details: { name: 'Ada Canary', email: 'canary@example.com' },
  });
  method = made.json.id;
});
afterAll(async () => {
  await server.stop();
  collector.stop();
});

const callersTrace = 'ab'.repeat(16);
const callersSpan = 'cd'.repeat(8);

function pay(traceparent: string) {
  const body = { amount: 2_000, currency: 'usd', payment_method: method, description: 'canary words' };
  return account.test.post('/v1/payments', body, { traceparent });
}

describe('a payment of a caller with a trace', () => {
  test('is part of that trace, with its commits and its attempt', async () => {
    const paid = await pay(`00-${callersTrace}-${callersSpan}-01`);
    expect(paid.json.status).toBe('succeeded');
    const spans = await collector.trace(callersTrace, 4);
    const request = spans.find(({ name }) => name === 'payments.create')!;
    expect(request).toMatchObject({ parentSpanId: callersSpan, kind: 2 });
    expect(request.facts).toEqual({
      'http.request.method': 'POST',
      'http.route': '/v1/payments',
      'http.response.status_code': '200',
      'tollgate.request': paid.headers['request-id'],
      'tollgate.operation': 'payments.create',
      'tollgate.mode': 'test',
      'tollgate.object': paid.json.id,
    });
    const parts = spans.filter((span) => span !== request);
    expect(parts.map(({ name }) => name)).toEqual(['commit', 'processor authorize', 'commit']);
    expect(parts.every(({ parentSpanId, kind }) => parentSpanId === request.spanId && kind === 3)).toBe(true);
    expect(parts[1]!.facts).toMatchObject({ 'tollgate.connector': 'simulator', 'tollgate.outcome': 'approved' });
    expect(parts[0]!.facts).toMatchObject({ 'tollgate.verdict': 'committed' });
  });

  test('is not recorded when the caller does not sample it', async () => {
    const [unsampled, sampled] = ['12'.repeat(16), '34'.repeat(16)];
    await pay(`00-${unsampled}-${callersSpan}-00`);
    await pay(`00-${sampled}-${callersSpan}-01`);
    await collector.trace(sampled, 4);
    expect(collector.spans().filter(({ traceId }) => traceId === unsampled)).toEqual([]);
  });
});

test('a delivery starts its own trace, whatever has woken the deliverer', async () => {
  const receiver = await startReceiver(answer('500 No'));
  const url = `http://127.0.0.1:${receiver.port}/secret-path?token=secret-token`;
  const endpoint = await account.test.post('/v1/webhook_endpoints', { url, enabled_events: ['customer.created'] });
  await account.test.post('/v1/customers', { email: 'canary@example.com' });
  const delivery = await until('the span of the delivery', patienceMs, () =>
    collector.spans().find(({ name }) => name === 'webhook delivery'),
  );
  expect(delivery.parentSpanId).toBeUndefined();
  expect(delivery.status).toEqual({ code: 2 });
  expect(delivery.facts).toMatchObject({
    'tollgate.webhook_endpoint': endpoint.json.id,
    'http.response.status_code': '500',
    'tollgate.delivery.state': 'pending',
    'tollgate.delivery.attempt': '1',
  });
  const [commit] = (await collector.trace(delivery.traceId, 2)).filter(({ name }) => name === 'commit');
  expect(commit!.parentSpanId).toBe(delivery.spanId);
});

test('the collector learns whose spans they are, and nothing personal or secret', async () => {
  await server.anonymous.get('/healthz');
  await server.anonymous.get('/v1/customers?email=canary@example.com');
  const refused = await until('the span of the refusal', patienceMs, () =>
    collector.spans().find(({ facts }) => facts['tollgate.error_code'] === 'api_key_missing'),
  );
  expect(refused.name).toBe('customers.list');
  const sent = collector.bodies.join('\n');
  for (const secret of [
    card.number,
    `"${card.cvc}"`,
    'canary',
    'Canary',
    'secret-',
    account.testKey,
    '127.0.0.1',
    '/healthz',
  ])
    expect(sent).not.toContain(secret);
  expect(sent).toContain('{"key":"service.name","value":{"stringValue":"shop"}}');
  const headers = { url: '/v1/traces', 'content-type': 'application/json', 'x-collector-key': 'open sesame' };
  expect(collector.headers[0]).toMatchObject(headers);
});

test('a collector that refuses is logged once, and delays nobody', async () => {
  collector.status = 503;
  const warned = () => server.logged.filter((line) => line.includes('could not send traces to the collector'));
  const posted = () => collector.headers.length;
  for (let seen = posted(), rounds = 0; rounds < 2; rounds += 1, seen = posted()) {
    expect((await account.test.get('/v1/customers')).status).toBe(200);
    await until('a refused post', patienceMs, () => posted() > seen);
  }
  await until('the warning', patienceMs, () => warned().length > 0);
  expect(warned().map((line) => JSON.parse(line))).toMatchObject([{ level: 'warn', error: 'it answered 503' }]);
  collector.status = 200;
});

test('the code that sends traces is imported only on demand', () => {
  const eager = readRepository().filter(({ isTest, text }) => !isTest && /from '[^']*\/otlp\.ts'/.test(text));
  expect(eager.map(({ path }) => path)).toEqual([]);
});

const ids = { traceId: callersTrace, spanId: callersSpan };
test.each([
  [`00-${callersTrace}-${callersSpan}-01`, { ...ids, isSampled: true }],
  [`00-${callersTrace}-${callersSpan}-00`, { ...ids, isSampled: false }],
  [`00-${callersTrace}-${callersSpan}-03`, { ...ids, isSampled: true }],
  [`cc-${callersTrace}-${callersSpan}-01-more`, { ...ids, isSampled: true }],
  [`00-${callersTrace}-${callersSpan}-01-more`, undefined],
  [`ff-${callersTrace}-${callersSpan}-01`, undefined],
  [`00-${'0'.repeat(32)}-${callersSpan}-01`, undefined],
  [`00-${callersTrace}-${'0'.repeat(16)}-01`, undefined],
  [`00-${callersTrace.toUpperCase()}-${callersSpan}-01`, undefined],
  [`00-${callersTrace}-${callersSpan}`, undefined],
  ['', undefined],
  [undefined, undefined],
])('traceparent %j is read as %j', (header, expected) => {
  expect(readTraceparent(header)).toEqual(expected);
});
