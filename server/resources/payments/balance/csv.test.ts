import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../../base/clock.ts';
import { newId } from '../../../base/id.ts';
import { Reads, type Tenant } from '../../../base/reads.ts';
import { operations } from '../../../catalog.ts';
import { earningsOf } from '../../../ledger/earnings.ts';
import { isDistributedRun } from '../../../test/distributed_databases.ts';
import { type ServerOptions, startServer, type TestAccount, type TestServer } from '../../../test/harness.ts';
import { expectRefusal, rawHead, sendRaw } from '../../../test/http/support.ts';
import { isTorture, shareOf } from '../../../test/torture.ts';
import { addManyPostings, addPostings, tenantOf, type Wish } from './postings.fixture.ts';

const path = '/v1/balance/transactions';
const csv = { Accept: 'text/csv' };
const header = 'id,created,type,amount,currency,source,payment,status,available_on,amount_decimal';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
});
afterAll(() => server.stop());

const payment = 'py_0000000000000000000001';
const refund = 're_0000000000000000000002';
const start = Date.parse('2026-02-27T23:59:58Z');

// Oldest first, a second apart.
const story: Omit<Wish, 'at'>[] = [
  { kind: 'payment', source: payment, amount: 9_007_199_254_740_991, currency: 'jpy' },
  { kind: 'fee', source: payment, amount: 30 },
  { kind: 'refund', source: refund, payment, amount: 200 },
  { kind: 'refund_settled', source: refund, payment },
  { kind: 'refund_bounce', source: refund, payment, amount: 200, inDays: 30_000 },
  { kind: 'credit_granted', source: 'ctx_0000000000000000000001' },
];

async function accountWith(wishes: readonly Omit<Wish, 'at'>[]): Promise<{ account: TestAccount; ids: string[] }> {
  const account = await server.account();
  const tenant = await tenantOf(server.sql, account);
  const ids = await addPostings(
    server.sql,
    tenant,
    wishes.map((wish, n) => ({ ...wish, at: start + n * 1_000 })),
  );
  return { account, ids };
}

/** The rows, without the header; fails when a line does not end as it should. */
function rowsOf(text: string): string[] {
  const [first, ...rows] = text.split('\r\n');
  expect(first).toBe(header);
  expect(rows.pop()).toBe(''); // the last line ends like all others
  expect(text.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  return rows;
}

const idOf = (row: string) => row.slice(0, row.indexOf(','));

describe('the export', () => {
  let account: TestAccount;
  let ids: string[];
  beforeAll(async () => {
    ({ account, ids } = await accountWith(story));
  });

  test('has a line for each transaction, newest first', async () => {
    const answer = await account.test.get(path, { headers: csv });
    expect([answer.status, answer.headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
    expect(rowsOf(answer.text)).toEqual([
      `${ids[4]},2026-02-28T00:00:02Z,refund_failure,200,eur,${refund},${payment},pending,2108-04-19,2.00`,
      `${ids[2]},2026-02-28T00:00:00Z,refund,-200,eur,${refund},${payment},available,2026-02-28,-2.00`,
      `${ids[1]},2026-02-27T23:59:59Z,fee,-30,eur,${payment},${payment},available,2026-02-27,-0.30`,
      `${ids[0]},2026-02-27T23:59:58Z,payment,9007199254740991,jpy,${payment},${payment},available,2026-02-27,9007199254740991`,
    ]);
  });

  test('contains nothing that has to be quoted', async () => {
    const { text } = await account.test.get(path, { headers: csv });
    for (const row of rowsOf(text)) {
      const fields = row.split(',');
      expect(fields).toHaveLength(header.split(',').length);
      for (const field of fields) expect(field).toMatch(/^[\w.:-]+$/);
    }
  });

  test('of a time that fills more than a page has nothing from before or after', async () => {
    const own = await server.account();
    const tenant = await tenantOf(server.sql, own);
    const times = [start, ...Array<number>(1_001).fill(start + 1_000), start + 2_000];
    const wishes = times.map((at) => ({ kind: 'payment' as const, source: newId('py', at), at }));
    await addPostings(server.sql, tenant, wishes);
    const query = `created[gte]=${start / 1_000 + 1}&created[lt]=${start / 1_000 + 2}`;
    const answer = await own.test.get(`${path}?${query}`, { headers: csv });
    const created = rowsOf(answer.text).map((row) => row.split(',')[1]);
    expect([created.length, new Set(created)]).toEqual([1_001, new Set(['2026-02-27T23:59:59Z'])]);
  });

  test('has the headers of every answer', async () => {
    const json = await account.test.get(path);
    const answer = await account.test.get(path, { headers: csv });
    const { 'content-length': _length, ...expected } = json.headers;
    expect(Object.keys(answer.headers).sort()).toEqual([...Object.keys(expected), 'transfer-encoding'].sort());
    expect(answer.headers['request-id']).toMatch(/^req_\w{22}$/);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  const time = (n: number) => start / 1_000 + n;
  const selections: [what: string, query: string, shown: number[]][] = [
    ['a type', 'type=refund_failure', [4]],
    ['a source', `source=${refund}`, [4, 2]],
    ['a payment', `payment=${payment}`, [4, 2, 1, 0]],
    ['a time', `created[gte]=${time(1)}&created[lt]=${time(4)}`, [2, 1]],
    ['a type in a time', `created[gt]=${time(1)}&type=fee`, []],
  ];
  test.each(selections)('of %s has what the list has', async (_what, query, shown) => {
    const answer = await account.test.get(`${path}?${query}`, { headers: csv });
    const expected = shown.map((n) => ids[n]);
    expect(rowsOf(answer.text).map(idOf)).toEqual(expected);
    const list = await account.test.get(`${path}?${query}`);
    expect(list.json.data.map((one: { id: string }) => one.id)).toEqual(expected);
  });

  test('of an account without transactions is the header alone', async () => {
    expect((await account.live.get(path, { headers: csv })).text).toBe(`${header}\r\n`);
    const stranger = await server.account();
    expect((await stranger.test.get(path, { headers: csv })).text).toBe(`${header}\r\n`);
  });

  const wishes: [accept: string, type: string][] = [
    ['text/csv; charset=utf-8', 'text/csv; charset=utf-8'],
    ['text/csv; version=1', 'text/csv; charset=utf-8'],
    ['application/json;q=0.4, text/csv;q=0.5', 'text/csv; charset=utf-8'],
    ['application/json', 'application/json'],
    ['text/csv;q=0', 'application/json'],
    ['text/html', 'application/json'],
    ['*/*', 'application/json'],
  ];
  test.each(wishes)('for Accept: %s the answer is %s', async (Accept, type) => {
    for (const at of [path, path.replace('/v1', '')]) {
      const answer = await account.test.get(at, { headers: { Accept } });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, type]);
    }
  });

  const refusals: [what: string, query: string, param: string][] = [
    ['limit', 'limit=10', 'limit'],
    ['starting_after', `starting_after=${newId('txn', start)}`, 'starting_after'],
    ['ending_before', `ending_before=${newId('txn', start)}`, 'ending_before'],
    ['a type that there is not', 'type=refund_settled', 'type'],
  ];
  test.each(refusals)('refuses %s, in JSON', async (_what, query, param) => {
    expectRefusal(await account.test.get(`${path}?${query}`, { headers: csv }), 'parameter_invalid', param);
  });

  test('is refused for the same reasons as every request, in JSON', async () => {
    const retired = await account.test.get('/balance/transactions', { headers: { Accept: 'text/csv; version=0' } });
    expectRefusal(retired, 'version_retired', 'Accept');
    const { client } = await server.key(account.id, { scopes: ['payments:read'] });
    expectRefusal(await client.get(path, { headers: csv }), 'scope_missing');
    expect((await account.test.request('HEAD', path, { headers: csv })).status).toBe(404); // as for every operation
    const old = `GET ${path} HTTP/1.0\r\nHost: localhost\r\nAuthorization: Bearer ${account.testKey}\r\nAccept: text/csv\r\n\r\n`;
    expectRefusal(await sendRaw(server, old), 'request_malformed');
  });

  test('is offered by operations that say so, and by no other', async () => {
    const offering = operations.filter(({ offers }) => offers?.includes('text/csv'));
    const streamed = ['/changes'];
    const others = operations.filter(
      (one) =>
        one.method === 'GET' && !one.route.includes(':') && !offering.includes(one) && !streamed.includes(one.route),
    );
    const needed: Record<string, string> = { '/search': '?q=x', '/mails/sample': '?kind=receipt' };
    for (const { route } of others) {
      const answer = await account.test.get(`/v1${route}${needed[route] ?? ''}`, { headers: csv });
      expect([answer.status, answer.headers['content-type']]).toEqual([200, 'application/json']);
    }
    const { paths } = (await server.anonymous.get('/openapi.json')).json;
    const described = Object.keys(paths).filter(
      (one) => 'text/csv' in (paths[one].get?.responses[200]['x-content'] ?? {}),
    );
    expect(described).toEqual(offering.map(({ route }) => `/v1${route}`));
    expect(described).toContain(path);
    const plain = await sendRaw(server, `${rawHead(`GET ${path}`, account.testKey)}\r\n`);
    expect(plain.headers['content-type']).toBe('application/json');
  });
});

// Copies rows from one tenant to another, as one PostgreSQL can.
describe.skipIf(isDistributedRun)('a long export', () => {
  const many = shareOf(100_000, 60_000); // of which a two-hundredth is not shown; about 8 MB, more than any buffer on the way
  const shown = many - many / 200;

  type Filled = { server: TestServer; account: TestAccount };
  let shared: Filled;
  beforeAll(async () => {
    const account = await server.account();
    await addManyPostings(server.sql, await tenantOf(server.sql, account), many);
    shared = { server, account };
  });

  /** One more server for the account that has many transactions. */
  async function anotherServer(options: ServerOptions = {}): Promise<Filled> {
    const { server: first, account } = shared;
    return { server: await startServer({ ...options, databaseUrl: first.databaseUrl }), account };
  }

  /** The answer, of which nothing was read yet. */
  async function begin({ server: own, account } = shared, query = ''): Promise<IncomingMessage> {
    const headers = { ...csv, Authorization: `Bearer ${account.testKey}` };
    const request = https.get(`${own.baseUrl}${path}${query}`, { headers, agent: false, ca: own.ca });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    onTestFinished(() => void response.destroy());
    response.on('error', () => {});
    expect(response.statusCode).toBe(200);
    return response;
  }

  async function textOf(response: IncomingMessage): Promise<string> {
    return Buffer.concat(await response.toArray()).toString();
  }

  /** The lines of the log about one request. */
  function logged(response: IncomingMessage, { server: own } = shared): { status: number; code?: string }[] {
    const lines = own.logged.map((line) => JSON.parse(line));
    return lines.filter((line) => line.msg === 'request' && line.requestId === response.headers['request-id']);
  }

  const poll = <T>(current: () => T) => expect.poll(current, { interval: 10 });

  test('has every transaction once, in order, and is logged once', async () => {
    const response = await begin();
    const ids = rowsOf(await textOf(response)).map(idOf);
    expect(ids).toHaveLength(shown);
    expect(ids.every((id, at) => at === 0 || id < ids[at - 1]!)).toBe(true);
    await poll(() => logged(response)).toMatchObject([{ status: 200, operation: 'balance.list_transactions' }]);
    const stored = async () => {
      const id = response.headers['request-id'];
      return (await shared.server.sql.query('select status, operation from requests where id = $1', [id])).rows;
    };
    await expect.poll(stored).toEqual([{ status: 200, operation: 'balance.list_transactions' }]);
  });

  test.each([1_000, 2_000])('of exactly %s rows has them all', async (count) => {
    const { account, server: own } = shared;
    const tenant = await tenantOf(own.sql, account);
    const { rows } = await own.sql.query(
      `select id from postings where tenant = $1 and kind <> 'refund_settled' order by id offset $2 limit 1`,
      [tenant, count],
    );
    const live = await tenantOf(own.sql, account, 'live');
    await own.sql.query('delete from postings where tenant = $1', [live]);
    await own.sql.query(
      `insert into postings (tenant, id, kind, debit, credit, amount, currency, source, payment, available_on)
       select $1, id, kind, debit, credit, amount, currency, source, payment, available_on from postings
        where tenant = $2 and id < $3`,
      [live, tenant, rows[0].id],
    );
    const answer = await account.live.get(path, { headers: csv });
    expect(new Set(rowsOf(answer.text).map(idOf)).size).toBe(count);
  });

  test('of payments reads the fees of a thousand in one statement, by the indexes', async () => {
    const { account, server: own } = shared;
    const tenant = (await tenantOf(own.sql, account)) as Tenant;
    const buffers: number[] = [];
    class Explained extends Reads {
      override async run<T>(_: unknown, text: string, values: unknown[]): Promise<T[]> {
        const { rows } = await own.sql.query(`explain (analyze, buffers, format json) ${text}`, values);
        const plan = rows[0]['QUERY PLAN'][0].Plan;
        buffers.push(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']);
        return (await own.sql.query(text, values)).rows as T[];
      }
    }
    // The numbers of payments are even; every hundredth has a refund too.
    const ids = Array.from({ length: 1_000 }, (_, at) => `py_${String(2 * at + 2).padStart(22, '0')}`);
    const earnings = await earningsOf(new Explained(own.sql), tenant, ids);
    const refunded = ids.filter((id) => (earnings.get(id)?.net ?? 0) < -1);
    expect([earnings.size, earnings.get(ids[0]!)]).toEqual([1_000 - 10, { fee: 4, net: -1 }]);
    expect(refunded).toHaveLength(10);
    expect(buffers).toHaveLength(1);
    expect(buffers[0]).toBeLessThanOrEqual(ids.length * 12);
  });

  test('ends when the client disconnects, and is logged once', async () => {
    const response = await begin();
    await once(response, 'readable');
    response.destroy();
    await poll(() => logged(response)).toMatchObject([{ status: 200 }]);
    expect((await shared.account.test.get(`${path}?limit=1`)).status).toBe(200);
  });

  test('that fails in the middle is cut off, and counts as a failure', async () => {
    const response = await begin();
    await once(response, 'readable');
    await shared.server.sql.query('alter table postings rename to postings_away');
    try {
      await expect(textOf(response)).rejects.toThrow('aborted');
      await poll(() => logged(response)).toMatchObject([{ status: 500, code: 'internal_error' }]);
      // And one that fails at the start is an error like any other.
      expectRefusal(await shared.account.test.get(path, { headers: csv }), 'internal_error');
    } finally {
      await shared.server.sql.query('alter table postings_away rename to postings');
    }
    expect(response.complete).toBe(false);
  });

  test.runIf(isTorture)('may take longer than the deadline of other requests', async () => {
    let hurry = 0;
    const clock = { now: systemClock.now, monotonic: () => systemClock.monotonic() + hurry, ahead: () => 0 };
    const own = await anotherServer({ clock });
    try {
      const response = await begin(own);
      hurry = 3_000_000; // more microseconds than the log's column holds
      await new Promise((resolve) => setTimeout(resolve, 600)); // deadlines are looked at every 250 ms
      expect(rowsOf(await textOf(response))).toHaveLength(shown);
      await poll(() => logged(response, own)).toMatchObject([{ status: 200 }]);
      const row = () =>
        own.server.sql.query('select duration_us from requests where id = $1', [response.headers['request-id']]);
      await expect.poll(async () => (await row()).rows).toEqual([{ duration_us: 2_147_483_647 }]);
    } finally {
      await own.server.stop();
    }
  });

  test('is cut off when the client does not read', async () => {
    const own = await anotherServer({ limits: { stallMs: 300 } });
    try {
      const response = await begin(own);
      await poll(() => logged(response, own)).toMatchObject([{ status: 200 }]);
      await expect(textOf(response)).rejects.toThrow(/aborted|hang up/);
      expect(response.complete).toBe(false);
    } finally {
      await own.server.stop();
    }
  });

  function isReached(port: number): Promise<boolean> {
    const socket = net.connect(port, '127.0.0.1');
    return once(socket, 'connect').then(
      () => socket.destroy() && true,
      () => false,
    );
  }

  test.runIf(isTorture)('is finished by a server that stops', async () => {
    const own = await anotherServer();
    const response = await begin(own);
    const stopped = own.server.stop();
    await expect.poll(() => isReached(own.server.gateway.port)).toBe(false);
    expect(rowsOf(await textOf(response))).toHaveLength(shown);
    await stopped;
    expect(logged(response, own)).toMatchObject([{ status: 200 }]);
  });
});
