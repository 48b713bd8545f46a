import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { close, dial, host, shortLimits } from '../../http/transport/harness.ts';
import { productionLimits } from '../../http/transport/index.ts';
import { becomes } from '../eventually.ts';
import { startServer, type TestServer } from '../harness.ts';
import { expectCommonHeaders, expectRefusal, parseAnswers, rawHead, sendRaw } from './support.ts';

const json = 'Content-Type: application/json\r\n';

describe('the limits of a request', () => {
  test('are 5 s for the headers, 15 s for the whole request, 65 s between requests and 16 KiB of headers', () => {
    expect(productionLimits).toMatchObject({
      headersMs: 5_000,
      requestMs: 15_000,
      keepAliveMs: 65_000,
      headerBytesMax: 16_384,
    });
  });

  describe('when they are short', () => {
    let server: TestServer;

    beforeAll(async () => {
      server = await startServer({ limits: { ...shortLimits, keepAliveMs: 200 } });
    });
    afterAll(() => server.stop());

    test('slow headers are 400 request_timeout', async () => {
      expectRefusal(await sendRaw(server, `${rawHead('GET /healthz')}X-Slow: `), 'request_timeout');
    });

    test('a slow body is 400 request_timeout, without effect and without an error in the server', async () => {
      const { testKey, test: client } = await server.account();
      const body = `${json}Content-Length: 20\r\n\r\n{"name":"Ada"}`;
      expectRefusal(await sendRaw(server, `${rawHead('POST /v1/customers', testKey)}${body}`), 'request_timeout');
      for (let more = 0; more < 10; more++) expect((await client.get('/v1/customers')).json.data).toEqual([]);
      expect(server.logged.filter((line) => /failed on our side|"status":500/.test(line))).toEqual([]);
    });

    test('an idle connection is closed after the keep-alive time', async () => {
      const line = await dial({ port: server.gateway.port, ca: server.ca });
      line.socket.write(`GET /healthz HTTP/1.1\r\n${host}\r\n`);
      expect(await line.ended).toBe('end');
      expect(parseAnswers(line.received()).map((answer) => answer.status)).toEqual([200]);
    });
  });
});

describe('the answer', () => {
  test('is sent within 25 s: 500 unavailable with Retry-After, while the work goes on', async () => {
    let hurry = 0;
    const clock = { now: systemClock.now, monotonic: () => systemClock.monotonic() + hurry, ahead: () => 0 };
    const server = await startServer({ clock });
    try {
      const { testKey, test: client } = await server.account();
      await server.sql.query('begin');
      await server.sql.query('lock table customers in access exclusive mode');
      const line = await dial({ port: server.gateway.port, ca: server.ca });
      const head = `POST /v1/customers HTTP/1.1\r\n${host}${close}Authorization: Bearer ${testKey}\r\n${json}`;
      line.socket.write(`${head}Content-Length: 2\r\n\r\n{}`);
      const waiting = `select from pg_locks where relation = 'customers'::regclass and not granted`;
      await expect.poll(async () => (await server.sql.query(waiting)).rowCount).toBe(1);
      // The work has begun, and waits. Now its 25 seconds pass.
      hurry = 25_000;
      await line.ended;
      const [answer] = parseAnswers(line.received());
      await server.sql.query('rollback');
      expectRefusal(answer!, 'unavailable');
      expect(answer!.headers['retry-after']).toBe('1');
      await expect.poll(async () => (await client.get('/v1/customers')).json.data.length).toBe(1);
    } finally {
      await server.stop();
    }
  });
});

describe('a server that stops', () => {
  test('is not ready at once, still serves requests with `Connection: close`, and never answers 503', async () => {
    const server = await startServer({ environment: { DRAIN_SECONDS: '3' } });
    const account = await server.account();
    const kept = await dial({ port: server.gateway.port, ca: server.ca });
    kept.socket.write(`GET /healthz HTTP/1.1\r\n${host}\r\n`);
    await becomes(() => kept.received()).toContain('"ok"');
    const before = kept.received().length;

    // Not the `stop` of the test server, which first ends its own connection while the gateway is still ready.
    const stopped = server.gateway.stop();
    const authorization = `Authorization: Bearer ${account.testKey}\r\n`;
    const [ready, served, health] = await Promise.all([
      sendRaw(server, `GET /readyz HTTP/1.1\r\n${host}\r\n`),
      sendRaw(server, `POST /v1/customers HTTP/1.1\r\n${host}${authorization}\r\n`),
      sendRaw(server, `GET /healthz HTTP/1.1\r\n${host}\r\n`),
    ]);
    expect([ready.status, served.status, health.status]).toEqual([500, 200, 200]);
    expect(ready.json).toEqual({ status: 'stopping' });
    for (const answer of [ready, served, health]) {
      expectCommonHeaders(answer);
      expect(answer.headers.connection).toBe('close');
    }

    kept.socket.write(`GET /v1/customers HTTP/1.1\r\n${host}${authorization}\r\n`);
    expect(await kept.ended).toBe('end');
    const [last] = parseAnswers(kept.received().slice(before));
    expect([last!.status, last!.headers.connection]).toEqual([200, 'close']);
    await stopped;
    await server.stop();
  });
});
