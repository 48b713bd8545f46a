import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { runMigrations } from '../../database.ts';
import { connect } from '../sql.ts';
import { locateBinaries } from './binaries.ts';
import { clusterUser, runAlone } from './cluster.ts';
import { Belongings, copyOf, query } from './harness.fixture.ts';
import { type EmbeddedPostgres, findRunningPostgres, type PostgresConnection } from './index.ts';
import { chooseLauncher } from './launcher.ts';
import { makeOldCluster, startOldCluster } from './old_cluster.fixture.ts';
import { makePlaces } from './places.ts';
import { roleStatements } from './roles.ts';

const limitMs = 180_000;
const belongings = new Belongings();
let fresh: EmbeddedPostgres;
let old: EmbeddedPostgres;
/** The data directory of an earlier version that was never started. */
let untouched: string;
let tablesBefore: string;
let failedCreation: string;

/** Every table with its owner, and the rows that the tests have written. */
const tables = `select string_agg(relname, ' ' order by relname) as names from pg_class
                 where relkind in ('r', 'p', 'v') and relnamespace::regnamespace::text in ('public', 'simulator')`;

/** Objects of every kind that a migration may make, and one row. */
const objects = `
  create table parts (id int generated always as identity, at date not null, serial serial) partition by range (at);
  create table parts_2026 partition of parts for values from ('2026-01-01') to ('2027-01-01');
  insert into parts (at) values ('2026-05-05');
  create type mood as enum ('good', 'bad');
  create domain percent as int check (value between 0 and 100);
  create sequence counter;
  create function answer() returns int language sql return 42;
  create materialized view latest as select max(at) as at from parts;`;

beforeAll(async () => {
  const dataDir = await belongings.directory();
  await makeOldCluster(dataDir);
  untouched = await copyOf(belongings, dataDir);
  const before = await startOldCluster(dataDir);
  const client = await connect(before.connection, 'test');
  await runMigrations(client, before.connection, () => {});
  await client.query(objects);
  tablesBefore = (await client.query(tables)).rows[0].names;
  await client.end();
  await before.stop();
  failedCreation = await createAgain(dataDir).catch((error: Error) => error.message);
  old = await belongings.start(dataDir);
  fresh = await belongings.start(await copyOf(belongings, inject('dataDirs').empty));
}, limitMs);
afterAll(() => belongings.cleanUp(), limitMs);

/** Makes the roles of a new cluster in one that has such a role already, which fails. */
async function createAgain(dataDir: string): Promise<string> {
  const binaries = locateBinaries();
  const places = await makePlaces(dataDir);
  const launcher = await chooseLauncher(binaries.postgres, await clusterUser(places));
  await runAlone(places.cluster, binaries, launcher, roleStatements('canary-password'));
  return 'no failure';
}

test('the message about a role that could not be made has no password in it', () => {
  expect(failedCreation).toContain('role "tollgate" already exists');
  expect(failedCreation).not.toContain('canary-password');
});

const clusters: [name: string, connection: () => PostgresConnection][] = [
  ['a new data directory', () => fresh.connection],
  ['a data directory of an earlier version', () => old.connection],
];

describe.each(clusters)('the role of %s', (_name, connection) => {
  test('has no rights beyond its own database', async () => {
    const roles = await query(
      connection(),
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
    expect(await query(connection(), granted)).toEqual([{ role: 'pg_checkpoint', admin_option: false }]);
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
    await expect(query(connection(), sql)).rejects.toThrow(/permission denied|must be|only roles with/i);
  });

  test('is the only one that can connect', async () => {
    for (const password of [connection().password, ''])
      await expect(query({ ...connection(), user: 'tollgate_superuser', password }, 'select 1')).rejects.toThrow();
    await expect(query({ ...connection(), password: 'another' }, 'select 1')).rejects.toThrow();
  });

  test('owns its database and the schema, and can migrate it', async () => {
    const owner = `select datdba::regrole::text as owner from pg_database where datname = current_database()`;
    expect(await query(connection(), owner)).toEqual([{ owner: 'tollgate' }]);
    const client = await connect(connection(), 'test');
    await runMigrations(client, connection(), () => {});
    await client.query('create table mine (id int); drop table mine; checkpoint');
    await client.end();
  });
});

describe('a data directory of an earlier version', () => {
  test('keeps its tables and its rows', async () => {
    expect(await query(old.connection, 'select id, serial from parts')).toEqual([{ id: 1, serial: 1 }]);
    expect(await query(old.connection, tables)).toEqual([{ names: tablesBefore }]);
    expect(tablesBefore).toContain('api_keys');
  });

  test('has no object left that belongs to the superuser', async () => {
    const left = await query(
      old.connection,
      `select classid::regclass::text as kind, pg_describe_object(classid, objid, 0) as object
         from (select 'pg_class'::regclass as classid, oid as objid, relowner as owner, relnamespace as space from pg_class
               union all select 'pg_proc'::regclass, oid, proowner, pronamespace from pg_proc
               union all select 'pg_type'::regclass, oid, typowner, typnamespace from pg_type
               union all select 'pg_namespace'::regclass, oid, nspowner, oid from pg_namespace) o
        where owner <> 'tollgate'::regrole and space >= 16384`,
    );
    expect(left).toEqual([]);
    const inPublic = `select relname from pg_class where relnamespace = 'public'::regnamespace and relowner <> 'tollgate'::regrole
      union all select proname from pg_proc where pronamespace = 'public'::regnamespace and proowner <> 'tollgate'::regrole
      union all select typname from pg_type where typnamespace = 'public'::regnamespace and typowner <> 'tollgate'::regrole`;
    expect(await query(old.connection, inPublic)).toEqual([]);
  });

  test('can be changed by its role: every kind of object', async () => {
    const changes = `
      create table parts_2027 partition of parts for values from ('2027-01-01') to ('2028-01-01');
      insert into parts (at) values ('2027-05-05');
      alter type mood add value 'fair';
      alter domain percent drop constraint percent_check;
      alter sequence counter restart with 7;
      create or replace function answer() returns int language sql return 43;
      refresh materialized view latest;
      create table simulator.own (id int)`;
    for (const change of changes.split(';')) await query(old.connection, change);
    expect(await query(old.connection, `select nextval('counter') as next, answer(), at::text from latest`)).toEqual([
      { next: '7', answer: 43, at: '2027-05-05' },
    ]);
  });

  test('is upgraded too when its PostgreSQL was left running, and is found by commands afterwards', async () => {
    const before = await startOldCluster(untouched);
    await query(before.connection, 'create table kept as select 42 as answer');
    const taken = await belongings.start(untouched);
    expect(taken.pid()).toBe(before.pid);
    expect(
      await query(taken.connection, 'select answer, current_setting($$is_superuser$$) as super from kept'),
    ).toEqual([{ answer: 42, super: 'off' }]);
    // Nor does the connection that the owner holds open keep the old rights.
    const others = `select usename from pg_stat_activity where backend_type = 'client backend'`;
    expect(new Set((await query(taken.connection, others)).map(({ usename }) => usename))).toEqual(
      new Set(['tollgate']),
    );
    expect(await findRunningPostgres(untouched)).toEqual(taken.connection);
    await taken.stop();
  });
});
