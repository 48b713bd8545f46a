import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/**
 * Measures the gateway against an echo server on the same machine, in turns within one run, so that what counts is the ratio.
 * Needs wrk (Debian: apt-get install wrk). Traffic goes to loopback only.
 */
const seconds = Number(process.argv[2] ?? 8);
const rounds = Number(process.argv[3] ?? 3);
const connections = 64;
const here = import.meta.dirname;
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));

type Result = { requests: number; seconds: number; p50_ms: number; p99_ms: number; failed: number };
type Server = { child: ChildProcess; port: number };

function requireWrk(): void {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return; // `wrk --version` exits with 1
    console.error('npm run bench needs wrk. On Debian: apt-get install wrk');
    process.exit(1);
  }
}

async function start(
  args: string[],
  environment: Record<string, string>,
  ready: (line: string) => number | undefined,
): Promise<Server> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout! });
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      const port = ready(line);
      if (port !== undefined) resolve({ child, port });
    });
    child.once('exit', (code) => reject(new Error(`${args.join(' ')} ended with ${code}`)));
  });
}

function load(port: number, key: string, round: string): Promise<Result> {
  const args = [
    '-t2',
    `-c${connections}`,
    `-d${seconds}s`,
    '-s',
    join(here, 'request.lua'),
    `https://127.0.0.1:${port}`,
    '--',
    key,
    round,
  ];
  const child = spawn('wrk', args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((resolve, reject) => {
    child.on('exit', () => {
      const found = /RESULT (.*)/.exec(output);
      if (found === null) reject(new Error(`wrk gave no result:\n${output}`));
      else resolve(JSON.parse(found[1]!));
    });
  });
}

function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

function median(numbers: number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

function summarize(name: string, results: Result[], pid: number): string {
  const rate = median(results.map((result) => result.requests / result.seconds));
  const p50 = median(results.map((result) => result.p50_ms));
  const p99 = median(results.map((result) => result.p99_ms));
  const failed = results.reduce((sum, result) => sum + result.failed, 0);
  return `${name.padEnd(22)} ${rate.toFixed(0).padStart(7)} req/s   p50 ${p50.toFixed(1).padStart(6)} ms   p99 ${p99.toFixed(1).padStart(6)} ms   peak RSS ${residentMegabytes(pid)} MB   failed ${failed}`;
}

requireWrk();
const cli = join(here, '..', 'server', 'bin', 'tollgate.js');
const environment = {
  TOLLGATE_DATA_DIR: dataDir,
  TOLLGATE_EMBEDDED_POSTGRES: 'yes',
  TOLLGATE_VAULT_KEY: randomBytes(32).toString('base64'),
  PORT: '0',
  HOST: '127.0.0.1',
  DRAIN_SECONDS: '0',
  LOG_LEVEL: 'info',
};
const echo = await start([join(here, 'echo.ts'), dataDir], {}, (line) => JSON.parse(line).port);
const tls = { TLS_CERT_FILE: join(dataDir, 'tls', 'server.pem'), TLS_KEY_FILE: join(dataDir, 'tls', 'server-key.pem') };
const gateway = await start([cli, 'serve'], { ...environment, ...tls }, (line) =>
  line.includes('"serving"') ? JSON.parse(line).port : undefined,
);
try {
  const account = JSON.parse(
    execFileSync(
      process.execPath,
      [cli, 'accounts', 'create', '--name', 'Bench', '--tier', 'enterprise', '--rate-limit', '999999999', '--json'],
      {
        env: { ...process.env, ...environment },
        encoding: 'utf8',
      },
    ),
  );
  const key: string = account.test_secret_key;
  const results = { echo: [] as Result[], customers: [] as Result[] };
  await load(echo.port, key, 'warm');
  await load(gateway.port, key, 'warm');
  for (let round = 1; round <= rounds; round++) {
    results.echo.push(await load(echo.port, key, `${round}`));
    results.customers.push(await load(gateway.port, key, `${round}`));
  }
  console.log(
    `${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}, ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.version}; ${connections} connections, ${rounds} × ${seconds} s each in turn`,
  );
  console.log(summarize('echo', results.echo, echo.child.pid!));
  console.log(summarize('POST /v1/customers', results.customers, gateway.child.pid!));
  const ratios = results.customers.map(
    (result, at) => result.requests / result.seconds / (results.echo[at]!.requests / results.echo[at]!.seconds),
  );
  console.log(`ratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`);
} finally {
  echo.child.kill('SIGTERM');
  const stopped = new Promise((resolve) => gateway.child.once('exit', resolve));
  gateway.child.kill('SIGTERM');
  await stopped;
  rmSync(dataDir, { recursive: true, force: true });
}
