import { existsSync } from 'node:fs';
import { chmod, chown, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { isTorture } from '../../test/torture.ts';
import { binariesIn, locateBinaries } from './binaries.ts';
import { clusterUser, ensureCluster } from './cluster.ts';
import { answers, Belongings, copyOf, ownerFixture, query, runsAsRoot } from './harness.fixture.ts';
import { EmbeddedPostgresError, findRunningPostgres } from './index.ts';
import { chooseLauncher, nobody } from './launcher.ts';
import { makePaths } from './paths.ts';
import { runProgram } from './programs.ts';

const limitMs = 180_000;
const belongings = new Belongings();
const { empty: template } = inject('dataDirs');

const reachable = await nobodyCanRun();
if (runsAsRoot && !reachable) console.warn('tests with other users are skipped: they cannot read this checkout');

afterAll(() => belongings.cleanUp(), limitMs);

describe('start and stop', { timeout: limitMs }, () => {
  test('the first start makes a private, durable database and a second start finds its rows', async () => {
    const dataDir = await belongings.directory();
    // The draft of a first start that crashed is removed, and an empty directory is used.
    await mkdir(join(dataDir, `postgres.init-${process.pid}-0123`));
    await mkdir(join(dataDir, 'postgres'));
    const first = await belongings.start(dataDir);
    const names = ['fsync', 'data_checksums', 'listen_addresses', 'max_wal_size', 'shared_buffers', 'TimeZone'];
    const rows = await query(
      first.connection,
      `select name, current_setting(name) as value from pg_settings where name = any('{${names.join()}}')`,
    );
    expect(Object.fromEntries(rows.map((row) => [row.name, row.value]))).toEqual({
      fsync: 'on',
      data_checksums: 'on',
      listen_addresses: '',
      max_wal_size: '4GB',
      shared_buffers: '128MB',
      TimeZone: 'UTC',
    });
    expect(
      await query(first.connection, `select datname, datlocale from pg_database where datname = 'tollgate'`),
    ).toEqual([{ datname: 'tollgate', datlocale: 'C.UTF-8' }]);
    expect((await stat(join(dataDir, 'postgres.password'))).mode & 0o777).toBe(0o600);
    expect((await stat(first.connection.host)).mode & 0o777).toBe(0o700);
    await query(first.connection, 'create table kept as select 42 as answer');
    await first.stop();

    const second = await belongings.start(dataDir);
    expect(await query(second.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await second.stop();
    expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password']);
  });

  test('stop is clean, is the same promise when called again, and leaves nothing behind; the password is in no log', async () => {
    const dataDir = await copyOf(belongings, template);
    const postgres = await belongings.start(dataDir);
    const pid = postgres.pid();
    const { password } = postgres.connection;
    await query({ ...postgres.connection, password: 'wrong' }, 'select 1').catch(() => {});
    const stopped = postgres.stop();
    expect(postgres.stop()).toBe(stopped);
    await stopped;
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
    expect(existsSync(postgres.connection.host)).toBe(false);
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
    const log = await readFile(join(dataDir, 'postgres.log'), 'utf8');
    expect(log).toMatch(/database system is shut down\s*$/);
    expect(password.length).toBeGreaterThanOrEqual(32);
    expect(log).not.toContain(password);
    expect(belongings.logged.join()).not.toContain(password);
  });

  test('a setting that PostgreSQL does not know fails the start with the end of its log', async () => {
    const dataDir = await copyOf(belongings, template);
    const failed = belongings.start(dataDir, { no_such_setting: '1' });
    await expect(failed).rejects.toThrow(EmbeddedPostgresError);
    await expect(failed).rejects.toThrow(/could not start.*postgres\.log.*\n.*no_such_setting/s);
  });

  test('settings of the caller replace the defaults, commands beside the server find the running database, and a second start is refused; all in a directory that only its owner may enter', async () => {
    const dataDir = await copyOf(belongings, template);
    await chmod(dataDir, 0o700);
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
    expect(await findRunningPostgres(join(dataDir, 'nowhere'))).toBeUndefined();
    // The connection needs the port, which stays.
    const postgres = await belongings.start(dataDir, { max_connections: '17', port: '1', work_mem: '8MB' });
    const found = await findRunningPostgres(dataDir);
    expect(found).toEqual(postgres.connection);
    const sql = `select current_setting('max_connections') as connections, current_setting('work_mem') as memory`;
    expect(await query(found!, sql)).toEqual([{ connections: '17', memory: '8MB' }]);

    const refused = `is in use by another Tollgate (process ${process.pid}). Stop that one, or choose another TOLLGATE_DATA_DIR.`;
    const { report } = await belongings.owner(dataDir);
    expect(report.error).toContain(refused);
    expect(await answers(postgres.connection)).toBe(true);
    await postgres.stop();
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
  });
});

describe('users and permissions', { timeout: limitMs }, () => {
  test.runIf(isTorture)(
    'of two first starts of an ordinary user at the same moment one wins and the other is refused',
    async () => {
      const parent = await belongings.directory();
      if (reachable) await chown(parent, nobody.uid, nobody.gid);
      const prefix = reachable ? asUser(nobody.uid) : [];
      const dataDir = join(parent, 'not', 'there', 'yet');
      const owners = await Promise.all([belongings.owner(dataDir, prefix), belongings.owner(dataDir, prefix)]);
      const errors = owners.map(({ report }) => report.error).filter((error) => error !== undefined);
      expect(errors).toEqual([expect.stringContaining('is in use by another Tollgate')]);
      const found = (await findRunningPostgres(dataDir))!;
      expect(await answers(found)).toBe(true);
      expect((await readdir(dataDir)).sort()).toEqual(['postgres', 'postgres.log', 'postgres.password']);
      const host = await stat(found.host);
      expect([host.uid, host.mode & 0o777]).toEqual([runsAsRoot ? nobody.uid : process.getuid!(), 0o700]);
      for (const owner of owners) await belongings.endProcess(owner.process, 'SIGTERM');
      expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);

      // Root can run a database of an ordinary user as well, without taking ownership.
      const postgres = await belongings.start(dataDir);
      expect(await answers(postgres.connection)).toBe(true);
      expect((await stat(join(dataDir, 'postgres'))).uid).toBe(host.uid);
      await postgres.stop();
    },
  );

  test.skipIf(!reachable)('a user without an entry in /etc/passwd gets an error that says so', async () => {
    const parent = await belongings.directory();
    const unknownUid = 54_321;
    await chown(parent, unknownUid, unknownUid);
    const { report } = await belongings.owner(join(parent, 'data'), asUser(unknownUid));
    expect(report.error).toContain('uid 54321 has no entry in /etc/passwd');
    expect(await readdir(join(parent, 'data'))).toEqual(['postgres.password']);
  });

  test.skipIf(!reachable)('a database of another user is not touched', async () => {
    const dataDir = await copyOf(belongings, template);
    await chmod(dataDir, 0o755);
    const { report } = await belongings.owner(dataDir, asUser(1));
    expect(report.error).toMatch(/^EmbeddedPostgresError: .*permission denied.* Run Tollgate as the user who made it/i);
  });
});

describe('an existing data directory', { timeout: limitMs }, () => {
  test('a database of another major version is refused with both versions', async () => {
    const dataDir = await copyOf(belongings, template);
    await writeFile(join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(belongings.start(dataDir)).rejects.toThrow(
      /made by PostgreSQL 17, but this Tollgate brings PostgreSQL 18/,
    );
  });

  test('with foreign files is refused, and the files stay', async () => {
    const dataDir = await belongings.directory();
    await mkdir(join(dataDir, 'postgres'));
    await writeFile(join(dataDir, 'postgres', 'letter.txt'), 'dear reader');
    await expect(belongings.start(dataDir)).rejects.toThrow(/holds files but no PostgreSQL database/);
    expect(await readdir(join(dataDir, 'postgres'))).toEqual(['letter.txt']);
  });

  test('a missing or foreign password file is reported', async () => {
    const dataDir = await copyOf(belongings, template);
    const passwordFile = join(dataDir, 'postgres.password');
    await rm(passwordFile);
    await expect(belongings.start(dataDir)).rejects.toThrow(/postgres\.password .* is missing\. Restore it/);
    await writeFile(passwordFile, 'from elsewhere\n', { mode: 0o600 });
    await expect(belongings.start(dataDir)).rejects.toThrow(/do not belong together/);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('a data directory that cannot be made is reported with the remedy', async () => {
    const file = join(await belongings.directory(), 'file');
    await writeFile(file, '');
    await expect(belongings.start(join(file, 'data'))).rejects.toThrow(/cannot be used.*TOLLGATE_DATA_DIR/);
  });

  test('an error of initdb is passed on, and no incomplete database is left', async () => {
    const paths = await makePaths(await belongings.directory());
    const { postgres, packageDir } = locateBinaries();
    const initdb = join(await belongings.directory(), 'initdb');
    await writeFile(initdb, '#!/bin/sh\necho "could not write: No space left on device" >&2\nexit 1\n', {
      mode: 0o755,
    });
    const launcher = await chooseLauncher(postgres, await clusterUser(paths));
    const failed = ensureCluster(paths, { ...binariesIn(packageDir), initdb }, launcher);
    await expect(failed).rejects.toThrow(/could not make its database.*\ncould not write: No space left on device/s);
    expect(await readdir(paths.dataDir)).toEqual(['postgres.password']);
  });
});

function asUser(uid: number): string[] {
  return ['setpriv', '--reuid', String(uid), '--regid', String(uid), '--clear-groups'];
}

async function nobodyCanRun(): Promise<boolean> {
  if (!runsAsRoot) return false;
  const readFixture = `require('node:fs').readFileSync(${JSON.stringify(ownerFixture)})`;
  return (await runProgram([...asUser(nobody.uid), process.execPath, '-e', readFixture], { limitMs: 10_000 })).ok;
}
