import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseLauncher, currentUser, giveTo, type Launcher, nobody } from '../base/embedded_postgres/launcher.ts';
import { runProgram } from '../base/embedded_postgres/programs.ts';
import { type Connection, connect, type DatabaseAddress } from '../base/sql.ts';
import { runMigrations } from '../database.ts';
import { eventually } from '../test/eventually.ts';
import { unusedPort } from '../test/unused_port.ts';

/** The programs of a PostgreSQL with Citus, which Tollgate does not bring along. */
const programs = process.env.CITUS_BIN ?? '';

export const withoutCitus = programs === '';
/** For the names of tests that are skipped. */
export const needsCitus = 'needs CITUS_BIN, the directory of the programs of a PostgreSQL with Citus';

const user = 'tollgate';
const limitMs = 120_000;
const settings = {
  shared_preload_libraries: 'citus',
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  wal_level: 'logical',
  max_connections: '200',
  max_prepared_transactions: '200', // of Citus' own DDL
  max_worker_processes: '40',
  shared_buffers: '64MB',
  fsync: 'off',
  'citus.node_conninfo': 'sslmode=disable',
  'citus.defer_shard_delete_interval': '-1', // what a move leaves behind stays until a test drops it
};

type RunningNode = { name: string; port: number; process?: ChildProcess };

/** A coordinator and workers of a test file's own, on ports that nobody uses. */
export class CitusCluster {
  readonly #root = mkdtempSync(join(tmpdir(), 'tg-citus-'));
  readonly nodes: RunningNode[] = [];
  #launcher!: Launcher;
  readonly #settings: Record<string, string> = { ...settings };
  #databases = 0;
  readonly user = user;

  static async start(workers = 2, further: Record<string, string> = {}): Promise<CitusCluster> {
    const cluster = new CitusCluster();
    Object.assign(cluster.#settings, further);
    const as = currentUser().uid === 0 ? nobody : currentUser();
    cluster.#launcher = await chooseLauncher(join(programs, 'postgres'), as);
    await giveTo(as, cluster.#root);
    for (let at = 0; at <= workers; at++)
      cluster.nodes.push({ name: at === 0 ? 'coordinator' : `worker${at}`, port: await cluster.#newPort() });
    const [first, ...others] = cluster.nodes;
    const locale = ['--encoding=UTF8', '--locale=C', `--username=${user}`];
    await cluster.#run([join(programs, 'initdb'), '-D', cluster.#data(first!), '--auth=trust', '--no-sync', ...locale]);
    for (const node of others) await cluster.#run(['cp', '-a', cluster.#data(first!), cluster.#data(node)]);
    await Promise.all(cluster.nodes.map((node) => cluster.startNode(node)));
    return cluster;
  }

  /** A database on all nodes, which know each other; `isMigrated`: with the tables of the product, not distributed yet. */
  async createDatabase({ isMigrated = true } = {}): Promise<{ name: string; address: DatabaseAddress }> {
    const name = `test_${++this.#databases}`;
    await Promise.all(this.nodes.map((node) => this.#makeDatabase(node, name)));
    const address = this.address(0, name);
    const sql = await connect(address, 'test');
    const [coordinator, ...workers] = this.nodes;
    await sql.query(`select citus_set_coordinator_host('127.0.0.1', ${coordinator!.port})`);
    for (const { port } of workers) await sql.query(`select citus_add_node('127.0.0.1', ${port})`);
    if (isMigrated) await runMigrations(sql, address, () => {});
    await sql.end();
    return { name, address };
  }

  /** 0 is the coordinator. */
  address(node: number, database: string): DatabaseAddress {
    return { host: '127.0.0.1', port: this.nodes[node]!.port, user, password: '', database };
  }

  url(node: number, database: string): string {
    return `postgres://${user}@127.0.0.1:${this.nodes[node]!.port}/${database}`;
  }

  connect(node: number, database: string): Promise<Connection> {
    return connect(this.address(node, database), 'test', { connectMs: 10_000, statementMs: limitMs });
  }

  async startNode(node: RunningNode): Promise<void> {
    const all = { ...this.#settings, ...(await this.#outputPlugins(node)), port: String(node.port) };
    const flags = Object.entries(all).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
    const [program = '', ...args] = [
      ...this.#launcher.prefix,
      join(programs, 'postgres'),
      '-D',
      this.#data(node),
      ...flags,
    ];
    const running = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], env: { LC_ALL: 'C' }, cwd: '/' });
    node.process = running;
    let said = '';
    running.stderr!.on('data', (text: Buffer) => {
      said = (said + text.toString()).slice(-4_096);
    });
    await eventually(async () => {
      if (running.exitCode !== null) return;
      await (await connect({ ...this.address(0, 'postgres'), port: node.port } as DatabaseAddress, 'test')).end();
    });
    if (running.exitCode !== null) throw new Error(`PostgreSQL has ended: ${said}`);
  }

  /** SIGINT stops a node cleanly, and SIGKILL is a crash. */
  async endNode(node: RunningNode, signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    const running = node.process;
    if (running === undefined || running.exitCode !== null || running.signalCode !== null) return;
    const ended = new Promise((resolve) => running.once('close', resolve));
    running.kill(signal);
    await ended;
  }

  async restart(): Promise<void> {
    await Promise.all(this.nodes.map((node) => this.endNode(node)));
    await Promise.all(this.nodes.map((node) => this.startNode(node)));
  }

  async stop(): Promise<void> {
    await Promise.all(this.nodes.map((node) => this.endNode(node, 'SIGINT')));
    rmSync(this.#root, { recursive: true, force: true });
  }

  /** Nodes are started, and started again, later than their ports are chosen. */
  async #newPort(): Promise<number> {
    for (;;) {
      const port = await unusedPort();
      if (!this.nodes.some((node) => node.port === port)) return port;
    }
  }

  #data({ name }: RunningNode): string {
    return join(this.#root, name);
  }

  async #makeDatabase(node: RunningNode, name: string): Promise<void> {
    const maintenance = await connect({ ...this.address(0, 'postgres'), port: node.port } as DatabaseAddress, 'test');
    await maintenance.query('set citus.enable_create_database_propagation = off');
    await maintenance.query(`create database ${name} template template0`);
    await maintenance.end();
    const sql = await connect({ ...this.address(0, name), port: node.port } as DatabaseAddress, 'test');
    await sql.query('create extension citus');
    await sql.end();
  }

  /** Minor releases of 2026 decode with listed libraries only, and splitting a shard decodes with that of Citus. */
  async #outputPlugins(node: RunningNode): Promise<Record<string, string>> {
    const name = 'output_plugin_libraries';
    const show = [join(programs, 'postgres'), '-D', this.#data(node), '-C', name];
    const { ok } = await runProgram([...this.#launcher.prefix, ...show], { limitMs });
    return ok ? { [name]: 'pgoutput, test_decoding, citus' } : {};
  }

  async #run(command: string[]): Promise<void> {
    const { ok, output } = await runProgram([...this.#launcher.prefix, ...command], { limitMs });
    if (!ok) throw new Error(output);
  }
}
