import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { Unavailable } from '../base/errors.ts';
import type { Tenant } from '../base/reads.ts';
import { type Connection, openPool } from '../base/sql.ts';
import type { Answer } from './client.ts';
import { eventually } from './eventually.ts';
import { startServer, type TestAccount, type TestServer } from './harness.ts';
import { type Cluster, Clusters } from './postgres_cluster.ts';
import { shareOfCases } from './torture.ts';

/** Small enough that a test can use up everything that PostgreSQL has. */
const small = { max_connections: '24', max_locks_per_transaction: '10', fsync: 'off' };
/** A starting server is busy for up to a second on a busy machine: no wait for a connection may end in it. */
const patience = { connectMs: 3_000, statementMs: 5_000, commitMs: 4_000 };
const clusters = new Clusters();
let cluster: Cluster;
let admin: Connection;
let server: TestServer;
let account: TestAccount;
/** Ends what a test has done to the database. */
let undo = async () => {};

beforeAll(async () => {
  cluster = await clusters.make(small);
  admin = await cluster.connect('postgres');
  server = await startServer({ databaseUrl: cluster.url(), patience });
  account = await server.account();
});
beforeEach(async () => {
  await eventually(async () => expect(await serves()).toEqual([200, 200, 200]));
  server.logged.length = 0;
});
afterEach(async () => {
  await undo();
  undo = async () => {};
});
afterAll(async () => {
  await server?.stop();
  await admin?.end();
  await clusters.cleanUp();
});

const create = () => account.test.post('/v1/customers', { name: 'Ada' });
const list = () => account.test.get('/v1/customers');
const ready = () => server.anonymous.get('/readyz');

async function serves(): Promise<number[]> {
  return (await Promise.all([create(), list(), ready()])).map(({ status }) => status);
}

/** A change that is not counted by any limit. */
function commits(): Promise<'commits' | 'is unavailable' | 'fails'> {
  return server.key(account.id, {}).then(
    () => 'commits',
    (error) => (error instanceof Unavailable ? 'is unavailable' : 'fails'),
  );
}

const noFurther = expect.stringMatching(/^the database allows no further connections; requests are served with/);

function lines(level: string) {
  return server.logged.map((line) => JSON.parse(line)).filter((line) => line.level === level);
}

/** What was warned of, but for single connections: after an outage the gateway breaks those that may have become useless. */
function warnings(): string[] {
  return lines('warn')
    .map(({ msg }) => msg)
    .filter((msg) => msg !== 'a database connection broke');
}

/** Ends all connections of the gateway, so that it needs new ones. */
async function endConnections(): Promise<void> {
  await admin.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = 'tollgate' and application_name <> 'tollgate test'`,
  );
}

/** Other clients hold every connection that the database allows, and that the gateway does not hold. */
async function useUpOthers(): Promise<void> {
  const held = await connectAll();
  undo = async () => {
    await Promise.all(held.map((one) => one.end()));
  };
}

async function connectAll(): Promise<Connection[]> {
  const held: Connection[] = [];
  for (;;) {
    const one = await cluster.connect('postgres').catch(() => undefined);
    if (one === undefined) return held;
    held.push(one);
  }
}

async function useUpConnections(): Promise<void> {
  await endConnections();
  await useUpOthers();
}

/** Another client holds so many locks that the database has no memory for the locks of new connections. */
async function useUpMemory(): Promise<void> {
  const greedy = await cluster.connect('postgres');
  undo = () => greedy.end();
  await endConnections();
  const taken = greedy.query('select pg_advisory_lock(n) from generate_series(1, 100000) n');
  await expect(taken).rejects.toMatchObject({ code: '53200' });
}

async function turnReadOnly(): Promise<void> {
  await admin.query('alter database tollgate set default_transaction_read_only = on');
  undo = async () => {
    await admin.query('alter database tollgate reset default_transaction_read_only');
  };
  await endConnections();
}

/** Writes that take space fail as on a full disk: rows of a commit, and those of the watch. Others succeed. */
async function fillDisk(): Promise<void> {
  const body = `language plpgsql as
    $$ begin raise 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$`;
  undo = () => asOwner('drop function if exists refuse_rows, refuse_tables cascade');
  const [onRows, onTables] = ['execute function refuse_rows()', 'execute function refuse_tables()'];
  await asOwner(
    `create function refuse_rows() returns trigger ${body}`,
    `create function refuse_tables() returns event_trigger ${body}`,
    `create trigger disk_full before insert on customers for each statement ${onRows}`,
    `create trigger disk_full before insert on api_keys for each statement ${onRows}`,
    `create event trigger disk_full on ddl_command_start when tag in ('CREATE TABLE AS') ${onTables}`,
  );
}

async function asOwner(...statements: string[]): Promise<void> {
  const owner = await cluster.connect('tollgate');
  for (const statement of statements) await owner.query(statement);
  await owner.end();
}

describe('a running server whose database', () => {
  const faults: [string, string, () => Promise<void>, string, RegExp][] = [
    ['has no connections left', '53300', useUpConnections, 'database has no connections left', /raise its max_conn/],
    [
      'has a full disk',
      '53100',
      fillDisk,
      'database refuses writes',
      /free space there, and Tollgate continues by itself$/,
    ],
    ['is out of memory', '53200', useUpMemory, 'database out of memory', /give it more, or lower its settings/],
    ['is read-only', '25006', turnReadOnly, 'database refuses writes', /check whether DATABASE_URL names the primary$/],
  ];
  test.each(shareOfCases(faults, 2))(
    '%s (%s) is not ready, logs one line that says why, and recovers',
    async (...fault) => {
      const [, , begin, reason, message] = fault;
      await begin();
      const seen: Answer[] = [];
      await eventually(async () => {
        seen.push(await create(), await list());
        expect(lines('error')).toHaveLength(1);
      });
      expect(await commits()).not.toBe('fails'); // without a rate limit, which would be refused first
      expect(await ready()).toMatchObject({ status: 500, json: { status: 'unavailable', reason } });
      const refused = seen.filter(({ status }) => status !== 200);
      expect(refused.length).toBeGreaterThan(0);
      for (const { status, json, headers } of refused)
        expect([status, json.error.code, headers['retry-after']]).toEqual([500, 'unavailable', '1']);

      await undo();
      await eventually(async () => expect((await ready()).status).toBe(200));
      expect(await commits()).toBe('commits');
      expect(await serves()).toEqual([200, 200, 200]);
      expect(lines('error')).toMatchObject([{ msg: expect.stringMatching(message), error: expect.any(String) }]);
      // At its beginning and its end, some connections may be left.
      expect(warnings().filter((msg) => !/^the database allows no fu/.test(msg))).toEqual([]);
      expect(lines('info').map(({ msg }) => msg)).toContain('the database is back');
    },
  );
});

test('a server keeps the connections that it has when there are no others, serves with them, and is ready', async () => {
  const held = async () => {
    const { rows } = await admin.query<{ pid: number }>(
      `select pid from pg_stat_activity where application_name ~ '^tollgate (reads|durable|relaxed|commit)$' order by pid`,
    );
    return rows.map(({ pid }) => pid);
  };
  const before = await held();
  await useUpOthers();
  const seen: Answer[] = [];
  const { reads } = server.gateway.services;
  await eventually(async () => {
    // Slow reads of four accounts: more than there are connections for.
    const slow = [1, 2, 3, 4].map((tenant) => reads.rows('select pg_sleep(0.1), $1::int', [tenant as Tenant]));
    seen.push(...(await Promise.all([list(), create(), list(), create()])));
    await Promise.all(slow);
    seen.push(await ready());
    expect(warnings()).toEqual([noFurther]);
  });
  expect(seen.filter(({ status }) => status !== 200)).toEqual([]);
  expect(lines('error')).toEqual([]);
  expect(await held()).toEqual(expect.arrayContaining(before));
  expect((await create()).status).toBe(200);
});

test('a server that gets back only some of its connections is ready as long as every pool has one', async () => {
  const { reads } = server.gateway.services;
  // Concurrent reads of four accounts use all connections for reads.
  const readAll = () =>
    Promise.all([1, 2, 3, 4].map((tenant) => reads.rows('select pg_sleep(0.1), $1::int', [tenant as Tenant])));
  await readAll();
  const held: Connection[] = [];
  undo = async () => {
    await Promise.all(held.splice(0).map((one) => one.end()));
  };
  const seen: Answer[] = [];
  await eventually(async () => {
    await admin.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where pid in
        (select pid from pg_stat_activity where application_name = 'tollgate reads' order by backend_start offset 1)`,
    );
    held.push(...(await connectAll()));
    seen.push(...(await Promise.all([list(), create(), list(), create()])), await ready());
    await readAll();
    expect(warnings()).toContainEqual(noFurther);
  });
  seen.push(await ready(), await create());
  expect(seen.map(({ status }) => status)).toEqual(seen.map(() => 200));
  expect(lines('error')).toEqual([]);
});

test('who finds all connections of a pool in use waits for one of them when the database has no others', async () => {
  const failures: Error[] = [];
  const options = {
    use: 'reads',
    connectionsMax: 3,
    patience,
    onError: (error: Error) => failures.push(error),
  } as const;
  const pool = openPool({ connectionString: cluster.url() }, options);
  const held = await pool.connect();
  await useUpOthers();
  const statements = ['select 1', 'select 2', 'select 3'].map((text) => pool.query(text));
  await eventually(async () => expect(failures).not.toEqual([]));
  held.release();
  expect((await Promise.all(statements)).map(({ rowCount }) => rowCount)).toEqual([1, 1, 1]);

  await undo();
  await eventually(async () => {
    await Promise.all([1, 2, 3].map(() => pool.query('select pg_sleep(0.05)')));
    expect(pool.totalCount).toBe(3);
  });
  await pool.end();
});
