import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { ensureLocalCertificate } from '../server/base/certificates/index.ts';

export type Server = { pid: number; port: number; stop(): Promise<void> };

const run = promisify(execFile);
const here = import.meta.dirname;
export const vaultKey = randomBytes(32).toString('base64'); // a database that is started again needs the same
export const thisCheckout = join(here, '..');

export function startEcho(dataDir: string): Promise<Server> {
  return start([join(here, 'echo.ts'), dataDir], {}, (line) => JSON.parse(line).port);
}

export type Bench = Server & {
  /** Of its environment. */
  settings: Readonly<Record<string, string>>;
  /** A new account without a tight rate limit, and its test key. */
  account(): Promise<{ id: string; key: string }>;
};

export type GatewayOptions = {
  /** Where its source is: this one, or another version. */
  checkout?: string;
  /** One that serves more than `tollgate serve`. */
  program?: string[];
  /** More settings. A separate database stands for the embedded one. */
  environment?: Readonly<Record<string, string>>;
};

/** The gateway as it runs in production, durable, with its own PostgreSQL and the certificate of this machine. */
export async function startGateway(
  dataDir: string,
  { checkout = thisCheckout, program, environment = {} }: GatewayOptions = {},
): Promise<Bench> {
  const cli = join(checkout, 'server', 'bin', 'tollgate.js');
  await ensureLocalCertificate(join(dataDir, 'tls'), new Date());
  const settings = {
    TOLLGATE_DATA_DIR: dataDir,
    TOLLGATE_VAULT_KEY: vaultKey,
    TLS_CERT_FILE: join(dataDir, 'tls', 'server.pem'),
    TLS_KEY_FILE: join(dataDir, 'tls', 'server-key.pem'),
    PORT: '0',
    HOST: '127.0.0.1',
    DRAIN_SECONDS: '0',
    ...('DATABASE_URL' in environment ? {} : { TOLLGATE_EMBEDDED_POSTGRES: 'yes' }),
    ...environment,
  };
  const serving = (line: string) => (line.includes('"serving"') ? JSON.parse(line).port : undefined);
  const server = await start(program ?? [cli, 'serve'], settings, serving);
  const options = ['--name', 'Bench', '--tier', 'enterprise', '--rate-limit', '999999999', '--json'];
  return {
    ...server,
    settings,
    async account() {
      const env = { ...process.env, ...settings };
      const { stdout } = await run(process.execPath, [cli, 'accounts', 'create', ...options], { env });
      const { id, test_secret_key } = JSON.parse(stdout);
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

/**
 * The processor time that a process and those of its kind below it have used so far, with all threads, and that of the PostgreSQL below
 * them, with its backends that have ended: it starts and ends some all the time.
 */
export function cpuSeconds(pid: number): { node: number; postgres: number } {
  let [node, postgres] = [0, 0];
  for (const { pid: one, isPostgres } of withThoseBelow(pid)) {
    const { own, ended } = ticksOf(one);
    if (isPostgres) postgres += own + ended;
    else node += own;
  }
  return { node: node / clockTicks, postgres: postgres / clockTicks };
}

/** That of a PostgreSQL which somebody else has started, by the process id of its postmaster. */
export function postgresSeconds(pid: number): number {
  const { ended } = ticksOf(pid);
  const { node, postgres } = cpuSeconds(pid);
  return node + postgres + ended / clockTicks;
}

function withThoseBelow(pid: number): { pid: number; isPostgres: boolean }[] {
  const list = execFileSync('ps', ['-e', '-o', 'pid=,ppid=,comm='], { encoding: 'utf8' }).trim().split('\n');
  const rows = list.map((line) => line.trim().split(/\s+/) as [string, string, string]);
  const found = [{ pid, isPostgres: false }];
  for (const { pid: above } of found)
    for (const [child, parent, name] of rows)
      if (Number(parent) === above) found.push({ pid: Number(child), isPostgres: name === 'postgres' });
  return found;
}

/** Of a process, and of its children that have ended. */
function ticksOf(pid: number): { own: number; ended: number } {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').map(Number);
    return { own: fields[11]! + fields[12]!, ended: fields[13]! + fields[14]! };
  } catch {
    return { own: 0, ended: 0 }; // it has ended
  }
}

/** The peak resident memory of a process and those of its kind below it, according to Linux. */
export function peakMegabytes(pid: number): number {
  return megabytes(pid, /VmHWM:\s+(\d+)/);
}

/** Their resident memory at this moment. */
export function residentMegabytes(pid: number): number {
  return megabytes(pid, /VmRSS:\s+(\d+)/);
}

function megabytes(pid: number, kilobytes: RegExp): number {
  const statuses = withThoseBelow(pid)
    .filter(({ isPostgres }) => !isPostgres)
    .map((one) => readFileSync(`/proc/${one.pid}/status`, 'utf8'));
  return Math.round(statuses.reduce((sum, status) => sum + Number(kilobytes.exec(status)?.[1] ?? 0), 0) / 1_024);
}
