import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, inject, test } from 'vitest';
import { onFreeMachine } from '../../test/fastest.ts';
import { locateBinaries } from './binaries.ts';
import { clusterUser } from './cluster.ts';
import { answers, Belongings, copyOf, query, runsAsRoot, waitFor } from './harness.fixture.ts';
import { type EmbeddedPostgres, findRunningPostgres } from './index.ts';
import { chooseLauncher, nobody } from './launcher.ts';
import { makePaths } from './paths.ts';
import { isPostmaster } from './process_table.ts';
import { spawnProgram } from './programs.ts';
import { serverCommand, usualPort } from './server_command.ts';
import { chooseSocketDirectory } from './socket_directory.ts';

const limitMs = 180_000;
/** The promised time for a killed database. */
const recoveryMs = 2_000;
const patienceMs = 60_000;
/** The process that serves the connection of the owner. */
const ownerProcess = `select pid from pg_stat_activity where application_name = 'tollgate, process ${process.pid}'`;
const belongings = new Belongings();
/** One for all tests here: PostgreSQL syncs every file before a recovery, which takes long on a disk for files just copied. */
let dataDir: string;

beforeAll(async () => {
  dataDir = await copyOf(belongings, inject('dataDirs').empty);
  const postgres = await belongings.start(dataDir);
  await query(postgres.connection, 'create table kept as select 42 as answer');
  await postgres.stop();
}, limitMs);
afterEach(() => belongings.endAll(), limitMs);
afterAll(() => belongings.cleanUp(), limitMs);

describe('the owner is killed', { timeout: limitMs }, () => {
  test('the next start works immediately, while the orphan is still stopping', async () => {
    const owner = await belongings.owner(dataDir);
    await query((await findRunningPostgres(dataDir))!, 'create table added as select 43 as answer');
    await belongings.endProcess(owner.process, 'SIGKILL');
    const postgres = await belongings.start(dataDir);
    expect(await query(postgres.connection, 'select * from kept, added as also (added)')).toEqual([
      { answer: 42, added: 43 },
    ]);
    await postgres.stop();
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('an orphan that keeps running is taken over, and stop() ends it', async () => {
    const pid = await startOrphan();
    const postgres = await belongings.start(dataDir);
    expect(postgres.pid()).toBe(pid);
    expect(await query(postgres.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await postgres.stop();
    expect(await isPostmaster(pid)).toBe(false);
    expect(existsSync(join(dataDir, 'postgres', 'postmaster.pid'))).toBe(false);
  });

  test('an orphan that was taken over and then dies is replaced at the same address', async () => {
    const pid = await startOrphan();
    const postgres = await belongings.start(dataDir);
    process.kill(pid, 'SIGKILL');
    await servesAgain(postgres, pid);
    expect(await query(postgres.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await postgres.stop();
  });
});

describe('PostgreSQL is killed', { timeout: limitMs }, () => {
  test('it serves again within two seconds with every committed row, again and again, and its owner stays its owner', async () => {
    const postgres = await belongings.start(dataDir);
    await query(postgres.connection, 'create table rounds as select 0 as round');
    const took: number[] = [];
    for (let round = 1; round <= 3; round += 1) {
      await query(postgres.connection, `insert into rounds values (${round})`);
      const pid = postgres.pid();
      process.kill(pid, 'SIGKILL');
      took.push(await servesAgain(postgres, pid));
    }
    expect(onFreeMachine(recoveryMs, Math.min(...took))).toBeLessThan(recoveryMs);
    const rows = await query(postgres.connection, 'select round from rounds order by 1');
    expect(rows.map((row) => row.round)).toEqual([0, 1, 2, 3]);
    await expect(belongings.start(dataDir)).rejects.toThrow(`in use by another Tollgate (process ${process.pid})`);
    await postgres.stop();
  });

  test('a process that it leaves behind does not keep the next PostgreSQL from starting', async () => {
    const postgres = await belongings.start(dataDir);
    const [row] = await query(postgres.connection, ownerProcess);
    const pid = postgres.pid();
    process.kill(row?.pid as number, 'SIGSTOP');
    process.kill(pid, 'SIGKILL');
    await servesAgain(postgres, pid);
    expect(belongings.logged.join()).toContain(`left behind: ${row?.pid}`);
    await postgres.stop();
  });

  test('after the crash of one of its processes the owner takes its lock again', async () => {
    const postgres = await belongings.start(dataDir);
    const pid = postgres.pid();
    const [before] = await query(postgres.connection, ownerProcess);
    process.kill(before?.pid as number, 'SIGKILL');
    await waitFor('a new connection of the owner', patienceMs, async () => {
      const [after] = await query(postgres.connection, ownerProcess).catch(() => []);
      return after !== undefined && after.pid !== before?.pid;
    });
    expect(postgres.pid()).toBe(pid);
    await expect(belongings.start(dataDir)).rejects.toThrow('in use by another Tollgate');
    await postgres.stop();
  });

  test('a failed restart is retried until it succeeds', async () => {
    const postgres = await belongings.start(dataDir);
    const pid = postgres.pid();
    const controlFile = join(dataDir, 'postgres', 'global', 'pg_control');
    await rename(controlFile, `${controlFile}.away`);
    process.kill(pid, 'SIGKILL');
    const failures = () => belongings.logged.filter((message) => message.includes('could not start')).length;
    await waitFor('two failures', patienceMs, async () => failures() >= 2);
    await rename(`${controlFile}.away`, controlFile);
    await servesAgain(postgres, pid);
    await postgres.stop();
  });

  test('a stop during the restart leaves nothing running', async () => {
    const postgres = await belongings.start(dataDir);
    process.kill(postgres.pid(), 'SIGKILL');
    await waitFor('the end', patienceMs, async () => !(await answers(postgres.connection)));
    await postgres.stop();
    expect(await findRunningPostgres(dataDir)).toBeUndefined();
    const next = await belongings.start(dataDir);
    expect(await query(next.connection, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await next.stop();
  });
});

describe('a stale lock file', { timeout: limitMs }, () => {
  test('that names the process of another program is replaced', async () => {
    await startOver(await bystander('echo $$; exec sleep 60'));
  });

  test.skipIf(process.platform !== 'linux')('that names a zombie is replaced', async () => {
    // The child ends when its parent has become a program that never asks how its children ended.
    const waiting = 'until grep -q sleep /proc/$parent/comm; do :; done';
    const pid = await bystander(`parent=$$; (${waiting}) & echo $!; exec sleep 60`);
    const isZombie = async () => (await readFile(`/proc/${pid}/stat`, 'utf8')).includes(') Z ');
    await waitFor('a zombie', patienceMs, isZombie);
    await startOver(pid);
  });

  test('that names no process is replaced', async () => {
    await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), '4194303\n');
    const postgres = await belongings.start(dataDir);
    expect(await answers(postgres.connection)).toBe(true);
    await postgres.stop();
  });
});

/** A process that is no PostgreSQL. It has PostgreSQL's user, because PostgreSQL looks only at processes of the same user. */
async function bystander(script: string): Promise<number> {
  const prefix = runsAsRoot ? ['setpriv', '--reuid', String(nobody.uid)] : ['env'];
  const [program = '', ...args] = [...prefix, 'sh', '-c', script];
  const child = belongings.keep(spawn(program, args, { stdio: ['ignore', 'pipe', 'ignore'] }));
  const [pid] = await once(child.stdout!, 'data');
  return Number(pid);
}

/** A start on a lock file that names this process. PostgreSQL alone would refuse it. */
async function startOver(pid: number): Promise<void> {
  const logFile = join(dataDir, 'postgres.log');
  const lines = [pid, join(dataDir, 'postgres'), 1, usualPort, '/nonexistent', '', '', 'ready', ''];
  await writeFile(join(dataDir, 'postgres', 'postmaster.pid'), lines.join('\n'));
  const logged = (await readFile(logFile, 'utf8')).length;
  const postgres = await belongings.start(dataDir);
  expect(await answers(postgres.connection)).toBe(true);
  const log = (await readFile(logFile, 'utf8')).slice(logged);
  expect(log).toContain('lock file "postmaster.pid" already exists');
  await postgres.stop();
}

/** Waits until PostgreSQL serves again; returns the milliseconds. */
async function servesAgain(postgres: EmbeddedPostgres, deadPid: number): Promise<number> {
  const began = performance.now();
  await waitFor(
    'serving again',
    patienceMs,
    async () => postgres.pid() !== deadPid && (await answers(postgres.connection)),
  );
  return performance.now() - began;
}

/** A PostgreSQL without an owner, as a killed owner leaves it where the kernel does not stop it. */
async function startOrphan(): Promise<number> {
  const paths = await makePaths(dataDir);
  const binaries = locateBinaries();
  const chosen = await chooseLauncher(binaries.postgres, await clusterUser(paths));
  const launcher = { ...chosen, prefix: chosen.prefix.filter((word) => word !== '--pdeathsig' && word !== 'INT') };
  const host = await chooseSocketDirectory(paths.identity, launcher.socketOwner);
  const command = serverCommand({ paths, binaries, launcher, settings: {} }, { host, port: usualPort });
  const orphan = belongings.keep(spawnProgram(command, 'ignore'));
  await waitFor('the orphan serves', patienceMs, async () => (await findRunningPostgres(dataDir)) !== undefined);
  return orphan.pid!;
}
