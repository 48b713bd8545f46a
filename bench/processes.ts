import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

export type Server = { pid: number; port: number; stop(): Promise<void> };

const here = import.meta.dirname;
const cli = join(here, '..', 'server', 'bin', 'tollgate.js');

export function startEcho(dataDir: string): Promise<Server> {
  return start([join(here, 'echo.ts'), dataDir], {}, (line) => JSON.parse(line).port);
}

export type Bench = Server & {
  /** Of its environment. */
  settings: Readonly<Record<string, string>>;
  /** A new account without a tight rate limit, and its test key. */
  account(): { id: string; key: string };
};

/** The gateway as it runs in production, durable, with its own PostgreSQL. `program` may be one that serves more. */
export async function startGateway(dataDir: string, program = [cli, 'serve']): Promise<Bench> {
  const settings = {
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_EMBEDDED_POSTGRES: 'yes',
    TOLLGATE_VAULT_KEY: randomBytes(32).toString('base64'),
    TLS_CERT_FILE: join(dataDir, 'tls', 'server.pem'),
    TLS_KEY_FILE: join(dataDir, 'tls', 'server-key.pem'),
    PORT: '0',
    HOST: '127.0.0.1',
    DRAIN_SECONDS: '0',
  };
  const serving = (line: string) => (line.includes('"serving"') ? JSON.parse(line).port : undefined);
  const server = await start(program, settings, serving);
  const options = ['--name', 'Bench', '--tier', 'enterprise', '--rate-limit', '999999999', '--json'];
  return {
    ...server,
    settings,
    account() {
      const made = execFileSync(process.execPath, [cli, 'accounts', 'create', ...options], {
        env: { ...process.env, ...settings },
        encoding: 'utf8',
      });
      const { id, test_secret_key } = JSON.parse(made);
      return { id, key: test_secret_key };
    },
  };
}

function start(
  args: string[],
  environment: Record<string, string>,
  portIn: (line: string) => number | undefined,
): Promise<Server> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return new Promise((resolve, reject) => {
    createInterface({ input: child.stdout! }).on('line', (line) => {
      const port = portIn(line);
      if (port !== undefined) resolve({ pid: child.pid!, port, stop: () => stop(child) });
    });
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
  });
}

async function stop(child: ChildProcess): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}

const clockTicks = 100; // a second, on every Linux

/** The processor time that a process has used so far, and that of the processes below it. */
export function cpuSeconds(pid: number): { own: number; children: number } {
  const list = execFileSync('ps', ['-e', '-o', 'pid=,ppid='], { encoding: 'utf8' }).trim().split('\n');
  const pairs = list.map((one) => one.trim().split(/\s+/).map(Number));
  const below = (parent: number): number[] =>
    pairs.filter(([, ppid]) => ppid === parent).flatMap(([child]) => [child!, ...below(child!)]);
  return {
    own: ticksOf(pid) / clockTicks,
    children: below(pid).reduce((sum, one) => sum + ticksOf(one), 0) / clockTicks,
  };
}

function ticksOf(pid: number): number {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[11]) + Number(fields[12]);
  } catch {
    return 0; // it has ended
  }
}

/** The peak resident memory of a process, according to Linux. */
export function peakMegabytes(pid: number): number {
  return megabytes(pid, /VmHWM:\s+(\d+)/);
}

/** The resident memory of a process at this moment. */
export function residentMegabytes(pid: number): number {
  return megabytes(pid, /VmRSS:\s+(\d+)/);
}

function megabytes(pid: number, kilobytes: RegExp): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(kilobytes.exec(status)?.[1] ?? 0) / 1_024);
}
