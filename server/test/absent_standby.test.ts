import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Connection } from '../base/sql.ts';
import type { Answer, Client } from './client.ts';
import { eventually } from './eventually.ts';
import { startServer, type TestAccount, type TestServer, testMasterKey } from './harness.ts';
import { type Cluster, Clusters } from './postgres_cluster.ts';
import { Children } from './processes/children.ts';
import { isTorture, shareOf } from './torture.ts';

/** As in production, a commit is given up long after a standby counts as absent. A machine that runs long forms is slower to connect. */
const connectMs = shareOf(2_000, 500);
const patience = { connectMs, statementMs: 4 * connectMs, commitMs: 3 * connectMs };
const clusters = new Clusters();
const children = new Children();
const cwd = children.directory();
let primary: Cluster;
let standby: Cluster;
let sql: Connection;
let server: TestServer;
let account: TestAccount;
/** Lets a paused standby go on. */
let resume: (() => void) | undefined;

beforeAll(async () => {
  primary = await clusters.make();
  sql = await primary.connect();
  standby = await clusters.addStandby(primary);
  server = await startServer({ databaseUrl: primary.url(), patience });
  account = await server.account();
});
afterEach(goOn);
afterAll(async () => {
  await server?.stop();
  await sql?.end().catch(() => {});
  await children.cleanUp();
  await clusters.cleanUp();
});

const create = (client: Client) =>
  client.post('/v1/customers', { name: 'Ada' }, { 'Idempotency-Key': `${Math.random()}` });
const ready = async (of: TestServer) => (await of.anonymous.get('/readyz')).json;

/** Ends the pause of the standby. A primary that has dropped it meanwhile takes it back after some seconds. */
async function goOn(): Promise<void> {
  if (resume === undefined) return;
  resume();
  resume = undefined;
  await eventually(async () => expect(await ready(server)).toEqual({ status: 'ready' }));
}

/** The number of server processes that wait for the standby. */
async function waiting(): Promise<number> {
  const { rows } = await sql.query(`select count(*)::int as n from pg_stat_activity where wait_event = 'SyncRep'`);
  return rows[0].n;
}

function messages(level: string): string[] {
  return server.logged
    .map((line) => JSON.parse(line))
    .filter((line) => line.level === level)
    .map(({ msg }) => msg);
}

const absent = { status: 'unavailable', reason: 'standby does not confirm' };

test.runIf(isTorture)(
  'while the standby is absent, commits that were given up do not use up the connections',
  async () => {
    expect((await create(account.test)).status).toBe(200);
    server.logged.length = 0;
    resume = await standby.pauseReceiving();
    await eventually(async () => {
      expectUnavailable(await create(account.test));
      expect(await ready(server)).toEqual(absent);
    });
    const left = await waiting();
    // Without the check of new connections, each of these would be given up after `commitMs` and leave a process behind.
    const end = performance.now() + shareOf(30_000, 0);
    for (let tries = 0; tries < 20 || performance.now() < end; tries++) expectUnavailable(await create(account.test));
    expect(await waiting()).toBeLessThanOrEqual(left + 4); // the connections of the pools, once each
    expect((await account.test.get('/v1/customers')).status).toBe(200);
    const second = await startServer({ databaseUrl: primary.url(), patience });
    try {
      expect((await second.client(account.testKey).get('/v1/customers')).status).toBe(200);
      expectUnavailable(await create(second.client(account.testKey)));
      await eventually(async () => expect(await ready(second)).toEqual(absent));
    } finally {
      await second.stop();
    }

    await goOn();
    expect((await create(account.test)).status).toBe(200);
    expect(await waiting()).toBe(0);
    expect(messages('error')).toEqual([
      expect.stringMatching(/^the synchronous standby .* confirms no commit.*; start it/),
    ]);
    expect(messages('info')).toContain('the database is back');
  },
);

function expectUnavailable({ status, headers, json }: Answer): void {
  expect([status, json.error?.code, headers['retry-after']]).toEqual([500, 'unavailable', '1']);
}

/** The address of both, in the order of libpq: the first that suits is used. */
function bothUrl(target: string): string {
  const folders = [primary, standby].map((cluster) => new URL(cluster.url()).searchParams.get('host'));
  return `postgres://tollgate@/tollgate?host=${folders.join(',')}&port=5432&target_session_attrs=${target}`;
}

describe('commands that change nothing', () => {
  const date = new Date().toISOString().slice(0, 10);
  const commands = [
    ['ledger', 'verify'],
    ['reconcile', '--connector', 'simulator', '--date', date],
    ['payments', 'unsettled'],
    ['notices', 'list'],
  ];
  const run = (args: string[], DATABASE_URL: string) =>
    children.run([...args, '--json'], { cwd, environment: { DATABASE_URL, TOLLGATE_VAULT_KEY: testMasterKey } });

  test.each(commands)('run on the standby: %s %s', async (...args) => {
    expect((await create(account.test)).status).toBe(200);
    for (const url of [standby.url(), bothUrl('standby'), bothUrl('prefer-standby')])
      expect(await run(args, url)).toMatchObject({ code: 0, stderr: '' });
  });

  test('are alone in it: others say what they need', async () => {
    const refused = await run(['accounts', 'create', '--name', 'Ada'], `${standby.url()}&target_session_attrs=standby`);
    expect(refused).toMatchObject({ code: 5, stdout: '' });
    expect(refused.stderr).toMatch(
      /no host suits target_session_attrs=read-write: .* is a standby\. Start the primary or/,
    );
    const made = await run(['accounts', 'create', '--name', 'Ada'], bothUrl('prefer-standby'));
    expect(made).toMatchObject({ code: 0, stderr: '' });
  });
});

// PostgreSQL itself guarantees this. It is shown once, as far as servers can see it; the longer form has more writes before it.
test('after a promotion beside a living primary, only the new one acknowledges, and nothing acknowledged is lost', async () => {
  const acknowledged: string[] = [];
  const load = async () => {
    for (let tries = 0; tries < shareOf(150, 20); tries++) {
      const { status, json } = await create(account.test);
      if (status === 200) acknowledged.push(json.id);
    }
  };
  const loads = Promise.all([load(), load(), load()]);
  await eventually(() => expect(acknowledged.length).toBeGreaterThan(10));
  await standby.promote();
  const promoted = await startServer({ databaseUrl: standby.url(), patience });
  await loads;
  for (let tries = 0; tries < 3; tries++) expectUnavailable(await create(account.test));
  await eventually(async () => expect(await ready(server)).toEqual(absent));
  const client = promoted.client(account.testKey);
  expect((await create(client)).status).toBe(200);
  const { rows } = await promoted.sql.query('select id from customers where id = any($1)', [acknowledged]);
  expect(rows.map(({ id }) => id).sort()).toEqual(acknowledged.sort());
  await promoted.stop();
});

test('a server with both hosts in its address goes on with the promoted one when the other has ended', async () => {
  const both = await startServer({ databaseUrl: bothUrl('read-write'), patience });
  const client = both.client(account.testKey);
  expect((await client.get('/v1/customers')).status).toBe(200);
  await sql.end();
  await primary.end('SIGKILL');
  await eventually(async () => expect((await create(client)).status).toBe(200));
  await eventually(async () => expect(await ready(both)).toEqual({ status: 'ready' }));
  const promoted = await standby.connect();
  const commits = `select 1 from pg_stat_activity where application_name = 'tollgate commit'`;
  await eventually(async () => expect((await promoted.query(commits)).rows).toHaveLength(1));
  await promoted.end();
  await both.stop();
});
