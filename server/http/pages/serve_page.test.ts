import pino from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { jsonPage, type Page, type PageRequest } from '../../base/page.ts';
import type { AnsweredRequest } from '../../resources/views/request_logs/request.ts';
import { Client } from '../../test/client.ts';
import { expectRefusal, rateOf } from '../../test/http/support.ts';
import { AddressLimiter } from '../admission/address_limit.ts';
import { createMetrics, type Metrics } from '../answering/metrics.ts';
import { HttpServer } from '../server.ts';

const address = '192.0.2.7';
const proxied = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-For': address };
const methods = ['GET', 'POST'] as const;

/** The requests that the pages got, in order. */
let asked: PageRequest[];
/** The statuses in the request log, and the lines of the log. */
let recorded: number[];
let lines: string[];
let clock: VirtualClock;
let metrics: Metrics;
let server: HttpServer;
let client: Client;

/** Answers with the status that the query names. */
function pageOf(path: string, more: Partial<Page>): Page {
  return {
    path,
    counted: false,
    methods,
    render(request) {
      asked.push(request);
      return jsonPage(Number(request.query || 200), {});
    },
    ...more,
  };
}

/** A server of these pages alone, without the parts that only operations need. */
beforeEach(async () => {
  [asked, recorded, lines] = [[], [], []];
  clock = virtualClock(Date.now());
  metrics = createMetrics();
  const notNeeded = undefined as never;
  server = new HttpServer({
    operations: [],
    pages: [
      pageOf('/all', { counted: true }),
      pageOf('/none', { counted: false }),
      pageOf('/refused', { counted: 'refused' }),
      pageOf('/inbox', { logged: 'refused' }),
      pageOf('/for-people/:name', {
        counted: 'customer',
        bodyBytesMax: 10,
        renderRefusal: ({ status, secondsLeft }, { 'accept-language': language }) => ({
          status,
          contentType: 'text/html',
          body: `refused for ${secondsLeft} s in ${language}`,
          headers: { 'X-Page': 'yes' },
        }),
      }),
      pageOf('/failing', {
        render: () => Promise.reject(new Error('broken')),
        renderRefusal: ({ status }) => ({ status, contentType: 'text/html', body: 'sorry' }),
      }),
      pageOf('/small/:name', { counted: 'refused', bodyBytesMax: 10 }),
    ],
    tls: { kind: 'proxy', trustedProxies: ['127.0.0.1'] },
    clock,
    keyring: notNeeded,
    log: pino({ level: 'info' }, { write: (line: string) => lines.push(line) }),
    metrics,
    admission: {
      keys: notNeeded,
      rates: notNeeded,
      addresses: new AddressLimiter(clock),
      sessions: notNeeded,
      publicUrl: () => '',
      database: notNeeded,
    },
    runner: notNeeded,
    requestLog: { add: ({ status }: AnsweredRequest) => recorded.push(status) } as never,
    refusedActs: { add: () => {} },
  });
  const { port } = await server.listen(0, '127.0.0.1');
  client = new Client(`http://localhost:${port}`, '', undefined);
});
afterEach(async () => {
  client.close();
  await server.close({ acceptForMs: 0, deadlineMs: 1_000 });
});

const post = (path: string, body: string | Buffer = '', headers = {}) =>
  client.post(path, body, { ...proxied, ...headers });
const get = (path: string) => client.get(path, { headers: proxied });

describe('a page is given', () => {
  test('everything needed to verify an inbound signature: the bytes, the headers, the query, the address', async () => {
    const body = Buffer.from([0x7b, 0xff, 0x00, 0x0a, 0x7d]);
    const headers = { 'Content-Type': 'application/json; charset=latin1', 'X-Signature': 't=1,v1=ab', 'X-A': 'b' };
    await post('/small/a%2Fb%20c?200', body, headers);
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ method: 'POST', params: { name: 'a/b c' }, query: '200', body, address });
    expect(asked[0]!.headers).toMatchObject({
      'content-type': 'application/json; charset=latin1',
      'x-signature': 't=1,v1=ab',
    });
  });

  test('no body by GET, and an empty query where there is none', async () => {
    await client.request('GET', '/none', { headers: proxied, body: 'ignored' });
    expect(asked[0]).toMatchObject({ method: 'GET', params: {}, query: '', body: Buffer.alloc(0) });
  });

  test('a body of at most 256 KiB, or of its own limit', async () => {
    expect((await post('/none', 'x'.repeat(262_144))).status).toBe(200);
    expectRefusal(await post('/none', 'x'.repeat(262_145)), 'body_too_large');
    expect((await post('/small/a', 'x'.repeat(10))).status).toBe(200);
    const refused = await post('/small/a', 'x'.repeat(11));
    expectRefusal(refused, 'body_too_large');
    expect(refused.json.error.message).toContain('10 bytes');
    expect(asked.map(({ body }) => body.length)).toEqual([262_144, 10]);
  });
});

describe('requests are counted by address', () => {
  const table: [path: string, statuses: number[], counted: number][] = [
    ['/all', [200, 302, 400, 404, 500], 5],
    ['/none', [200, 302, 400, 404, 500], 0],
    ['/refused', [200, 302, 400, 404, 500], 2],
  ];
  test.each(table)('%s', async (path, statuses, counted) => {
    let last = 100;
    for (const status of statuses) {
      const answer = await get(`${path}?${status}`);
      expect(answer.status).toBe(status);
      last = rateOf(answer).remaining;
    }
    expect(last).toBe(100 - counted);
  });

  test('also when the body was refused before the page saw it', async () => {
    expect(rateOf(await post('/small/a', 'x'.repeat(11))).remaining).toBe(99);
    expect(rateOf(await post('/small/a', 'x')).remaining).toBe(99);
  });

  test('where only refusals count, accepted requests are served until refusals have used up the window', async () => {
    for (let more = 0; more < 150; more++) expect((await get('/refused')).status).toBe(200);
    for (let more = 0; more < 100; more++) expect((await get('/refused?401')).status).toBe(401);
    asked = [];
    const answer = await get('/refused');
    expectRefusal(answer, 'rate_limited');
    expect(asked).toEqual([]);
    expect((await get('/none')).status).toBe(200);
    clock.advance(60_000);
    expect((await get('/refused')).status).toBe(200);
  });
});

test('where only refusals are logged, accepted requests leave no line and no row, and are counted all the same', async () => {
  for (const path of ['/none?200', '/inbox?200', '/inbox?400', '/inbox?500', '/inbox?200']) await get(path);
  expect(recorded).toEqual([200, 400, 500]);
  expect(lines.map((line) => JSON.parse(line)).map(({ path, status }) => [path, status])).toEqual([
    ['/none', 200],
    ['/inbox', 400],
    ['/inbox', 500],
  ]);
  expect(await metrics.registry.metrics()).toContain('tollgate_requests_total{operation="none",status="200"} 3');
});

describe('a page for people', () => {
  const headers = { ...proxied, 'Accept-Language': 'fi' };

  test('has its own window, and shows a refusal in its own words, with the headers of the refusal', async () => {
    for (let more = 0; more < 300; more++) await client.get('/for-people/token', { headers });
    asked = [];
    const refused = await client.get('/for-people/token', { headers });
    const seconds = refused.headers['retry-after'];
    expect([refused.status, refused.text]).toEqual([429, `refused for ${seconds} s in fi`]);
    expect(refused.headers).toMatchObject({
      'x-page': 'yes',
      'x-ratelimit-limit': '300',
      'x-ratelimit-remaining': '0',
    });
    expect(asked).toEqual([]);
    expect(rateOf(await get('/all')).remaining).toBe(99);
    const last = lines.map((line) => JSON.parse(line)).find(({ status }) => status === 429);
    expect(last).toMatchObject({ path: '/for-people/:name', code: 'rate_limited' });
  });

  test('shows what is too long, and failures of the server, in its own words too', async () => {
    expect(await post('/for-people/token', 'x'.repeat(11), headers)).toMatchObject({
      status: 400,
      text: 'refused for 1 s in fi',
    });
    expect(await get('/failing')).toMatchObject({ status: 500, text: 'sorry' });
  });
});
