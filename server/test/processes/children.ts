import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { findRunningPostgres } from '../../base/embedded_postgres/index.ts';
import { parseMasterKey } from '../../base/keyring.ts';
import { loadKeyring } from '../../base/root_key.ts';
import { type Connection, connect, type DatabaseAddress } from '../../base/sql.ts';
import { Operator, openServices } from '../../commands/operator.ts';
import { readConfig } from '../../config.ts';
import type { AccountWithKeys } from '../../resources/people/accounts/schema.ts';
import { Client } from '../client.ts';
import { copyDirectory } from '../data_directories.ts';
import { testMasterKey } from '../harness.ts';
import { isTorture } from '../torture.ts';
import { Child, type Environment, type Finished, patienceMs, until } from './child.ts';
import { compileCache, Resident } from './resident.ts';

/** Real processes of `tollgate …` for tests, started by their command line and always ended by their process id. */
export const entry = join(import.meta.dirname, '..', '..', 'bin', 'tollgate.js');

/** A gateway that runs as a separate process. */
export type Running = {
  child: Child;
  baseUrl: string;
  ca: string;
  /** From the start of the process until it said that it serves. */
  readyMs: number;
  client(key?: string): Client;
};

export type DevFile = { base_url: string; ca_file: string; test_secret_key: string; live_secret_key: string };
export type DevServer = Running & { file: DevFile };
export type NewAccount = { account: string; test_secret_key: string; live_secret_key: string };

/** `prefix` is the command line of a program that starts the process, such as `nohup`. */
type Start = { cwd: string; environment?: Environment; node?: string; prefix?: string[] };

/** All processes and files of one test file. */
export class Children {
  readonly #root = mkdtempSync(join(tmpdir(), 'tollgate-run-'));
  readonly #children: Child[] = [];
  readonly #clients: Client[] = [];
  readonly #connections: Connection[] = [];
  readonly #dataDirs = new Set<string>();
  readonly #started = new Set<string>();
  #directories = 0;

  constructor() {
    // Short, because the sockets of PostgreSQL are below it.
    mkdirSync(join(this.#root, 't'));
  }

  /** An empty directory. */
  directory(name = 'home'): string {
    this.#directories += 1;
    const path = join(this.#root, `${name}${this.#directories}`);
    mkdirSync(path);
    return path;
  }

  /** The environment of every child, without that of the tests. */
  environment(own: Environment = {}): Environment {
    return { PATH: process.env.PATH ?? '', HOME: this.#root, TMPDIR: join(this.#root, 't'), ...own };
  }

  spawn(program: string, args: string[], options: { cwd: string; environment: Environment }): Child {
    const { cwd, environment } = options;
    this.#dataDirs.add(environment.TOLLGATE_DATA_DIR ?? join(cwd, '.tollgate'));
    const child = new Child(spawn(program, args, { cwd, env: environment, stdio: ['ignore', 'pipe', 'pipe'] }));
    this.#children.push(child);
    return child;
  }

  /** `tollgate …`, started and not waited for. */
  tollgate(args: string[], options: Start): Child {
    const environment = this.environment(options.environment);
    const command = [...(options.prefix ?? []), options.node ?? process.execPath, entry, ...args];
    return this.spawn(command[0]!, command.slice(1), { cwd: options.cwd, environment });
  }

  /**
   * `tollgate …` until it ends. A resident process runs it, because a command spends most of its time starting, and sees to it that
   * nothing is left open, nor a PostgreSQL left running. Under torture each command is a separate process the first time, and has to
   * end by itself; so is one with variables that Node reads when it starts. Of servers, this is for a start that is refused.
   */
  async run(args: string[], options: Omit<Start, 'prefix'> & { limitMs?: number }): Promise<Finished> {
    const { cwd, environment = {}, node, limitMs } = options;
    const command = commandOf(args);
    const mayBeResident = !isTorture || (this.#started.has(command) && !servers.has(command));
    const startsNode = node !== undefined || Object.keys(environment).some((name) => name.startsWith('NODE_'));
    if (mayBeResident && !startsNode)
      return Resident.shared.run({ args, cwd, environment: this.environment(environment) });
    this.#started.add(command);
    const child = this.tollgate(args, options);
    const ending = await child.ends(limitMs);
    return { ...ending, stdout: child.stdout, stderr: child.stderr };
  }

  /** `tollgate … --json`, which has to succeed. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  async json(args: string[], options: { cwd: string; environment?: Environment }): Promise<any> {
    const { code, stdout, stderr } = await this.run([...args, '--json'], options);
    if (code !== 0) throw new Error(`tollgate ${args.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`);
    return JSON.parse(stdout);
  }

  /** `tollgate dev` in a directory. */
  async dev(options: Start): Promise<DevServer> {
    const child = this.tollgate(['dev'], { ...options, environment: { PORT: '0', ...options.environment } });
    await child.prints(/Ctrl-C stops it.*\n/);
    const readyAfter = performance.now() - child.startedAt;
    const dataDir = options.environment?.TOLLGATE_DATA_DIR ?? join(options.cwd, '.tollgate');
    const file = JSON.parse(readFileSync(join(dataDir, 'dev.json'), 'utf8')) as DevFile;
    return { ...(await this.#running(child, file.base_url, readFileSync(file.ca_file, 'utf8'), readyAfter)), file };
  }

  /**
   * `tollgate serve`; its settings come from `serveEnvironment`. The flags are for Node. With the one for the heap, the process does not
   * restart itself to set it.
   */
  serve(environment: Environment, flags: string[] = ['--max-semi-space-size=16']): Promise<Running> {
    return this.#serve(environment, [...flags, entry, 'serve']);
  }

  /** A program of the tests that serves like `tollgate serve`. */
  serveBy(program: string, environment: Environment): Promise<Running> {
    return this.#serve({ ...environment, NODE_COMPILE_CACHE: compileCache }, [program]);
  }

  async #serve(environment: Environment, args: string[]): Promise<Running> {
    const options = { cwd: this.#root, environment: this.environment(environment) };
    const child = this.spawn(process.execPath, args, options);
    const [, port] = await child.prints(/"port":(\d+),"msg":"serving"/);
    const readyAfter = performance.now() - child.startedAt;
    const ca = readFileSync(join(inject('certificateDir'), 'ca.pem'), 'utf8');
    return this.#running(child, `https://localhost:${port}`, ca, readyAfter);
  }

  async #running(child: Child, baseUrl: string, ca: string, ready: number): Promise<Running> {
    const anonymous = new Client(baseUrl, ca);
    this.#clients.push(anonymous);
    const client = (key?: string) => anonymous.as(key);
    // Once it has answered, it has finished everything that it does when it becomes ready.
    await anonymous.get('/healthz');
    return { child, baseUrl, ca, readyMs: Math.round(ready), client };
  }

  /** All settings of a `serve` on loopback. Give it DATABASE_URL, or ask for the embedded database. */
  serveEnvironment(own: Environment): Environment {
    const certificates = inject('certificateDir');
    return {
      TLS_CERT_FILE: join(certificates, 'server.pem'),
      TLS_KEY_FILE: join(certificates, 'server-key.pem'),
      TOLLGATE_VAULT_KEY: testMasterKey,
      PORT: '0',
      HOST: '127.0.0.1',
      DRAIN_SECONDS: '0',
      ...own,
    };
  }

  /** The settings of a `serve` with its own PostgreSQL, fsync and all. Unless the data directory is given, it has been used before. */
  embeddedEnvironment(own: Environment = {}): Environment {
    const dataDir = join(this.directory(), 'data');
    if (own.TOLLGATE_DATA_DIR === undefined) copyDirectory(inject('dataDirs').migrated, dataDir);
    return this.serveEnvironment({ TOLLGATE_EMBEDDED_POSTGRES: 'yes', TOLLGATE_DATA_DIR: dataDir, ...own });
  }

  /** An account that no rate limit slows down unless asked for, made without a process. */
  async account(
    environment: Environment,
    limits: object = { tier: 'enterprise', rate_limit: 999_999_999 },
  ): Promise<NewAccount> {
    const { DATABASE_URL: url, TOLLGATE_DATA_DIR: dataDir, TOLLGATE_VAULT_KEY: master } = environment;
    const address = url === undefined ? await addressOf(dataDir!) : { connectionString: url };
    const sql = await connect(address, 'test');
    try {
      const masters = { current: parseMasterKey(master!), previous: undefined };
      const keyring = await loadKeyring(sql, masters);
      const config = readConfig('command', environment);
      const { services, close } = await openServices({ address, config, keyring, masters });
      const parameters = { name: 'Test', ...limits };
      const made = await new Operator(services, 'test').run<AccountWithKeys>('accounts.create', { parameters });
      await close();
      const { id, test_secret_key, live_secret_key } = made;
      return { account: id, test_secret_key, live_secret_key };
    } finally {
      await sql.end();
    }
  }

  /** A connection to the PostgreSQL that runs on this data directory. */
  async sql(dataDir: string): Promise<Connection> {
    return this.keep(await connect(await addressOf(dataDir), 'test'));
  }

  keep(connection: Connection): Connection {
    this.#connections.push(connection);
    return connection;
  }

  async cleanUp(): Promise<void> {
    for (const client of this.#clients) client.close();
    for (const connection of this.#connections) await connection.end().catch(() => {});
    for (const child of this.#children) await this.#end(child);
    for (const dataDir of this.#dataDirs) await endPostgres(dataDir);
    rmSync(this.#root, { recursive: true, force: true });
  }

  async #end(child: Child): Promise<void> {
    if (child.ending !== undefined) return;
    // An old Node starts a new one: that grandchild has to end as well.
    for (const pid of [child.pid, ...handedOver(child)]) killQuietly(pid);
    await child.ends();
  }
}

/** Commands that run until they are stopped. */
const servers = new Set(['dev', 'serve']);

/** The name of the command in a command line: `accounts create`, `doctor`. */
function commandOf(args: readonly string[]): string {
  const options = args.findIndex((word) => word.startsWith('-'));
  const words = options === -1 ? args : args.slice(0, options);
  return words.slice(0, 2).join(' ');
}

async function addressOf(dataDir: string): Promise<DatabaseAddress> {
  const address = await findRunningPostgres(dataDir);
  if (address === undefined) throw new Error(`no PostgreSQL runs on ${dataDir}`);
  return address;
}

/** Process id of the postmaster on this data directory; undefined when none runs. */
export function postmasterOf(dataDir: string): number | undefined {
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number.parseInt(readOrEmpty(file), 10);
  return isPostgresOf(pid, dataDir) ? pid : undefined;
}

function isPostgresOf(pid: number, dataDir: string): boolean {
  return readOrEmpty(`/proc/${pid}/cmdline`).includes(`\0${join(dataDir, 'postgres')}\0`);
}

/** The PostgreSQL of a killed gateway stops within milliseconds; the signal is a fallback. */
async function endPostgres(dataDir: string): Promise<void> {
  const pid = postmasterOf(dataDir);
  if (pid === undefined) return;
  const gone = () => !isPostgresOf(pid, dataDir);
  await until(`PostgreSQL ${pid} has followed its gateway`, 3_000, gone).catch(() => killQuietly(pid));
  await until(`PostgreSQL ${pid} is gone`, patienceMs, gone);
}

/** The newer Node that an old one has started. */
function handedOver({ pid }: Child): number[] {
  const pids = readOrEmpty(`/proc/${pid}/task/${pid}/children`).split(' ').filter(Boolean).map(Number);
  return pids.filter((one) => readOrEmpty(`/proc/${one}/cmdline`).includes(entry));
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
