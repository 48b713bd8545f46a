import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { copyDirectory } from '../../test/data_directories.ts';
import { compileCache } from '../../test/processes/resident.ts';
import { type EmbeddedPostgres, type PostgresConnection, startEmbeddedPostgres } from './index.ts';

const pollGapMs = 10;

export const runsAsRoot = process.getuid?.() === 0;
export const ownerFixture = fileURLToPath(new URL('./owner.fixture.ts', import.meta.url));

/** Polls until the condition is true; fails with its name after the limit. */
export async function waitFor(what: string, limitMs: number, condition: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + limitMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`not within ${limitMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pollGapMs));
  }
}

/** One statement on a new connection. */
export async function query(connection: PostgresConnection, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(connection);
  client.on('error', () => {});
  try {
    await client.connect();
    return (await client.query(sql)).rows as Record<string, unknown>[];
  } finally {
    await client.end().catch(() => {});
  }
}

export async function answers(connection: PostgresConnection): Promise<boolean> {
  return query(connection, 'select 1').then(
    () => true,
    () => false,
  );
}

export type OwnerReport = { pid?: number; host?: string; error?: string };
export type Owner = { process: ChildProcess; report: OwnerReport };

/** The processes and directories of a test file, which are stopped and removed whatever happens. */
export class Belongings {
  #directories: string[] = [];
  #processes: ChildProcess[] = [];
  #postgres: EmbeddedPostgres[] = [];
  /** All log messages, so that a test can check that something is not in them. */
  readonly logged: string[] = [];

  async directory(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'tollgate-test-'));
    this.#directories.push(path);
    return path;
  }

  keep(child: ChildProcess): ChildProcess {
    this.#processes.push(child);
    return child;
  }

  async start(dataDir: string, settings?: Record<string, string>): Promise<EmbeddedPostgres> {
    const log = (message: string) => this.logged.push(message);
    const postgres = await startEmbeddedPostgres({ dataDir, log, ...(settings && { settings }) });
    this.#postgres.push(postgres);
    return postgres;
  }

  /** Starts an owner as another process and returns when it has reported its start or its error. */
  async owner(dataDir: string, prefix: string[] = []): Promise<Owner> {
    const [program = '', ...args] = [...prefix, process.execPath, ownerFixture, dataDir];
    const env = { ...process.env, NODE_COMPILE_CACHE: compileCache };
    const child = this.keep(spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'], env }));
    for await (const line of createInterface({ input: child.stdout! })) {
      return { process: child, report: JSON.parse(line) as OwnerReport };
    }
    throw new Error('the owner reported nothing');
  }

  async endProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  }

  async endAll(): Promise<void> {
    for (const postgres of this.#postgres.splice(0)) await postgres.stop();
    for (const child of this.#processes.splice(0)) await this.endProcess(child, 'SIGTERM');
  }

  async cleanUp(): Promise<void> {
    await this.endAll();
    for (const directory of this.#directories) await rm(directory, { recursive: true, force: true });
  }
}

/** A copy of a data directory that no PostgreSQL uses. */
export async function copyOf(belongings: Belongings, dataDir: string): Promise<string> {
  const directory = await belongings.directory();
  copyDirectory(dataDir, directory);
  return directory;
}
