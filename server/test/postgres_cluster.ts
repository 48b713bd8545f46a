import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { locateBinaries, restoreLibraryLinks } from '../base/embedded_postgres/binaries.ts';
import { chooseLauncher, currentUser, giveTo, type Launcher, nobody } from '../base/embedded_postgres/launcher.ts';
import { runProgram } from '../base/embedded_postgres/programs.ts';
import { databaseName, databaseUser } from '../base/embedded_postgres/roles.ts';
import { tester } from '../base/embedded_postgres/superuser.fixture.ts';
import { type Connection, connect, type DatabaseAddress } from '../base/sql.ts';
import { eventually } from './eventually.ts';

/** The programs of one installation of PostgreSQL. */
export type Programs = { initdb: string; postgres: string };
type Settings = Record<string, string>;
type Installed = { programs: Programs; launcher: Launcher };

const port = 5_432; // part of the name of the socket; nothing listens on the network
const limitMs = 120_000;

/** PostgreSQL servers of a test's own, which nobody restarts: for base backups, standbys, promotions and kills. */
export class Clusters {
  readonly #root = mkdtempSync(join(tmpdir(), 'tg-pg-')); // short, because the sockets are below it
  readonly #all: Cluster[] = [];

  constructor() {
    chmodSync(this.#root, 0o711); // PostgreSQL may run as another user
  }

  /** A running cluster of the embedded PostgreSQL, with a migrated database. */
  async make(settings: Settings = {}): Promise<Cluster> {
    const cluster = await this.#add(await installed(await embeddedPrograms()));
    await cluster.copyFrom(join(inject('dataDirs').migrated, 'postgres'));
    await cluster.start(settings);
    return cluster;
  }

  /** A running cluster with an empty database, of these programs or of the embedded PostgreSQL. */
  async makeEmpty(programs?: Programs): Promise<Cluster> {
    const cluster = await this.#add(await installed(programs ?? (await embeddedPrograms())));
    await cluster.initialize();
    await cluster.start();
    const sql = await cluster.connect('postgres');
    await sql.query(`create role ${databaseUser} login`);
    await sql.query(`create database ${databaseName} owner ${databaseUser} strategy file_copy`);
    await sql.end();
    return cluster;
  }

  /** A base backup of a running cluster, taken as `pg_basebackup` takes it. It is not started. */
  async backUp(source: Cluster): Promise<Cluster> {
    const copy = await this.#add(source.installed);
    await source.copyTo(copy);
    return copy;
  }

  /** A running standby. From now on the primary waits for it with every commit. */
  async addStandby(primary: Cluster): Promise<Cluster> {
    const standby = await this.backUp(primary);
    await standby.follow(primary);
    const sql = await primary.connect();
    await sql.query(`alter system set synchronous_standby_names = '*'`);
    await sql.query('select pg_reload_conf()');
    await eventually(async () => {
      const { rows } = await sql.query(`select 1 from pg_stat_replication where sync_state = 'sync'`);
      if (rows.length === 0) throw new Error('the standby does not follow');
    });
    await sql.end();
    return standby;
  }

  async cleanUp(): Promise<void> {
    for (const cluster of this.#all) await cluster.end('SIGKILL');
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #add(installed: Installed): Promise<Cluster> {
    const directory = join(this.#root, String(this.#all.length));
    mkdirSync(directory, { mode: 0o700 });
    await giveTo(installed.launcher.user, directory);
    const cluster = new Cluster(directory, installed);
    this.#all.push(cluster);
    return cluster;
  }
}

async function installed(programs: Programs): Promise<Installed> {
  const user = currentUser().uid === 0 ? nobody : currentUser();
  return { programs, launcher: await chooseLauncher(programs.postgres, user) };
}

async function embeddedPrograms(): Promise<Programs> {
  const binaries = locateBinaries();
  await restoreLibraryLinks(binaries.packageDir);
  return binaries;
}

export class Cluster {
  readonly installed: Installed;
  readonly #directory: string;
  readonly #data: string;
  #process: ChildProcess | undefined;

  constructor(directory: string, installed: Installed) {
    this.installed = installed;
    this.#directory = directory;
    this.#data = join(directory, 'data');
  }

  /** As the role of Tollgate. */
  address(database = databaseName): DatabaseAddress {
    return { host: this.#directory, port, user: databaseUser, password: '', database };
  }

  url(database = databaseName, user = databaseUser): string {
    return `postgres://${user}@localhost/${database}?host=${encodeURIComponent(this.#directory)}&port=${port}`;
  }

  /** As a superuser. */
  connect(database?: string): Promise<Connection> {
    return connect({ ...this.address(database), ...tester }, 'test');
  }

  async initialize(): Promise<void> {
    const locale = ['--encoding=UTF8', '--locale=C', `--username=${tester.user}`];
    await this.#run([this.installed.programs.initdb, '-D', this.#data, '--auth=trust', '--no-sync', ...locale]);
  }

  async start(settings: Settings = {}): Promise<void> {
    const { programs, launcher } = this.installed;
    const all = { listen_addresses: '', unix_socket_directories: this.#directory, port: String(port), ...settings };
    const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
    const [program = '', ...args] = [...launcher.prefix, programs.postgres, '-D', this.#data, ...flags];
    const running = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { LC_ALL: 'C' }, cwd: '/' });
    this.#process = running;
    let said = '';
    running.stderr!.on('data', (text: Buffer) => {
      said = (said + text.toString()).slice(-4_096);
    });
    const failed = await eventually(async () => {
      if (running.exitCode !== null) return said;
      await (await this.connect('postgres')).end();
      return undefined;
    });
    if (failed !== undefined) throw new Error(`PostgreSQL has ended: ${failed}`);
  }

  /** Starts this copy as a standby of the cluster that it is a copy of. */
  async follow(primary: Cluster): Promise<void> {
    await this.#write('standby.signal', '');
    const { host } = primary.address() as { host: string };
    await this.start({ primary_conninfo: `host=${host} port=${port} user=${tester.user}` });
  }

  /** Ends the standby's recovery: it takes writes from now on. */
  async promote(): Promise<void> {
    const sql = await this.connect();
    await sql.query('select pg_promote()');
    await sql.end();
  }

  /** Stops a standby from receiving anything, as a network would; returns the function that lets it go on. */
  async pauseReceiving(): Promise<() => void> {
    const sql = await this.connect();
    const { rows } = await sql.query<{ pid: number }>('select pid from pg_stat_wal_receiver');
    await sql.end();
    const { pid } = rows[0]!;
    process.kill(pid, 'SIGSTOP');
    return () => void process.kill(pid, 'SIGCONT');
  }

  /** Ends PostgreSQL: SIGINT stops it cleanly, and SIGKILL is a crash. */
  async end(signal: 'SIGINT' | 'SIGKILL'): Promise<void> {
    const running = this.#process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('close', resolve)); // its children share its output
    running.kill(signal);
    await ended;
  }

  /** Fills this cluster with the files of one that has been stopped, and lets everybody in. */
  async copyFrom(files: string): Promise<void> {
    await this.#copy(files, this.#data);
    await this.#write('pg_hba.conf', 'local all all trust\nlocal replication all trust\n');
  }

  /** An online backup: the files are copied while the server runs, and the log of that time repairs them. */
  async copyTo(copy: Cluster): Promise<void> {
    const sql = await this.connect('postgres');
    await sql.query(`select pg_backup_start('test', true)`);
    await this.#copy(this.#data, copy.#data);
    const { rows } = await sql.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    await sql.end();
    await this.#copy(`${this.#data}/pg_wal/.`, join(copy.#data, 'pg_wal'));
    for (const name of ['postmaster.pid', 'postmaster.opts', 'standby.signal'])
      rmSync(join(copy.#data, name), { force: true });
    await copy.#write('backup_label', rows[0]!.labelfile);
  }

  async #copy(from: string, to: string): Promise<void> {
    const { ok, output } = await runProgram(['cp', '-a', from, to], { limitMs });
    // A running server removes files: whatever was in them is in its log.
    if (!ok && !output.split('\n').every((line) => line.endsWith('No such file or directory'))) throw new Error(output);
  }

  async #write(name: string, text: string): Promise<void> {
    writeFileSync(join(this.#data, name), text, { mode: 0o600 });
    await giveTo(this.installed.launcher.user, join(this.#data, name));
  }

  async #run(command: string[]): Promise<void> {
    const { ok, output } = await runProgram([...this.installed.launcher.prefix, ...command], { limitMs });
    if (!ok) throw new Error(output);
  }
}
