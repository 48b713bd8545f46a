import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runMigrations } from '../../database.ts';
import { connect } from '../sql.ts';
import { locateBinaries } from './binaries.ts';
import { clusterUser, runAlone } from './cluster.ts';
import { Belongings, copyOf, query } from './harness.fixture.ts';
import type { EmbeddedPostgres } from './index.ts';
import { chooseLauncher } from './launcher.ts';
import { makePaths } from './paths.ts';
import { roleStatements } from './roles.ts';

const limitMs = 180_000;
const belongings = new Belongings();
let postgres: EmbeddedPostgres;
let failedCreation: string;

beforeAll(async () => {
  const dataDir = await copyOf(belongings, inject('dataDirs').empty);
  failedCreation = await createAgain(dataDir).catch((error: Error) => error.message);
  postgres = await belongings.start(dataDir);
}, limitMs);
afterAll(() => belongings.cleanUp(), limitMs);

/** Makes the roles of a new cluster in one that has such a role already, which fails. */
async function createAgain(dataDir: string): Promise<string> {
  const binaries = locateBinaries();
  const paths = await makePaths(dataDir);
  const launcher = await chooseLauncher(binaries.postgres, await clusterUser(paths));
  await runAlone(paths.cluster, binaries, launcher, roleStatements('canary-password'));
  return 'no failure';
}

test('the message about a role that could not be made has no password in it', () => {
  expect(failedCreation).toContain('role "tollgate" already exists');
  expect(failedCreation).not.toContain('canary-password');
});

describe('the role of a new data directory', () => {
  test('has no rights beyond its own database', async () => {
    const roles = await query(
      postgres.connection,
      `select rolname, rolsuper, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls, rolcanlogin
         from pg_roles where rolname !~ '^pg_' order by rolname`,
    );
    const nothing = { rolcreaterole: false, rolcreatedb: false, rolreplication: false, rolbypassrls: false };
    const everything = { rolcreaterole: true, rolcreatedb: true, rolreplication: true, rolbypassrls: true };
    expect(roles).toEqual([
      { rolname: 'tollgate', rolsuper: false, ...nothing, rolcanlogin: true },
      { rolname: 'tollgate_superuser', rolsuper: true, ...everything, rolcanlogin: false },
    ]);
    const granted = `select roleid::regrole::text as role, admin_option from pg_auth_members where member = 'tollgate'::regrole`;
    expect(await query(postgres.connection, granted)).toEqual([{ role: 'pg_checkpoint', admin_option: false }]);
  });

  test.each([
    `select pg_read_file('/etc/passwd')`,
    `select pg_ls_dir('/')`,
    `select lo_import('/etc/passwd')`,
    `create temp table leak (line text); copy leak from '/etc/passwd'`,
    `create temp table leak (line text); copy leak from program 'id'`,
    `copy (select 1) to '/dev/null'`,
    `create function run(cstring) returns int language c as '/lib/libc.so.6', 'system'`,
    `alter system set archive_command = 'id'`,
    'alter role tollgate superuser',
    'alter role tollgate_superuser login',
    `alter role tollgate_superuser password 'mine'`,
    'create role another superuser',
    'set role tollgate_superuser',
    'set session authorization tollgate_superuser',
    'grant tollgate_superuser to tollgate',
    'grant pg_read_server_files to tollgate',
    `select passwd from pg_shadow`,
  ])('cannot: %s', async (sql) => {
    await expect(query(postgres.connection, sql)).rejects.toThrow(/permission denied|must be|only roles with/i);
  });

  test('is the only one that can connect', async () => {
    for (const password of [postgres.connection.password, ''])
      await expect(
        query({ ...postgres.connection, user: 'tollgate_superuser', password }, 'select 1'),
      ).rejects.toThrow();
    await expect(query({ ...postgres.connection, password: 'another' }, 'select 1')).rejects.toThrow();
  });

  test('owns its database and the schema, and can migrate it', async () => {
    const owner = `select datdba::regrole::text as owner from pg_database where datname = current_database()`;
    expect(await query(postgres.connection, owner)).toEqual([{ owner: 'tollgate' }]);
    const client = await connect(postgres.connection, 'test');
    await runMigrations(client, postgres.connection, () => {});
    await client.query('create table mine (id int); drop table mine; checkpoint');
    await client.end();
  });
});
