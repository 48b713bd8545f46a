import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { onePool } from '../../base/places/sql_at.ts';
import { connect, openPool } from '../../base/sql.ts';
import type { Answer, Client } from '../../test/client.ts';
import { startServer, type TestAccount, type TestServer } from '../../test/harness.ts';
import { Idempotency, type KeyUse, type Replay } from './idempotency.ts';
import { storedForms } from './stored_keys.fixture.ts';

let server: TestServer;
let second: TestServer;
let account: TestAccount;
let here: Client;
let there: Client;

beforeAll(async () => {
  server = await startServer({ onePostgres: true });
  second = await startServer({ databaseUrl: server.databaseUrl });
  account = await server.account();
  here = account.test;
  there = second.client(account.testKey);
});
afterAll(async () => {
  await second.stop();
  await server.stop();
});

const parallel = 50;
const keyed = (key: string) => ({ 'Idempotency-Key': key });
const clients: [string, () => Client[]][] = [
  ['one server', () => [here]],
  ['two servers on one database', () => [here, there]],
];

/** Sends many concurrently, in turn to each server. */
function many(over: Client[], send: (client: Client, at: number) => Promise<Answer>): Promise<Answer[]> {
  return Promise.all(Array.from({ length: parallel }, (_, at) => send(over[at % over.length]!, at)));
}

async function customersNamed(name: string): Promise<string[]> {
  const { rows } = await server.sql.query('select id from customers where name = $1', [name]);
  return rows.map((row) => row.id);
}

async function replaysOf(key: string): Promise<number> {
  const { rows } = await server.sql.query('select replays from idempotency where key = any($1)', [
    await storedForms(server, key),
  ]);
  return rows[0].replays;
}

describe.each(clients)('fifty equal requests with one key, through %s', (_, over) => {
  test('to create: one customer, one event, fifty equal answers', async () => {
    const key = randomUUID();
    const answers = await many(over(), (client) => client.post('/v1/customers', { name: key }, keyed(key)));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    expect(await customersNamed(key)).toEqual([answers[0]!.json.id]);
    const events = await server.sql.query('select type from events where object_id = $1', [answers[0]!.json.id]);
    expect(events.rows).toEqual([{ type: 'customer.created' }]);
    expect(await replaysOf(key)).toBe(parallel - 1);
  });

  test('to update: one change, one event, fifty equal answers', async () => {
    const { id } = (await here.post('/v1/customers', { name: 'Ada' })).json;
    const key = randomUUID();
    const answers = await many(over(), (client) => client.post(`/v1/customers/${id}`, { name: 'Eve' }, keyed(key)));
    expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers['idempotent-replayed'] === undefined)).toHaveLength(1);
    const events = await server.sql.query('select 1 from events where object_id = $1', [id]);
    expect(events.rows).toHaveLength(2);
  });

  test('to delete: fifty equal answers, and one event', async () => {
    const { id } = (await here.post('/v1/customers', { name: 'Ada' })).json;
    const key = randomUUID();
    const answers = await many(over(), (client) => client.delete(`/v1/customers/${id}`, keyed(key)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`))).toEqual(
      new Set([`200 {"id":"${id}","object":"customer","deleted":true}`]),
    );
    const events = await server.sql.query('select type from events where object_id = $1 order by object_version', [id]);
    expect(events.rows).toEqual([{ type: 'customer.created' }, { type: 'customer.deleted' }]);
  });

  test('that find nothing: fifty equal 404', async () => {
    const key = randomUUID();
    const path = '/v1/customers/cus_0000000000000000000000';
    const answers = await many(over(), (client) => client.post(path, { name: 'Ada' }, keyed(key)));
    expect(new Set(answers.map((answer) => `${answer.status} ${answer.text}`)).size).toBe(1);
    expect(answers[0]!.status).toBe(404);
    expect(await replaysOf(key)).toBe(parallel - 1);
  });

  test('but two different bodies: one takes effect, the others are refused as different', async () => {
    const key = randomUUID();
    const names = [`${key} a`, `${key} b`];
    const answers = await many(over(), (client, at) =>
      client.post('/v1/customers', { name: names[(at >> 1) % 2] }, keyed(key)),
    );
    const done = answers.filter((answer) => answer.status === 200);
    expect(new Set(done.map((answer) => answer.text)).size).toBe(1);
    for (const other of answers.filter((answer) => answer.status !== 200))
      expect([other.status, other.json.error.code]).toEqual([400, 'idempotency_key_reused']);
    expect([...(await customersNamed(names[0]!)), ...(await customersNamed(names[1]!))]).toEqual([done[0]!.json.id]);
  });
});

describe('a request that arrives while the first with its key is still running', () => {
  /** Lets no customer be written until the returned function is called. */
  async function holdCustomers(): Promise<() => Promise<unknown>> {
    const holder = await connect({ connectionString: server.databaseUrl }, 'test');
    onTestFinished(() => holder.end());
    await holder.query('begin; lock table customers in share mode');
    return () => holder.query('rollback');
  }

  async function untilWaiting(commits: number): Promise<void> {
    await expect
      .poll(async () => {
        const { rows } = await server.sql.query(
          `select count(*) from pg_stat_activity where datname = current_database()
              and application_name = 'tollgate commit' and wait_event_type = 'Lock'`,
        );
        return rows[0].count;
      })
      .toBe(commits);
  }

  test('in the same server waits for it, then gets its answer', async () => {
    const release = await holdCustomers();
    const key = randomUUID();
    let answered = 0;
    const send = () => here.post('/v1/customers', { name: key }, keyed(key)).finally(() => answered++);
    const first = send();
    await untilWaiting(1);
    const others = [send(), send()];
    // Meanwhile the server answers other requests.
    for (let i = 0; i < 5; i++) expect((await here.get('/v1/customers?limit=1')).status).toBe(200);
    expect(answered).toBe(0);
    await release();
    const [one, ...rest] = await Promise.all([first, ...others]);
    expect([one.status, one.headers['idempotent-replayed']]).toEqual([200, undefined]);
    for (const other of rest) {
      expect([other.status, other.text]).toEqual([200, one.text]);
      expect(other.headers['idempotent-replayed']).toBe('true');
    }
    expect(await customersNamed(key)).toHaveLength(1);
    expect(await replaysOf(key)).toBe(2);
  });

  test('in another server waits in the database, then gets its answer', async () => {
    const release = await holdCustomers();
    const key = randomUUID();
    const first = here.post('/v1/customers', { name: key }, keyed(key));
    await untilWaiting(1);
    const other = there.post('/v1/customers', { name: key }, keyed(key));
    await untilWaiting(2);
    await release();
    expect((await other).text).toBe((await first).text);
    expect(await customersNamed(key)).toHaveLength(1);
    expect(await replaysOf(key)).toBe(1);
  });

  const befores: [string, (key: string) => Promise<unknown>][] = [
    ['for a key that is new', async () => {}],
    [
      'for a key whose old answer has expired',
      async (key) => {
        await here.post('/v1/customers', { name: 'old' }, keyed(key));
        await server.sql.query(`update idempotency set expires_at = now() - interval '1 second' where key = any($1)`, [
          await storedForms(server, key),
        ]);
      },
    ],
  ];
  test.each(befores)('does the work itself when the first has no effect, %s', async (_, before) => {
    const key = randomUUID();
    await before(key);
    const release = await holdCustomers();
    const first = here.post('/v1/customers', { name: key }, keyed(key));
    await untilWaiting(1);
    const other = here.post('/v1/customers', { name: key }, keyed(key));
    for (let i = 0; i < 5; i++) await here.get('/v1/customers?limit=1');
    await server.sql.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()
          and application_name = 'tollgate commit' and wait_event_type = 'Lock'`,
    );
    expect((await first).status).toBe(500);
    await release();
    expect([(await other).status, (await other).headers['idempotent-replayed']]).toEqual([200, undefined]);
    expect(await customersNamed(key)).toHaveLength(1);
  });

  test('with other parameters waits too, and is then refused as different', async () => {
    const release = await holdCustomers();
    const key = randomUUID();
    const first = here.post('/v1/customers', { name: key }, keyed(key));
    await untilWaiting(1);
    const other = here.post('/v1/customers', { phone: '112' }, keyed(key));
    for (let i = 0; i < 5; i++) await here.get('/v1/customers?limit=1');
    await release();
    expect((await first).status).toBe(200);
    expect((await other).json.error.code).toBe('idempotency_key_reused');
  });
});

describe('many concurrent replays', () => {
  test('through two servers, in opposite orders, all get their answers', async () => {
    // A table as large as in production: each key is looked up by the index, while a small table is scanned.
    await server.sql.query(
      `insert into idempotency (tenant, key, fingerprint, operation, request_id, status, body)
       select 0, n::text, '', '', '', 200, '' from generate_series(1, 20000) n`,
    );
    await server.sql.query('analyze idempotency');
    const keys = ['1', '2', '3'].map((at) => `${at} ${randomUUID()}`);
    const answers = await Promise.all(keys.map((key) => here.post('/v1/customers', { name: key }, keyed(key))));
    const { rows } = await server.sql.query(
      `select tenant, key, fingerprint, request_id
         from idempotency where key = any($1) order by key`,
      [(await Promise.all(keys.map((key) => storedForms(server, key)))).flat()],
    );
    expect(rows).toHaveLength(keys.length);
    const uses = rows.map((row) => ({ ...row, operation: 'customers.create', requestId: 'req' }) as KeyUse);

    const replayer = () => {
      const use = { use: 'durable', connectionsMax: 1, onError: () => {} } as const;
      const pool = openPool({ connectionString: server.databaseUrl }, use);
      onTestFinished(() => pool.end());
      return new Idempotency(onePool(pool), server.gateway.keyring);
    };
    const holder = await connect({ connectionString: server.databaseUrl }, 'test');
    onTestFinished(() => holder.end());
    await holder.query('begin');
    await holder.query('select 1 from idempotency where key = $1 for update', [uses[1]!.key]);
    const [one, other] = [replayer(), replayer()];
    const replays = [...uses.map((use) => one.replay(use)), ...uses.toReversed().map((use) => other.replay(use))];
    const settled = Promise.allSettled(replays);
    await expect
      .poll(async () => {
        const { rows: waiting } = await server.sql.query(
          `select 1 from pg_stat_activity where datname = current_database()
              and application_name = 'tollgate durable' and wait_event_type = 'Lock'`,
        );
        return waiting.length;
      })
      .toBe(2);
    await holder.query('rollback');
    const texts = (await settled).map((each) =>
      each.status === 'fulfilled' ? (each.value as Replay | undefined)?.body : String(each.reason),
    );
    const textOf = new Map(answers.map((answer) => [answer.headers['request-id'], answer.text]));
    const expected = rows.map((row) => textOf.get(row.request_id));
    expect(texts).toEqual([...expected, ...expected.toReversed()]);
  });
});
