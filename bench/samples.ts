import { type Kind, load, median, type Result, rate, type Workload } from './load.ts';
import { cpuSeconds } from './processes.ts';

/** A turn of load, and what it has cost: processor time of one request in microseconds, of Node and of PostgreSQL. */
export type Sample = Result & { node_us: number; postgres_us: number };

/** Loads a server, and reads its processor time before and after. */
export async function sample(
  pid: number,
  workload: Workload,
  run: string,
  connections: number,
  seconds: number,
): Promise<Sample> {
  const before = cpuSeconds(pid);
  const result = await load(workload, run, connections, seconds);
  const after = cpuSeconds(pid);
  const each = (name: 'node' | 'postgres') => ((after[name] - before[name]) / result.requests) * 1e6;
  return { ...result, node_us: each('node'), postgres_us: each('postgres') };
}

/** The medians of several turns. */
export type Figures = {
  per_second: number;
  node_us: number;
  postgres_us: number;
  p50_ms: number;
  p99_ms: number;
  failed: number;
};

export function figuresOf(samples: readonly Sample[]): Figures {
  const middle = (value: (one: Sample) => number) => median(samples.map(value));
  return {
    per_second: middle(rate),
    node_us: middle((one) => one.node_us),
    postgres_us: middle((one) => one.postgres_us),
    p50_ms: middle((one) => one.p50_ms),
    p99_ms: middle((one) => one.p99_ms),
    failed: samples.reduce((sum, one) => sum + one.failed, 0),
  };
}

/** What is measured in turns: the echo, and each kind of request at each gateway. */
export type Row = { name: string; kind: Kind | 'page' | 'echo'; samples: Sample[] };

const heads = ['', 'req/s', '÷ echo', 'Node µs', '÷ echo', 'PG µs', '÷ echo', 'p50 ms', 'p99 ms', '÷ echo', 'failed'];

/** One line a row. What is divided by the echo's: requests by requests, both processor times by that of Node, p99 by p99. */
export function table(rows: readonly Row[]): string {
  const echo = figuresOf(rows.find(({ kind }) => kind === 'echo')!.samples);
  const lines = rows.map(({ name, samples }) => {
    const { per_second, node_us, postgres_us, p50_ms, p99_ms, failed } = figuresOf(samples);
    return [
      name,
      ...[per_second.toFixed(0), (per_second / echo.per_second).toFixed(3)],
      ...[node_us.toFixed(0), (node_us / echo.node_us).toFixed(2)],
      ...[postgres_us.toFixed(0), (postgres_us / echo.node_us).toFixed(2)],
      ...[p50_ms.toFixed(1), p99_ms.toFixed(1), (p99_ms / echo.p99_ms).toFixed(1), String(failed)],
    ];
  });
  return [heads, ...lines].map((cells) => aligned(cells)).join('\n');
}

function aligned([name = '', ...cells]: readonly string[]): string {
  return [name.padEnd(nameWidth), ...cells.map((cell) => cell.padStart(cellWidth))].join(' ').trimEnd();
}

const nameWidth = 24;
const cellWidth = 8;

/** The turns themselves, to see how far the medians can be trusted. */
export function turnsOf({ name, samples }: Row): string {
  const turns = samples.map((one) => `${rate(one).toFixed(0)}/${one.node_us.toFixed(0)}/${one.postgres_us.toFixed(0)}`);
  return `${name.padEnd(nameWidth)} ${turns.join('  ')}`;
}
