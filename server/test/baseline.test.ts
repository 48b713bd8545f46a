import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { earlierCommit, lastOfBaseline } from '../base/history.ts';
import { type Migration, MigrationError, readMigrations } from '../base/migration.ts';
import { joinSchema } from '../base/schema_lock.ts';
import { type Connection, connect, type DatabaseAddress } from '../base/sql.ts';
import { joinOwnSchema, pendingOf, runMigrations } from '../database.ts';
import { catalogFacts } from './catalog_facts.ts';
import { createDatabase, startServer } from './harness.ts';

/**
 * The baseline has replaced 54 earlier migrations, and accepts their databases. `earlier_migrations.txt` has the names and checksums of
 * those, and `earlier_catalog.txt` the schema that they made in an empty database.
 */
const read = (name: string) =>
  readFileSync(join(import.meta.dirname, name), 'utf8')
    .trimEnd()
    .split('\n');
const earlierMigrations = read('earlier_migrations.txt').map((line) => line.split('  ') as [string, string]);
const earlierCatalog = read('earlier_catalog.txt');
const ownMigrations = readMigrations(join(import.meta.dirname, '..', 'migrations'));
const baseline = ownMigrations.filter(({ name }) => name <= lastOfBaseline);

async function ownDatabase() {
  const database = await createDatabase();
  const client = await connect(database.address, 'test');
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  return { ...database, client };
}

/** Moves the tables of the simulator back into the schema that they had. */
async function unmoveSimulator(client: Connection): Promise<void> {
  const { rows } = await client.query(`select 1 where to_regclass('simulator_entries') is not null`);
  if (rows.length === 0) return;
  const back = (name: string) =>
    `alter table simulator_${name} rename to ${name}; alter table ${name} set schema simulator;`;
  await client.query(`
    drop view simulator.entries, simulator.challenges, simulator.news, simulator.faults, simulator.charges;
    ${['entries', 'challenges', 'news', 'faults'].map(back).join('')}
    alter view simulator_charges rename to charges; alter view charges set schema simulator`);
}

/** Makes a database of this version what the earlier migrations would have left. */
async function makeEarlier(client: Connection, migrations = earlierMigrations): Promise<void> {
  await unmoveSimulator(client);
  await client.query(`
    create table idempotency_upgrade (migrated_at timestamptz not null);
    comment on column idempotency.key is 'a keyed hash; in clear in rows of the previous version, and of the day after the migration from it';
    delete from migrations`);
  for (const [checksum, name] of migrations)
    await client.query('insert into migrations (name, checksum) values ($1, $2)', [name, checksum]);
}

async function recorded(client: Connection): Promise<string[]> {
  const { rows } = await client.query('select name from migrations order by name');
  return rows.map(({ name }) => name);
}

const migrate = (client: Connection, address: DatabaseAddress, lines: string[] = []) =>
  runMigrations(client, address, (line) => void lines.push(line));

test('the baseline makes the schema that the earlier migrations made, and an accepted database has it too', async () => {
  const { client, address } = await ownDatabase();
  await client.query('drop schema public, simulator cascade; create schema public');
  for (const { text } of baseline) await client.query(text);
  const own = await catalogFacts(client);
  await client.query(`create table migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now(), rolling bool not null default false)`);
  await makeEarlier(client);
  expect(await catalogFacts(client)).toEqual(earlierCatalog);
  await migrate(client, address);
  if (baseline.length === ownMigrations.length) expect(await catalogFacts(client)).toEqual(own);
});

test('a database of the earlier migrations is accepted with its data, once although several processes start at the same time', async () => {
  const { client, address, url } = await ownDatabase();
  const before = await startServer({ databaseUrl: url });
  const { test: shop, testKey } = await before.account();
  const keyed = { 'Idempotency-Key': randomUUID() };
  const customer = await shop.post('/v1/customers', { name: 'Ada' }, keyed);
  await before.stop();
  await makeEarlier(client);

  expect(await pendingOf(client)).toEqual(ownMigrations.map(({ name }) => name));
  await expect(startServer({ databaseUrl: url })).rejects.toThrow('Run: tollgate migrate');
  const others = await Promise.all([1, 2, 3].map(() => connect(address, 'test')));
  const lines: string[] = [];
  await Promise.all(others.map((other) => migrate(other, address, lines)));
  await Promise.all(others.map((other) => other.end()));
  expect(lines.filter((line) => line.startsWith('The database was accepted'))).toHaveLength(1);
  expect(await recorded(client)).toEqual(ownMigrations.map(({ name }) => name));

  const after = await startServer({ databaseUrl: url });
  const again = await after.client(testKey).post('/v1/customers', { name: 'Ada' }, keyed);
  expect([again.text, again.headers['idempotent-replayed']]).toEqual([customer.text, 'true']);
  await after.stop();
});

test('a database that could not be accepted is as before, and the next run accepts it', async () => {
  const { client, address } = await ownDatabase();
  await makeEarlier(client);
  await client.query('create view in_the_way as select from idempotency_upgrade');
  await expect(migrate(client, address)).rejects.toThrow('other objects depend on it');
  expect(await recorded(client)).toEqual(earlierMigrations.map(([, name]) => name));
  await client.query('drop view in_the_way');
  await migrate(client, address);
  expect(await pendingOf(client)).toEqual([]);
});

test('a server of the earlier version keeps its database from being accepted, and cannot connect afterwards', async () => {
  const { client, address } = await ownDatabase();
  await makeEarlier(client);
  const itsMigrations: Migration[] = earlierMigrations.map(([checksum, name]) => {
    return { name, checksum, text: '', isRolling: false, isTransaction: true };
  });
  const server = await connect(address, 'test');
  // The lock is taken before the migrations are read: the connection has it, although this version refuses the database.
  await expect(joinSchema(server, ownMigrations)).rejects.toThrow('the database lacks the migration 0001_accounts.sql');
  await expect(migrate(client, address)).rejects.toThrow(
    `the migration to the baseline cannot run while servers are connected: process ${process.pid} on`,
  );
  expect(await recorded(client)).toEqual(earlierMigrations.map(([, name]) => name));
  await server.end();
  await migrate(client, address);
  const late = await connect(address, 'test');
  onTestFinished(() => late.end());
  await expect(joinSchema(late, itsMigrations)).rejects.toThrow('which this version does not know and cannot run with');
});

test.each([1, 22, 53])(
  'a database with only %i of the earlier migrations is refused, and the error names the commit to migrate with first',
  async (count) => {
    const { client, address } = await ownDatabase();
    await makeEarlier(client, earlierMigrations.slice(0, count));
    if (count === 1) await client.query('alter table migrations drop column rolling'); // as in the first databases
    const refused = migrate(client, address);
    await expect(refused).rejects.toThrow(MigrationError);
    await expect(refused).rejects.toThrow(`its last migration is ${earlierMigrations[count - 1]![1]}`);
    await expect(refused).rejects.toThrow(
      `check out the commit ${earlierCommit} and run there: npm ci && npx tollgate migrate`,
    );
    await expect(pendingOf(client)).rejects.toThrow(earlierCommit);
    await expect(joinOwnSchema(client)).rejects.toThrow(earlierCommit);
    expect(await recorded(client)).toHaveLength(count);
  },
);

test('the guide names that commit', () => {
  const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'upgrades.md'), 'utf8');
  expect(guide).toContain(`git checkout ${earlierCommit}\n`);
});

test('a database that ran another text of an earlier migration is not accepted', async () => {
  const { client, address } = await ownDatabase();
  const [[, name], ...rest] = earlierMigrations as [[string, string], ...[string, string][]];
  await makeEarlier(client, [['0'.repeat(64), name], ...rest]);
  await expect(migrate(client, address)).rejects.toThrow(earlierCommit);
});

test('a database waits until idempotency keys that this version does not find have expired', async () => {
  const { client, address } = await ownDatabase();
  await makeEarlier(client);
  await client.query(`
    insert into idempotency_upgrade values (now() - interval '48 hours');
    insert into idempotency (tenant, key, fingerprint, operation, request_id) values (1, 'in clear', '', '', '')`);
  await expect(migrate(client, address)).rejects.toThrow(
    new RegExp(`^the database has idempotency keys .* Run the commit ${earlierCommit} until \\d{4}-`),
  );
  expect(await recorded(client)).toEqual(earlierMigrations.map(([, name]) => name));
  await client.query(`update idempotency set expires_at = now() - interval '1 second'`);
  await migrate(client, address);
  expect(await pendingOf(client)).toEqual([]);
});
