import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { pendingOf, runMigrations } from '../database.ts';
import { createDatabase } from '../test/harness.ts';
import type { LockOptions } from './lock_wait.ts';
import { migrate as migrateWith } from './migrate.ts';
import { type Migration, MigrationError, readMigrations } from './migration.ts';
import { joinSchema, SchemaMismatch, withoutServers } from './schema_lock.ts';
import { type Connection, connect } from './sql.ts';
import { statementsIn } from './statements.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let schemas = 0;

beforeAll(async () => {
  database = await createDatabase();
});
afterAll(() => database.drop());

const migrate = (client: Connection, folder: string, options: Partial<LockOptions> = {}) =>
  migrateWith(client, folder, { watch: () => connect(database.address, 'test'), report: () => {}, ...options });

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

  test('run once when several servers start at the same time', async () => {
    const clients = await emptySchema(4);
    const folder = folderOf({ ...first, ...second });
    const ran = await Promise.all(clients.map((client) => migrate(client, folder)));
    expect(ran.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql']);
  });

  test('run once although they build an index concurrently, which waits for every open statement', async () => {
    const clients = await emptySchema(3);
    const index = `-- tollgate: rolling
-- tollgate: no transaction
create index concurrently if not exists first_by_name on first (name);`;
    const folder = folderOf({ ...first, ...second, '0003_index.sql': index });
    const queued: string[] = [];
    const report = (line: string) => void queued.push(line);
    const patience = { timeoutMs: 1_500, pauseMs: 50, triesMax: 1 };
    const ran = await Promise.all(clients.map((client) => migrate(client, folder, { report, patience })));
    expect(ran.flat().sort()).toEqual(['0001_first.sql', '0002_second.sql', '0003_index.sql']);
    expect(queued).toEqual(Array(2).fill('Another migrate is running. Waiting for it.'));
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

describe('a migration that needs a lock', () => {
  const patience = { timeoutMs: 1_500, pauseMs: 50, triesMax: 2 };
  const altering = { ...first, '0002_alter.sql': 'alter table first add column name text;' };

  /** A schema in which the first migration has run, and a connection that holds its table as `pg_dump` does. */
  async function heldTable() {
    const [client, dump, writer] = (await emptySchema(3)) as [Connection, Connection, Connection];
    await migrate(client, folderOf(first));
    await dump.query(`set application_name = 'pg_dump'; begin; lock table first in access share mode`);
    return { client, dump, writer };
  }

  test('lets others pass between its tries, names the process in its way, and succeeds when that has ended', async () => {
    const { client, dump, writer } = await heldTable();
    const lines: string[] = [];
    const report = (line: string) => void lines.push(line);
    const running = migrate(client, folderOf(altering), { report, patience: { ...patience, triesMax: 1_000 } });
    const holder = 'process \\d+ \\(pg_dump, in a transaction since [^)]* UTC\\)';
    await expect.poll(() => lines[0]).toMatch(new RegExp(`^0002_alter.sql waits for a lock that ${holder} holds.$`));
    await expect
      .poll(() => lines[1])
      .toMatch(
        new RegExp(`^0002_alter.sql needs a lock that ${holder} holds. Trying again in 0.05 s \\(1 of 1000\\).$`),
      );
    await writer.query('insert into first values (1)'); // behind the waiting statement until that gives up
    await dump.query('commit');
    expect(await running).toEqual(['0002_alter.sql']);
  });

  test('gives up in the end, and has changed nothing', async () => {
    const { client, dump } = await heldTable();
    await expect(migrate(client, folderOf(altering), { patience })).rejects.toThrow(
      /^the migration 0002_alter.sql failed: 0002_alter.sql needs a lock that process \d+ \(pg_dump, .*\) holds. Nothing was changed. Wait for/,
    );
    await dump.query('commit');
    expect(await migrate(client, folderOf(altering))).toEqual(['0002_alter.sql']);
  });

  test('outside a transaction gives up as well, and concurrent statements wait', async () => {
    const { client, dump } = await heldTable();
    const head = '-- tollgate: no transaction\n';
    const plain = { ...first, '0002_alter.sql': `${head}alter table first add column name text;` };
    await expect(migrate(client, folderOf(plain), { patience })).rejects.toThrow('(pg_dump, in a transaction since');
    const { rows } = await client.query('show lock_timeout');
    expect(rows).toEqual([{ lock_timeout: '0' }]);
    await dump.query('lock table first in row exclusive mode'); // a writer, for which an index has to wait
    const index = `${head}create index concurrently if not exists first_again on first (id);`;
    const lines: string[] = [];
    const report = (line: string) => void lines.push(line);
    const running = migrate(client, folderOf({ ...first, '0002_index.sql': index }), { report, patience });
    await expect.poll(() => lines).toHaveLength(1);
    expect(lines[0]).toContain('0002_index.sql waits for a lock that process');
    await dump.query('commit');
    expect(await running).toEqual(['0002_index.sql']);
  });
});

describe('a migration outside a transaction', () => {
  const third = (text: string) => ({ ...first, '0002_apart.sql': `-- tollgate: no transaction\n${text}` });

  test('keeps what it has done when a statement fails, and begins again with the next run', async () => {
    const [client] = (await emptySchema(1)) as [Connection];
    const rest = 'create unique index concurrently if not exists first_once on first ((id % 2));';
    const folder = folderOf(third(`create table if not exists second (); ${rest}`));
    await migrate(client, folderOf(first));
    await client.query('insert into first values (1), (3)');
    await expect(migrate(client, folder)).rejects.toThrow('could not create unique index "first_once"');
    expect(await tables(client)).toEqual(['first', 'migrations', 'second']);
    await client.query('delete from first where id = 3');
    expect(await migrate(client, folder)).toEqual(['0002_apart.sql']);
    const { rows } = await client.query(`select indisvalid from pg_index where indexrelid = 'first_once'::regclass`);
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test('drops the index that the victim of a deadlock leaves behind, and builds it again', async () => {
    const [client] = (await emptySchema(1)) as [Connection];
    await migrate(client, folderOf(first));
    await client.query('insert into first values (1), (3)');
    const query = client.query.bind(client) as (text: unknown, values?: unknown) => Promise<unknown>;
    let tries = 0;
    const spy = vi.spyOn(client, 'query').mockImplementation((async (text: unknown, values?: unknown) => {
      if (!`${text}`.startsWith('create unique index') || tries++ > 0) return query(text, values);
      // The two rows make the real statement fail in its last phase, as a deadlock would.
      const error = (await query(text).catch((failure) => failure)) as { code: string };
      await query('delete from first where id = 3');
      throw Object.assign(error, { code: '40P01' });
    }) as never);
    const folder = folderOf(third('create unique index concurrently if not exists first_once on first ((id % 2))'));
    expect(await migrate(client, folder, { patience: { timeoutMs: 300, pauseMs: 10, triesMax: 3 } })).toHaveLength(1);
    spy.mockRestore();
    const { rows } = await client.query(`select indisvalid from pg_index where indexrelid = 'first_once'::regclass`);
    expect({ tries, rows }).toEqual({ tries: 2, rows: [{ indisvalid: true }] });
  });

  const texts: [string, string[]][] = [
    ['', []],
    [' ; ;', []],
    ['select 1', ['select 1']],
    ['select 1; select 2;\n', ['select 1', 'select 2']],
    ["select 'a;b'';c'; select 2", ["select 'a;b'';c'", 'select 2']],
    ["select e'a\\';b'; select 2", ["select e'a\\';b'", 'select 2']],
    ['select ";"; select 2', ['select ";"', 'select 2']],
    ['-- one; two\nselect 1 /* three; four */; select 2', ['select 1', 'select 2']],
    ["select '--'; select 2", ["select '--'", 'select 2']],
    ['do $$ begin; end; $$; select 2', ['do $$ begin; end; $$', 'select 2']],
    ['do $a$ ; $$ ; $a$; select 2', ['do $a$ ; $$ ; $a$', 'select 2']],
  ];
  test.each(texts)('has the statements of %j', (text, statements) => {
    expect(statementsIn(text)).toEqual(statements);
  });
});

describe('directives', () => {
  const wrong: [string, string, string][] = [
    ['of an unknown kind', '-- tollgate: roling\nselect 1;', 'unknown directive "roling"'],
    ['below the first lines', 'select 1;\n-- tollgate: rolling', 'not in its first lines'],
  ];
  test.each(wrong)('%s are refused', (_, text, message) => {
    expect(() => readMigrations(folderOf({ '0001_x.sql': text }))).toThrow(message);
  });
});

describe('a server that is connected', () => {
  const known: Migration[] = [];

  test.each(['-- tollgate: rolling\n', ''])('and a pending migration that begins with %j', async (head) => {
    const [client, server] = (await emptySchema(2)) as [Connection, Connection];
    await migrate(client, folderOf({}));
    await joinSchema(server, known);
    const running = migrate(client, folderOf({ '0001_new.sql': `${head}create table new ();` }));
    if (head !== '') {
      expect(await running).toEqual(['0001_new.sql']);
      await joinSchema(server, known);
    } else {
      await expect(running).rejects.toThrow(
        `0001_new.sql cannot run while servers are connected: process ${process.pid} on`,
      );
      expect(await tables(client)).toEqual(['migrations']);
    }
  });

  test('cannot connect while a migration runs that no server can live with, nor after it', async () => {
    const [client, server] = (await emptySchema(2)) as [Connection, Connection];
    await migrate(client, folderOf({}));
    await withoutServers(client, 'x', async () => {
      await expect(joinSchema(server, known)).rejects.toThrow('a migration is running');
    });
    await server.query('select pg_advisory_unlock_all()'); // as its connection would be closed
    await migrate(client, folderOf(first));
    await expect(joinSchema(server, known)).rejects.toThrow('0001_first.sql, which this version does not know');
    await expect(joinSchema(server, known)).rejects.toThrow(SchemaMismatch);
  });

  test('is refused on a database that lacks one of its own migrations', async () => {
    const [client] = (await emptySchema(1)) as [Connection];
    await migrate(client, folderOf({}));
    await expect(joinSchema(client, readMigrations(folderOf(first)))).rejects.toThrow(
      'the database lacks the migration 0001_first.sql',
    );
  });
});

describe("Tollgate's own migrations", () => {
  /** A database that has run a migration refuses every other text of it, so one that is recorded is never edited again. */
  test('are unchanged since they were recorded in checksums.txt', () => {
    const folder = join(import.meta.dirname, '..', 'migrations');
    const recorded = readFileSync(join(folder, 'checksums.txt'), 'utf8').split('\n').filter(Boolean);
    const lines = readMigrations(folder).map(({ name, checksum }) => `${checksum}  ${name}`);
    const problems = recorded
      .filter((line) => !lines.includes(line))
      .map((line) => `${line.slice(66)} was changed or removed: restore it, and write a new migration instead`);
    expect(problems).toEqual([]);
  });

  test('create the whole schema in an empty database, and a second run does nothing', async () => {
    const [client] = (await emptySchema(1)) as [Connection];
    await client.query('drop schema simulator cascade'); // a migration names this schema, so it is shared by all test schemas
    const pending = await pendingOf(client);
    expect(pending.length).toBeGreaterThan(0);
    expect(await runMigrations(client, database.address, () => {})).toEqual(pending);
    expect(await runMigrations(client, database.address, () => {})).toEqual([]);
    expect(await pendingOf(client)).toEqual([]);
  });
});
