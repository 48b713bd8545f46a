import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { type Kind, kindNames, requireWrk } from './load.ts';
import { peakMegabytes, residentMegabytes, type Server, startEcho, thisCheckout } from './processes.ts';
import { figuresOf, type Row, table, turnsOf } from './samples.ts';
import { checkOut, removeCheckOut, Side } from './side.ts';
import { inTurns, type Measured } from './turns.ts';

/**
 * Measures the gateway and an echo server in turns, within one run on one machine. The results are ratios; README.md says how to read
 * them. Traffic goes to loopback only.
 */
const { values } = parseArgs({
  allowNegative: true,
  options: {
    turns: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '5' },
    'warm-up': { type: 'string', default: '20000' },
    only: { type: 'string', default: kindNames.join(',') },
    stored: { type: 'string', default: '1000000' },
    against: { type: 'string' },
    processes: { type: 'string' },
    history: { type: 'string' },
    webhooks: { type: 'boolean', default: true },
    pages: { type: 'boolean', default: true },
  },
});
const [turns, seconds, warmUpRequests, stored] = [values.turns, values.seconds, values['warm-up'], values.stored].map(
  Number,
) as [number, number, number, number];
const kinds = values.only.split(',') as Kind[];
const unknownKind = kinds.find((kind) => !kindNames.includes(kind));
if (unknownKind !== undefined) {
  console.error(`--only takes ${kindNames.join(', ')}, and not "${unknownKind}".`);
  process.exit(2);
}
const connections = 64;

/** Each kind of request at each side, beside the echo. */
async function compare(part: string, echo: Server, sides: readonly Side[], payments: number): Promise<Row[]> {
  const rows: Measured[] = [echoRow(echo)];
  const workloads = await Promise.all(sides.map((side) => side.workloads(payments)));
  for (const kind of kinds)
    for (const [at, { name, gateway }] of sides.entries()) {
      const title = sides.length === 1 ? kind : `${kind}, ${name}`;
      rows.push({ name: title, kind, pid: gateway.pid, workload: workloads[at]![kind], samples: [] });
    }
  await inTurns(part, rows, { turns, seconds, warmUpRequests, connections });
  console.log(`${table(rows)}\n\nturns, requests/s / Node µs / PG µs:\n${rows.map(turnsOf).join('\n')}\n`);
  return rows;
}

function echoRow({ pid, port }: Server): Measured {
  return { name: 'echo', kind: 'echo', pid, workload: { kind: 'customers', port, key: 'none' }, samples: [] };
}

const machine = () => `${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}`;

/** One line of JSON a run, so that versions can be compared over time on machines of one kind. */
function remember(file: string, parts: Record<string, Row[]>): void {
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: thisCheckout, encoding: 'utf8' }).trim();
  const figures = Object.entries(parts).map(([part, rows]) => [
    part,
    Object.fromEntries(rows.map(({ name, samples }) => [name, figuresOf(samples)])),
  ]);
  const line = { at: new Date().toISOString(), commit, machine: machine(), node: process.version, turns, seconds };
  appendFileSync(file, `${JSON.stringify({ ...line, parts: Object.fromEntries(figures) })}\n`);
}

requireWrk();
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const other = join(dataDir, 'checkout');
const echo = await startEcho(dataDir);
const sides: Side[] = [];
try {
  const load1 = loadavg()[0]!.toFixed(2);
  const memory = Math.round(totalmem() / 2 ** 30);
  console.log(`${machine()}, ${memory} GiB, load ${load1}, Node ${process.version}`);
  console.log(`${connections} connections; ${turns} turns of ${seconds} s, after ${warmUpRequests} requests of each\n`);
  sides.push(await Side.open('this', {}, join(dataDir, 'this')));
  if (values.against !== undefined) {
    const options = { checkout: checkOut(values.against, other) };
    sides.push(await Side.open(values.against.slice(0, 9), options, join(dataDir, 'other')));
  }
  if (values.processes !== undefined) {
    const environment = { WEB_CONCURRENCY: values.processes };
    sides.push(await Side.open(`${values.processes} processes`, { environment }, join(dataDir, 'processes')));
  }
  const idle = residentMegabytes(sides[0]!.gateway.pid);
  const parts: Record<string, Row[]> = { empty: await compare('empty', echo, sides, 0) };
  if (stored > 0) {
    console.log(`With ${stored} payments stored:`);
    parts.stored = await compare('stored', echo, sides, stored);
  }
  for (const { name, gateway } of sides) console.log(`peak RSS, ${name}: ${peakMegabytes(gateway.pid)} MB`);
  const starts: number[] = [];
  for (let count = 0; count < 5; count++) starts.push(await sides[0]!.restart());
  console.log(`RSS after the first start: ${idle} MB`);
  console.log(`from the start of the process to its first answer: ${starts.map((one) => one.toFixed(2)).join(', ')} s`);
  if (values.history !== undefined) remember(values.history, parts);
} finally {
  for (const side of sides) await side.close();
  await echo.stop();
  if (values.against !== undefined) removeCheckOut(other);
  rmSync(dataDir, { recursive: true, force: true });
}

/** With a gateway of its own. */
const runProgram = (name: string, ...words: string[]) =>
  execFileSync(process.execPath, [join(import.meta.dirname, name), ...words], { stdio: 'inherit' });
if (values.pages) runProgram('pages.ts', values.turns, values.seconds);
// This gateway may send to this machine.
if (values.webhooks) runProgram('deliver.ts');
