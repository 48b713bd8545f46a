import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CuttingProxy } from '../base/commit/cutting_proxy.fixture.ts';
import { newId } from '../base/id.ts';
import { connect, type DatabaseAddress } from '../base/sql.ts';
import { CheckoutTab } from './checkout_tab.ts';
import type { Answer, Client } from './client.ts';
import { eventually } from './eventually.ts';
import { createDatabase, startServer, type TestAccount, type TestServer } from './harness.ts';

/**
 * A gateway whose database is behind a proxy. It waits for a statement 4 s where production waits 22. Not less: on a busy machine a new
 * connection can take a second, and would count as a further outage.
 */
const patience = { connectMs: 2_500, statementMs: 4_000, commitMs: 3_000 };
const stopLimits = { abandonAfterMs: 1_000, endAfterMs: 5_000 };
/** The other waits as long for a statement as production does, but only so long for a connection. */
const patienceForStatements = { connectMs: 2_500, statementMs: 22_000, commitMs: 20_000 };
let database: Awaited<ReturnType<typeof createDatabase>>;
let proxy: CuttingProxy;
let server: TestServer;
let patient: TestServer;
let account: TestAccount;

async function start(): Promise<TestServer> {
  return startServer({ databaseUrl: urlOf(proxy.through(database.address)), patience, stopLimits });
}

function urlOf(address: DatabaseAddress): string {
  const { user, password, port, database: name } = address as Extract<DatabaseAddress, { host: string }>;
  return `postgres://${user}:${password}@127.0.0.1:${port}/${name}`;
}

beforeAll(async () => {
  database = await createDatabase();
  proxy = new CuttingProxy(database.address);
  await proxy.listen();
  server = await start();
  account = await server.account();
  patient = await startServer({ databaseUrl: database.url, patience: patienceForStatements });
});
beforeEach(() => {
  server.logged.length = 0;
  patient.logged.length = 0;
});
afterEach(async () => {
  proxy.comeBack();
  await eventually(async () => expect(await serves()).toBe(true));
});
afterAll(async () => {
  await server.stop();
  await patient.stop();
  await proxy.close();
  await database.drop();
});

const create = () => account.test.post('/v1/customers', { name: 'Ada' });

/** Every kind of connection is used: rate limits, reads, commits, saved answers, readiness. */
async function serves(): Promise<boolean> {
  const key = { 'Idempotency-Key': `key ${Math.random()}` };
  const made = await account.test.post('/v1/customers', { name: 'Ada' }, key);
  const again = await account.test.post('/v1/customers', { name: 'Ada' }, key);
  const answers = [made, again, await account.test.get('/v1/customers'), await server.anonymous.get('/readyz')];
  return answers.every(({ status }) => status === 200);
}

function expectUnavailable({ status, headers, json }: Answer): void {
  expect([status, json.error?.code, headers['retry-after']]).toEqual([500, 'unavailable', '1']);
}

describe('a database that no longer sends anything', () => {
  test('is given up: requests are answered with 500 unavailable, and served again when it is back', async () => {
    await eventually(async () => expect(await serves()).toBe(true));
    proxy.goSilent();
    const answers = await Promise.all([create(), create(), account.test.get('/v1/customers')]);
    for (const answer of answers) expectUnavailable(answer);
    proxy.comeBack();
    await eventually(async () => expect(await serves()).toBe(true));
  });

  test('is known to /readyz, and from then on requests are refused, long before those in flight are given up', async () => {
    const url = urlOf(proxy.through(database.address));
    const long = { connectMs: 10_000, statementMs: 22_000, commitMs: 20_000 };
    const waits = await startServer({ databaseUrl: url, patience: long, stopLimits });
    try {
      const client = waits.client(account.testKey);
      const requests = [
        () => client.post('/v1/customers', { name: 'Ada' }),
        () => client.get('/v1/customers'),
        () => client.get(`/v1/customers/${newId('cus', Date.now())}`),
      ];
      for (const request of requests) expect([200, 404]).toContain((await request()).status);
      // Each of them has a connection before the silence begins: one that still waited for it would be refused immediately.
      const unlock = await lock('customers', 'access exclusive');
      let isOver = false;
      const inFlight = Promise.allSettled(requests.map((request) => request())).then(() => {
        isOver = true;
      });
      await eventually(async () => {
        expect(await waiting('tollgate reads')).toHaveLength(2);
        expect(await waiting('tollgate commit')).toHaveLength(1);
      });
      proxy.goSilent();
      await unlock();
      await eventually(() => expect(messages(waits, 'error')).toHaveLength(1));
      expect((await waits.anonymous.get('/readyz')).status).toBe(500);
      for (const request of [...requests, ...requests, ...requests]) expectUnavailable(await request());
      expect(isOver).toBe(false);

      proxy.comeBack();
      await eventually(async () => expect((await waits.anonymous.get('/readyz')).status).toBe(200));
      expect(messages(waits, 'error')).toEqual([expect.stringMatching(/^the database is down;/)]);
      expect(messages(waits, 'warn')).toEqual([]);
      expect(messages(waits, 'info').filter((text) => text === 'the database is back')).toHaveLength(1);
      void inFlight;
    } finally {
      await waits.stop();
    }
  });

  test('does not keep the server from stopping', { timeout: 60_000 }, async () => {
    const doomed = await start();
    const client = doomed.client(account.testKey);
    expect((await client.get('/v1/customers')).status).toBe(200);
    proxy.goSilent();
    const stuck = Array.from({ length: 8 }, () => client.post('/v1/customers', { name: 'Ada' }).catch(() => undefined));
    await doomed.stop();
    await Promise.all(stuck);
  });
});

describe('an outage of the database', () => {
  const down = 'the database is down; requests are answered with 500 unavailable until it is back';
  const outages: [string, () => void, RegExp][] = [
    ['that closes connections and refuses new ones', () => proxy.goDown(), /Connection terminated|ECONNRESET/],
    ['that no longer sends anything', () => proxy.goSilent(), /timeout expired|has not replied/],
  ];
  test.each(outages)(
    '%s is one line when it begins, with the reason, and one when it ends',
    async (_, begin, reason) => {
      await eventually(async () => expect(await serves()).toBe(true));
      server.logged.length = 0;
      begin();
      const answers = await Promise.all([create(), account.test.get('/v1/customers'), create()]);
      for (const answer of answers) expectUnavailable(answer);
      await eventually(() => expect(lines(server, 'error')).toHaveLength(1));
      // Work of every kind fails in the meantime: jobs, loops, webhooks, maintenance, requests.
      server.gateway.worker.wake();
      expectUnavailable(await account.test.get('/v1/customers'));
      await eventually(() =>
        expect(lines(server, 'debug').map(({ msg }) => msg)).toContain(
          'could not read due work from the database; retrying',
        ),
      );
      proxy.comeBack();
      await eventually(async () => expect(await serves()).toBe(true));
      await eventually(() => expect(messages(server, 'info')).toContain('the database is back'));
      expect(lines(server, 'error')).toMatchObject([{ msg: down, error: expect.stringMatching(reason) }]);
      expect(lines(server, 'warn')).toEqual([]);
      const back = lines(server, 'info').filter(({ msg }) => msg !== 'request');
      expect(back).toMatchObject([{ msg: 'the database is back', awaySeconds: expect.any(Number) }]);
    },
  );

  test('that is over immediately is one warning', async () => {
    await eventually(async () => expect(await serves()).toBe(true));
    server.logged.length = 0;
    await endConnections();
    await eventually(() => expect(messages(server, 'warn')).toContain('a database connection broke'));
    expect(lines(server, 'error')).toEqual([]);
    expect(new Set(messages(server, 'warn'))).toEqual(new Set(['a database connection broke']));
  });
});

describe('a customer who presses the button at the checkout while the database is away', () => {
  test.each<[string, () => void]>([
    ['refuses connections', () => proxy.goDown()],
    ['sends nothing', () => proxy.goSilent()],
  ])('is told so in words, and pays once when it is back: it %s', async (_, begin) => {
    await eventually(async () => expect(await serves()).toBe(true));
    const { json: session } = await account.test.post('/v1/checkout_sessions', { amount: 900, currency: 'eur' });
    const tab = new CheckoutTab(server.anonymous, session.url);
    expect((await tab.open()).status).toBe(200);
    begin();
    for (const answer of await Promise.all([tab.pay(), tab.pay()])) {
      expect([answer.status, answer.headers['content-type']]).toEqual([500, 'text/html; charset=utf-8']);
      expect(answer.text).toContain('Something went wrong. Please try again.');
      expect(answer.text).toContain('href=""'); // back to the page, by GET
    }
    expect((await tab.open()).status).toBe(500);
    proxy.comeBack();
    await eventually(async () => expect((await tab.open()).status).toBe(200));
    await eventually(async () => expect((await tab.pay()).status).toBe(303));
    expect((await tab.open()).text).toContain('Payment confirmed');
    const { rows } = await patient.sql.query('select status from payments where checkout_session = $1', [session.id]);
    expect(rows).toEqual([{ status: 'succeeded' }]);
  });
});

/** Ends all connections of the gateway behind the proxy. */
async function endConnections(): Promise<void> {
  await patient.sql.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and application_name like 'tollgate %' and application_name <> 'tollgate test'`,
  );
}

/** Holds a lock on a table until the returned function is called. */
async function lock(table: string, mode: string): Promise<() => Promise<void>> {
  const holder = await connect(database.address, 'test');
  await holder.query(`begin; lock table ${table} in ${mode} mode`);
  return () => holder.end();
}

/** The server processes that wait for a lock, by the name of their connection. */
async function waiting(name: string): Promise<number[]> {
  const { rows } = await patient.sql.query(
    `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and application_name = $1`,
    [name],
  );
  return rows.map(({ pid }) => pid);
}

/** Log lines of a level, by pino's numbers: 20 is debug, 30 info, 40 warn, 50 error. */
function lines({ logged }: TestServer, level: string) {
  return logged.map((line) => JSON.parse(line)).filter((line) => line.level === level);
}

function messages(of: TestServer, level: string): string[] {
  return lines(of, level).map(({ msg }) => msg);
}

describe('a statement that the database cancels', () => {
  const cases: [string, string, string, string, (client: Client) => Promise<Answer>][] = [
    ['a read', 'customers', 'access exclusive', 'tollgate reads', (client) => client.get('/v1/customers')],
    [
      'an export',
      'postings',
      'access exclusive',
      'tollgate reads',
      (client) => client.get('/v1/balance/transactions', { headers: { Accept: 'text/csv' } }),
    ],
    ['a change', 'customers', 'share row exclusive', 'tollgate commit', (client) => client.post('/v1/customers', {})],
  ];
  test.each(cases)('is 500 unavailable: %s', async (_, table, mode, name, ask) => {
    const client = patient.client(account.testKey);
    const unlock = await lock(table, mode);
    try {
      const asked = ask(client);
      await eventually(async () => {
        const stuck = await waiting(name);
        expect(stuck).toHaveLength(1);
        await patient.sql.query('select pg_cancel_backend($1)', stuck);
      });
      expectUnavailable(await asked);
      const [line] = lines(patient, 'warn').filter(({ msg }) => msg === 'a request was answered with 500 unavailable');
      expect(line.error).toContain('canceling statement');
    } finally {
      await unlock();
    }
    expect((await ask(client)).status).toBe(200);
  });
});

describe('reads that hold all connections', () => {
  test('make others unavailable after a bounded wait, and are served when they get through', async () => {
    const client = patient.client(account.testKey);
    const other = await patient.account();
    const { json: customer } = await client.post('/v1/customers', { name: 'Ada' });
    const unlock = await lock('customers', 'access exclusive');
    // Lists leave one connection for rows that are read by their id, and those of one account get two.
    const lists = [
      ...['/v1/customers', '/v1/customers?test_clock=clock_0000000000000000000001'].map((path) => client.get(path)),
      other.test.get('/v1/customers'),
    ];
    const stuck = [...lists, client.get(`/v1/customers/${customer.id}`)];
    try {
      await eventually(async () => expect(await waiting('tollgate reads')).toHaveLength(4));
      expectUnavailable(await client.get(`/v1/payments/${newId('py', Date.now())}`));
      expect((await patient.anonymous.get('/readyz')).status).toBe(500);
      await eventually(() =>
        expect(messages(patient, 'warn')).toContain(
          'all database connections for some work are in use; part of it is refused',
        ),
      );
      expect(lines(patient, 'error')).toEqual([]);
    } finally {
      await unlock();
    }
    expect((await Promise.all(stuck)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect((await client.get('/v1/payments')).status).toBe(200);
    // An answer of /readyz holds for a quarter of a second.
    await eventually(async () => expect((await patient.anonymous.get('/readyz')).status).toBe(200));
  });
});
