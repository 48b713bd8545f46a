import { cpSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { CuttingProxy } from '../../base/commit/cutting_proxy.fixture.ts';
import { migrate } from '../../base/migrate.ts';
import { connect } from '../../base/sql.ts';
import type { Client } from '../client.ts';
import { becomes } from '../eventually.ts';
import { createDatabase, startServer } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { type Child, type Finished, testMs } from './child.ts';
import { Children } from './children.ts';

/** Two versions of Tollgate on one database: this one, and a newer one that is a copy of it with further migrations. */

const children = new Children();
const checkout = join(import.meta.dirname, '..', '..', '..');
const newer = children.directory('newer');
let database: Awaited<ReturnType<typeof createDatabase>>;

beforeAll(async () => {
  database = await createDatabase();
  const isSource = (path: string) => basename(path) !== 'test' && !/\.(test|fixture)\.ts$/.test(path);
  cpSync(join(checkout, 'server'), join(newer, 'server'), { recursive: true, filter: isSource });
  symlinkSync(join(checkout, 'node_modules'), join(newer, 'node_modules'));
});
afterAll(async () => {
  await children.cleanUp();
  await database.drop();
});

/** Adds a migration to the newer version. */
function release(name: string, text: string): void {
  writeFileSync(join(newer, 'server', 'migrations', name), text);
}

/** `tollgate migrate` of the newer version. */
function startNewer(): Child {
  const own = { DATABASE_URL: database.url, NODE_COMPILE_CACHE: join(newer, 'cache') };
  const options = { cwd: newer, environment: children.environment(own) };
  return children.spawn(process.execPath, [join(newer, 'server', 'bin', 'tollgate.js'), 'migrate'], options);
}

async function runNewer(): Promise<Finished> {
  const child = startNewer();
  return { ...(await child.ends()), stdout: child.stdout, stderr: child.stderr };
}

/** The same in this process, which costs less. */
async function migrateToNewer({ address } = database): Promise<string[]> {
  await using opened = new AsyncDisposableStack();
  const client = await connect(address, 'test');
  opened.defer(() => client.end());
  const watch = () => connect(address, 'test');
  return await migrate(client, join(newer, 'server', 'migrations'), { watch, report: () => {} });
}

const customerOf = async (client: Client) => (await client.post('/v1/customers', { name: 'Ada' })).status;

test('an older server serves on after a rolling migration, and keeps every other one from running', {
  timeout: testMs,
}, async () => {
  const environment = children.serveEnvironment({ DATABASE_URL: database.url });
  const old = await children.serve(environment);
  const { test_secret_key: key } = await children.account(environment);
  const client = old.client(key);
  expect(await customerOf(client)).toBe(200);

  release('9001_rolling.sql', '-- tollgate: rolling\nalter table customers add column nickname text;');
  const dump = children.keep(await connect(database.address, 'dump'));
  await dump.query('begin; lock table customers in access share mode');
  const migrating = startNewer();
  await expect
    .poll(() => migrating.stderr)
    .toMatch(/^9001_rolling\.sql waits for a lock that process \d+ \(tollgate dump,/);
  expect(await customerOf(client)).toBe(200); // the migration gives way although the table is still held
  await dump.query('commit');
  expect([await migrating.ends(), migrating.stdout]).toMatchObject([{ code: 0 }, 'Applied: 9001_rolling.sql.\n']);
  expect(await customerOf(client)).toBe(200);

  release('9002_breaking.sql', 'alter table customers drop column nickname;');
  const refused = await runNewer();
  expect(refused).toMatchObject({ code: 1, stdout: '' });
  expect(refused.stderr).toMatch(
    new RegExp(
      `^the migration 9002_breaking\\.sql cannot run while servers are connected: process ${old.child.pid} on this machine ` +
        '\\(\\d+ connections since [^)]+\\)\\. Stop them, then run tollgate migrate again\\.\n$',
    ),
  );
  expect(await customerOf(client)).toBe(200);

  await old.child.stop('SIGKILL');
  const again = await startServer({ databaseUrl: database.url }); // on a database that a newer version has migrated
  expect(await customerOf(again.client(key))).toBe(200);
  await again.stop();
  expect(await migrateToNewer()).toEqual(['9002_breaking.sql']);
  await expect(startServer({ databaseUrl: database.url })).rejects.toThrow(
    'the database has the migration 9002_breaking.sql, which this version does not know and cannot run with',
  );
});

test.runIf(isTorture)(
  'an older server that was cut off during a breaking migration writes nothing after it, and says why',
  async () => {
    const own = await createDatabase();
    const proxy = new CuttingProxy(own.address);
    await proxy.listen();
    const through = proxy.through(own.address) as { port: number; user: string; password: string; database: string };
    const url = `postgres://${through.user}:${through.password}@127.0.0.1:${through.port}/${through.database}`;
    const server = await startServer({ databaseUrl: url });
    const { test: client } = await server.account();
    const sql = await connect(own.address, 'test');
    try {
      expect(await customerOf(client)).toBe(200);
      proxy.goDown();
      const connected = async () =>
        (await sql.query(`select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`))
          .rowCount;
      await expect.poll(connected).toBe(0);
      expect(await migrateToNewer(own)).toContain('9002_breaking.sql');
      proxy.comeBack();

      await becomes(() => server.logged.join('')).toContain(
        'stop this server, and start the version that migrated the database',
      );
      const answer = await client.post('/v1/customers', { name: 'Too late' });
      expect([answer.status, answer.json.error.code, answer.headers['retry-after']]).toEqual([500, 'unavailable', '1']);
      const readiness = async () => (await server.anonymous.get('/readyz')).json;
      await becomes(readiness).toEqual({ status: 'unavailable', reason: 'schema mismatch' });
      expect((await server.anonymous.get('/readyz')).status).toBe(500);
      const { rows } = await sql.query('select count(*)::int as count from customers');
      expect(rows).toEqual([{ count: 1 }]);
      expect(server.logged.filter((line) => line.includes('stop this server'))).toHaveLength(1);
    } finally {
      await sql.end();
      await server.stop();
      await proxy.close();
      await own.drop();
    }
  },
);

test('a migration without a transaction that was killed is finished by the next run', { timeout: testMs }, async () => {
  await using opened = new AsyncDisposableStack();
  const [sql, dump] = [await connect(database.address, 'test'), await connect(database.address, 'dump')];
  for (const client of [sql, dump]) opened.defer(() => client.end());
  release(
    '9003_index.sql',
    `-- tollgate: rolling
-- tollgate: no transaction
create index concurrently if not exists customers_by_name on customers (tenant, name);
create index concurrently if not exists customers_by_phone on customers (tenant, phone);`,
  );
  const valid = async () =>
    (
      await sql.query(`select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid
                        where c.relname in ('customers_by_name', 'customers_by_phone') order by 1`)
    ).rows;
  // The index waits for a transaction that has written to the table.
  await dump.query('begin; update customers set name = name');
  const killed = startNewer();
  await expect
    .poll(() => killed.stderr)
    .toMatch(/^9003_index\.sql waits for a lock that process \d+ \(tollgate dump, in a trans/);
  expect(await valid()).toEqual([{ name: 'customers_by_name', valid: false }]);
  await killed.stop('SIGKILL');
  // Its connection is noticed to be gone although the transaction goes on.
  const left = `select from pg_stat_activity where application_name = 'tollgate migrate' and datname = current_database()`;
  await expect.poll(async () => (await sql.query(left)).rowCount).toBe(0);
  expect(await valid()).toEqual([{ name: 'customers_by_name', valid: false }]);
  await dump.query('rollback');
  expect(await migrateToNewer()).toEqual(['9003_index.sql']);
  expect(await valid()).toEqual([
    { name: 'customers_by_name', valid: true },
    { name: 'customers_by_phone', valid: true },
  ]);
});
