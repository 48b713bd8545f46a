import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../base/clock.ts';
import { commitPatience } from '../../base/commit/committer.ts';
import { usualPatience } from '../../base/patient_client.ts';
import { connect } from '../../base/sql.ts';
import { answerDeadlineMs } from '../../http/server.ts';
import { close, dial, host, shortLimits } from '../../http/transport/harness.ts';
import { productionLimits } from '../../http/transport/index.ts';
import { becomes } from '../eventually.ts';
import { startServer, type TestAccount, type TestServer } from '../harness.ts';
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

  test('leave a wait for the database to end before the answer is due, and a commit with its lookup', () => {
    const { connectMs, commitMs, reconnectMs, lookupMs } = commitPatience;
    expect(usualPatience.connectMs + usualPatience.statementMs).toBeLessThan(answerDeadlineMs);
    expect(connectMs + commitMs + reconnectMs + lookupMs).toBeLessThan(answerDeadlineMs);
  });

  describe('when they are short', () => {
    let server: TestServer;

    beforeAll(async () => {
      // Long enough for a busy machine to read what was sent immediately.
      server = await startServer({ limits: { ...shortLimits, headersMs: 1_000, requestMs: 1_000, keepAliveMs: 200 } });
    });
    afterAll(() => server.stop());

    test('slow headers are 400 request_timeout', async () => {
      expectRefusal(await sendRaw(server, `${rawHead('GET /healthz')}X-Slow: `), 'request_timeout');
    });

    test('a connection without a request is closed', async () => {
      const line = await dial({ port: server.gateway.port, ca: server.ca });
      expect(await line.ended).toBe('end');
      expect(line.received()).toBe('');
    });

    test('a slow body is 400 request_timeout, without effect and without an error in the server', async () => {
      const { testKey, test: client } = await server.account();
      const body = `${json}Content-Length: 20\r\n\r\n{"name":"Ada"}`;
      expectRefusal(await sendRaw(server, `${rawHead('POST /v1/customers', testKey)}${body}`), 'request_timeout');
      for (let more = 0; more < 10; more++) expect((await client.get('/v1/customers')).json.data).toEqual([]);
      expect(server.logged.filter((line) => /failed with an internal error|"status":500/.test(line))).toEqual([]);
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
  let hurry = 0;
  let server: TestServer;
  let account: TestAccount;
  beforeAll(async () => {
    const clock = { now: systemClock.now, monotonic: () => systemClock.monotonic() + hurry, ahead: () => 0 };
    server = await startServer({ clock, onePostgres: true }); // it locks tables
    account = await server.account();
  });
  afterAll(() => server.stop());

  /** How many statements with this text wait for a lock. */
  const waiting = async (statement: string) => {
    await server.sql.query('select pg_stat_clear_snapshot()'); // a transaction would see the same again and again
    const text = `select from pg_stat_activity where wait_event_type = 'Lock' and strpos(query, $1) > 0`;
    return (await server.sql.query(text, [statement])).rowCount;
  };

  /** Sends a request whose work begins and waits for a table, lets 25 seconds pass, and expects its answer. The table is still locked. */
  async function answerWithout(table: string, statement: string, line: string, body = ''): Promise<void> {
    await server.sql.query('begin');
    await server.sql.query(`lock table ${table} in access exclusive mode`);
    const { socket, ended, received } = await dial({ port: server.gateway.port, ca: server.ca });
    const authorization = `Authorization: Bearer ${account.testKey}\r\n`;
    socket.write(
      `${line} HTTP/1.1\r\n${host}${close}${authorization}${json}Content-Length: ${body.length}\r\n\r\n${body}`,
    );
    await expect.poll(() => waiting(statement)).toBe(1);
    hurry += 25_000;
    await ended;
    const [answer] = parseAnswers(received());
    expectRefusal(answer!, 'unavailable');
    expect(answer!.headers['retry-after']).toBe('1');
  }

  test('is sent within 25 s: 500 unavailable with Retry-After, while the work goes on', async () => {
    await answerWithout('customers', 'insert into customers', 'POST /v1/customers', '{}');
    await server.sql.query('rollback');
    await expect.poll(async () => (await account.test.get('/v1/customers')).json.data.length).toBe(1);
  });

  test('ends a walk through a list: nobody waits for the rest', async () => {
    const walk = 'with walked as';
    await server.sql.query(
      `insert into payments (tenant, id, version, amount, amount_received, currency, payment_method, status, inquiries)
       select tenant, 'py_' || lpad(n::text, 22, '0'), 1, 1, 0, 'eur', 'pm_x', 'failed', 0
         from tenants, generate_series(1, 200) n where account = $1 and mode = 'test'`,
      [account.id],
    );
    await answerWithout('payments', walk, 'GET /v1/payments?currency=usd');
    // The table is locked after the first step of the scan, and before the second.
    const next = await connect({ connectionString: server.databaseUrl }, 'test');
    await next.query('begin');
    const locked = next.query('lock table payments in access exclusive mode');
    await expect.poll(() => waiting('lock table')).toBe(1);
    await server.sql.query('rollback');
    await locked;
    for (let more = 0; more < 10; more++) expect((await account.test.get('/v1/customers')).status).toBe(200);
    expect(await waiting(walk)).toBe(0);
    await next.end();
  });
});

describe('a server that stops', () => {
  test('is immediately not ready, still serves requests with `Connection: close`, and never answers 503', async () => {
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
