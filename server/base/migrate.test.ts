import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { pendingOf, runMigrations } from '../database.ts';
import { createDatabase } from '../test/harness.ts';
import { MigrationError, migrate, readMigrations } from './migrate.ts';
import { type Connection, connect } from './sql.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let schemas = 0;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

/** Connections to an empty schema of the test's own, in which nothing has been migrated yet. */
async function emptySchema(connections: number): Promise<Connection[]> {
  const schema = `empty_${++schemas}`;
  return Promise.all(
    Array.from({ length: connections }, async () => {
      const client = await connect(database.address, 'test');
      onTestFinished(() => client.end());
      await client.query(`select pg_advisory_lock(1)`);
      await client.query(`create schema if not exists ${schema}`);
      await client.query(`select pg_advisory_unlock(1)`);
      await client.query(`set search_path = ${schema}`);
      return client;
    }),
  );
}

function folderOf(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-migrations-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const first = { '0001_first.sql': 'create table first (id int primary key);' };
const second = { '0002_second.sql': 'alter table first add column name text; create table second ();' };

async function tables(client: Connection): Promise<string[]> {
  const result = await client.query('select tablename from pg_tables where schemaname = current_schema() order by 1');
  return result.rows.map((row) => row.tablename);
}

describe('migrations', () => {
  test('run in the order of their names, each once, and other files are ignored', async () => {
    const [client] = (await emptySchema(1)) as [Connection];
    const folder = folderOf({ ...second, ...first, 'README.md': 'not SQL' });
    expect(await migrate(client, folder)).toEqual(['0001_first.sql', '0002_second.sql']);
    expect(await tables(client)).toEqual(['first', 'migrations', 'second']);
    expect(await migrate(client, folder)).toEqual([]);
  });

  test('continue after the last one that ran', async () => {
    const [client] = (await emptySchema(1)) as [Connection];
    await migrate(client, folderOf(first));
    expect(await migrate(client, folderOf({ ...first, ...second }))).toEqual(['0002_second.sql']);
  });

  test('run once when several servers start at once', async () => {
    const clients = await emptySchema(4);
    const folder = folderOf({ ...first, ...second });
    const ran = await Promise.all(clients.map((client) => migrate(client, folder)));
    expect(ran.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql']);
  });

  test('are refused when a file was changed after it ran', async () => {
    const [client] = (await emptySchema(1)) as [Connection];
    await migrate(client, folderOf(first));
    const changed = folderOf({ '0001_first.sql': `${first['0001_first.sql']} -- a remark`, ...second });
    await expect(migrate(client, changed)).rejects.toThrow(MigrationError);
    await expect(migrate(client, changed)).rejects.toThrow('0001_first.sql was changed after it ran');
    expect(await tables(client)).toEqual(['first', 'migrations']);
  });

  test('are refused on a database that a newer version has used', async () => {
    const [client] = (await emptySchema(1)) as [Connection];
    await migrate(client, folderOf({ ...first, ...second }));
    await expect(migrate(client, folderOf(first))).rejects.toThrow(MigrationError);
    await expect(migrate(client, folderOf(first))).rejects.toThrow('0002_second.sql, which this version does not know');
  });

  test('that fail are rolled back, leave earlier ones in place, and can be run again', async () => {
    const [client, other] = (await emptySchema(2)) as [Connection, Connection];
    const broken = { '0002_second.sql': 'create table second (); select 1 / 0;' };
    await expect(migrate(client, folderOf({ ...first, ...broken }))).rejects.toThrow(
      'the migration 0002_second.sql failed: division by zero',
    );
    expect(await tables(client)).toEqual(['first', 'migrations']);
    // The lock was released: another server can continue with a corrected file.
    expect(await migrate(other, folderOf({ ...first, ...second }))).toEqual(['0002_second.sql']);
  });

  test('have a checksum of their whole text', () => {
    const [one] = readMigrations(folderOf(first));
    const [other] = readMigrations(folderOf({ '0001_first.sql': `${first['0001_first.sql']}\n` }));
    expect(one!.checksum).toMatch(/^[0-9a-f]{64}$/);
    expect(other!.checksum).not.toBe(one!.checksum);
  });
});

describe("Tollgate's own migrations", () => {
  test('create the whole schema in an empty database, and a second run does nothing', async () => {
    const [client] = (await emptySchema(1)) as [Connection];
    await client.query('drop schema simulator cascade'); // a migration names this schema, so it is shared by all test schemas
    const pending = await pendingOf(client);
    expect(pending.length).toBeGreaterThan(0);
    expect(await runMigrations(client)).toEqual(pending);
    expect(await runMigrations(client)).toEqual([]);
    expect(await pendingOf(client)).toEqual([]);
  });
});
