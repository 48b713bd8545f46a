import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { load, median, type Result, rate, requireWrk } from './load.ts';
import { peakMegabytes, startEcho, startGateway } from './processes.ts';

/**
 * Measures the gateway beside an echo server, in turns within one run on one machine: what counts is the ratio.
 * `npm run bench -- [seconds of a turn] [turns]`. Traffic goes to loopback only.
 */
const seconds = Number(process.argv[2] ?? 10);
const turns = Number(process.argv[3] ?? 3);
const warmUpSeconds = 10; // Node compiles what is hot while it runs; before that, one would measure the compiler
const connections = 64;

function line(name: string, results: Result[], pid: number): string {
  const cells = [
    name.padEnd(20),
    `${median(results.map(rate)).toFixed(0).padStart(6)} req/s`,
    `p50 ${median(results.map((result) => result.p50_ms)).toFixed(1)} ms`,
    `p99 ${median(results.map((result) => result.p99_ms)).toFixed(1)} ms`,
    `peak RSS ${peakMegabytes(pid)} MB`,
    `failed ${results.reduce((sum, result) => sum + result.failed, 0)}`,
  ];
  return cells.join('   ');
}

requireWrk();
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const echo = await startEcho(dataDir);
const gateway = await startGateway(dataDir);
try {
  const results = { echo: [] as Result[], customers: [] as Result[] };
  await load(echo.port, gateway.key, 'warm', connections, warmUpSeconds);
  await load(gateway.port, gateway.key, 'warm', connections, warmUpSeconds);
  for (let turn = 1; turn <= turns; turn++) {
    results.echo.push(await load(echo.port, gateway.key, `${turn}`, connections, seconds));
    results.customers.push(await load(gateway.port, gateway.key, `${turn}`, connections, seconds));
  }
  const memory = Math.round(totalmem() / 2 ** 30);
  console.log(`${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}, ${memory} GiB, Node ${process.version}`);
  console.log(`${connections} connections, ${turns} turns of ${seconds} s each\n`);
  console.log(line('echo', results.echo, echo.pid));
  console.log(line('POST /v1/customers', results.customers, gateway.pid));
  const ratios = results.customers.map((result, at) => rate(result) / rate(results.echo[at]!));
  console.log(`\nratio ${median(ratios).toFixed(2)} (${ratios.map((ratio) => ratio.toFixed(2)).join(', ')})`);
} finally {
  await echo.stop();
  await gateway.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
