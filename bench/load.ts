import { execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';

export type Result = { requests: number; seconds: number; p50_ms: number; p99_ms: number; failed: number };

export const kindNames = ['payments', 'customers', 'retrieve', 'list', 'sessions'] as const;
export type Kind = (typeof kindNames)[number];

/**
 * The repeated request. `ids` is a file with the payment methods to charge, the payments to retrieve, or the paths of pages, one per line.
 */
export type Workload = { kind: Kind | 'page'; port: number; key: string; ids?: string };

export function requireWrk(): void {
  try {
    execFileSync('wrk', ['--version'], { stdio: 'ignore' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return; // `wrk --version` exits with 1
    console.error('npm run bench needs wrk. On Debian: apt-get install wrk');
    process.exit(1);
  }
}

const threads = 2;
const warmUpSeconds = 2; // wrk stops after a time, not after a number of requests

/** Loads one server for a while. `run` makes the idempotency keys of this turn unique. */
export function load(workload: Workload, run: string, connections: number, seconds: number): Promise<Result> {
  return loadWith('request.lua', { port: workload.port, threads, connections, seconds, words: wordsOf(workload, run) });
}

/** Loads one server until it has answered so many requests: Node compiles what is hot by how often it has run. */
export async function warmUp(workload: Workload, run: string, connections: number, requests: number): Promise<void> {
  for (let done = 0, turn = 1; done < requests; turn++)
    done += (await load(workload, `${run}-${turn}`, connections, warmUpSeconds)).requests;
}

const wordsOf = ({ key, kind, ids = '' }: Workload, run: string) => [key, run, kind, ids];

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
