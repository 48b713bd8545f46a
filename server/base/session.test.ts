import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest';
import { createDatabase } from '../test/harness.ts';
import { tester } from './embedded_postgres/superuser.fixture.ts';
import { readMigrations } from './migration.ts';
import { MiniPooler } from './mini_pooler.fixture.ts';
import { joinSchema } from './schema_lock.ts';
import { requireOwnBackend, SharedBackend } from './session.ts';
import { type Connection, connect, type DatabaseAddress, openPool, type PoolUse, Unfit } from './sql.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let admin: Connection;
const migrations = readMigrations(join(import.meta.dirname, '..', 'migrations'));

beforeAll(async () => {
  database = await createDatabase();
  admin = await connect({ ...inject('postgres'), ...tester }, 'test');
});
afterAll(async () => {
  await admin.end();
  await database.drop();
});

const shown = async (address: DatabaseAddress, use: PoolUse, names: readonly string[]) => {
  const pool = openPool(address, { use, connectionsMax: 1, onError: () => {} });
  onTestFinished(() => pool.end());
  const { rows } = await pool.query('select name, current_setting(name) as value from unnest($1::text[]) name', [
    names,
  ]);
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
};

describe('the settings of a session', () => {
  const ours = {
    client_min_messages: 'warning',
    lock_timeout: '0',
    default_transaction_isolation: 'read committed',
    DateStyle: 'ISO, MDY',
    TimeZone: 'UTC',
    bytea_output: 'hex',
    standard_conforming_strings: 'on',
  };
  const wanted: [PoolUse, Record<string, string>][] = [
    ['reads', { statement_timeout: '18s', synchronous_commit: 'on' }],
    ['durable', { statement_timeout: '0', synchronous_commit: 'on' }],
    ['relaxed', { statement_timeout: '0', synchronous_commit: 'off' }],
  ];
  const others = {
    client_min_messages: 'error',
    lock_timeout: '1s',
    default_transaction_isolation: 'serializable',
    datestyle: 'German',
    timezone: 'Asia/Kathmandu',
    bytea_output: 'escape',
    standard_conforming_strings: 'off',
    statement_timeout: '1s',
    synchronous_commit: 'local',
  };

  test.each(wanted)('of %s are those of Tollgate, whatever DATABASE_URL and the role say', async (use, own) => {
    const role = `role_${database.url.match(/test_(\w+)/)![1]}_${use}`;
    await admin.query(`create role ${role} login password 'own' in role ${inject('postgres').user}`);
    onTestFinished(async () => void (await admin.query(`drop role ${role}`)));
    for (const [name, value] of Object.entries(others))
      await admin.query(`alter role ${role} set ${name} = '${value}'`);
    const url = new URL(database.url);
    Object.assign(url, { username: role, password: 'own' });
    const options = Object.entries({ ...others, search_path: 'pg_catalog' }).map(
      ([name, value]) => `-c ${name}=${value}`,
    );
    for (const given of ['', options.join(' ')]) {
      if (given !== '') url.searchParams.set('options', given);
      const all = { ...ours, ...own };
      expect(await shown({ connectionString: url.href }, use, Object.keys(all))).toEqual(all);
    }
    const [path] = Object.values(await shown({ connectionString: url.href }, use, ['search_path']));
    expect(path).toBe('pg_catalog');
  });

  test('are made by a statement if something in between has dropped them', async () => {
    const client = await connect(database.address, 'test');
    onTestFinished(() => client.end());
    await client.query('reset all; set client_min_messages = error; set synchronous_commit = off');
    await joinSchema(client, migrations);
    const { rows } = await client.query(
      `select current_setting('client_min_messages') as messages, current_setting('synchronous_commit') as commits`,
    );
    expect(rows).toEqual([{ messages: 'warning', commits: 'on' }]);
  });

  test('are refused if one of them cannot be made', async () => {
    const replica = { ...database.address, ...tester } as Extract<DatabaseAddress, { host: string }>;
    const client = await connect(replica, 'test');
    onTestFinished(() => client.end());
    await client.query('set session_replication_role = replica');
    const refused = joinSchema(client, migrations);
    await expect(refused).rejects.toBeInstanceOf(Unfit);
    await expect(refused).rejects.toThrow('other settings: session_replication_role is replica and not origin');
  });
});

describe('a pooler', () => {
  async function through(mode: 'transaction' | 'session', backends: number, order: 'last' | 'first' = 'last') {
    const pooler = new MiniPooler(database.address, { mode, backends, order });
    await pooler.listen();
    onTestFinished(() => pooler.close());
    return pooler.through(database.address);
  }
  const open = async (address: DatabaseAddress) => {
    const client = await connect(address, 'test');
    onTestFinished(() => client.end());
    return client;
  };
  const check = async (address: DatabaseAddress) =>
    requireOwnBackend(await open(address), () => connect(address, 'test', { connectMs: 2_000, statementMs: 500 }));

  test.each<[number, 'last' | 'first']>([
    [1, 'last'],
    [2, 'last'],
    [2, 'first'],
    [4, 'last'],
  ])('in transaction mode is refused: %i server connections, the %s released is used first', async (...how) => {
    await expect(check(await through('transaction', ...how))).rejects.toThrow(SharedBackend);
  });

  test('in transaction mode is refused by each new connection whose server process has changed', async () => {
    const address = await through('transaction', 2, 'first');
    await expect(joinSchema(await open(address), migrations)).rejects.toThrow(/^a pooler in transaction mode/);
  });

  test.each([1, 5])('in session mode is fine, with %i server connections', async (backends) => {
    const address = await through('session', backends);
    await check(address);
  });

  test('is not looked for behind a direct connection', async () => {
    const client = await open(database.address);
    await requireOwnBackend(client, () => Promise.reject(new Error('no other connection is needed')));
    await joinSchema(client, migrations);
  });
});
