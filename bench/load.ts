import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';

export type Result = { requests: number; seconds: number; p50_ms: number; p99_ms: number; failed: number };

/** The repeated request. `methods` is a file with the ids of the payment methods to charge, one per line. */
export type Workload = { kind: 'customers' | 'payments' | 'list'; port: number; key: string; methods?: string };

export function requireWrk(): void {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return; // `wrk --version` exits with 1
    console.error('npm run bench needs wrk. On Debian: apt-get install wrk');
    process.exit(1);
  }
}

/** Loads one server for a while. `run` makes the idempotency keys of this turn unique. */
export function load(workload: Workload, run: string, connections: number, seconds: number): Promise<Result> {
  const words = [workload.key, run, workload.kind, workload.methods ?? ''];
  return loadWith('request.lua', { port: workload.port, threads: 2, connections, seconds, words });
}

type Load = { port: number; threads: number; connections: number; seconds: number; words: readonly string[] };

/** Loads one server by a script of this folder, which is given the words. */
export function loadWith(script: string, { port, threads, connections, seconds, words }: Load): Promise<Result> {
  const shape = [`-t${threads}`, `-c${connections}`, `-d${seconds}s`, '-s', join(import.meta.dirname, script)];
  const child = spawn('wrk', [...shape, `https://127.0.0.1:${port}`, '--', ...words], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
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

export function rate(result: Result): number {
  return result.requests / result.seconds;
}

export function median(numbers: readonly number[]): number {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]!;
}
