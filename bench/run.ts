import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createPaymentMethods, fillPayments, openDatabase } from './fill.ts';
import { load, median, type Result, rate, requireWrk, type Workload } from './load.ts';
import { peakMegabytes, startEcho, startGateway } from './processes.ts';

/**
 * Measures the gateway and an echo server in turns, within one run on one machine. The result is the ratio.
 * `npm run bench -- [seconds of a turn] [turns] [payments stored before the last part]`. Traffic goes to loopback only.
 */
const seconds = Number(process.argv[2] ?? 10);
const turns = Number(process.argv[3] ?? 3);
const stored = Number(process.argv[4] ?? 1_000_000);
const warmUpSeconds = 10; // without a warm-up, the time that Node takes to compile hot code would be measured
const connections = 64;
const fewRows = 1_000;
const methodCount = 500;

/** Runs the workloads in turns, so that a machine that slows down affects all of them. */
async function inTurns<Name extends string>(
  part: string,
  workloads: Record<Name, Workload>,
): Promise<Record<Name, Result[]>> {
  const names = Object.keys(workloads) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Result[]])) as Record<Name, Result[]>;
  for (const name of names) await load(workloads[name], `${part}-warm-${name}`, connections, warmUpSeconds);
  for (let turn = 1; turn <= turns; turn++)
    for (const name of names)
      results[name].push(await load(workloads[name], `${part}-${turn}-${name}`, connections, seconds));
  return results;
}

function line(name: string, results: Result[]): string {
  const cells = [
    name.padEnd(44),
    `${median(results.map(rate)).toFixed(0).padStart(6)} req/s`,
    `p50 ${median(results.map((result) => result.p50_ms)).toFixed(1)} ms`,
    `p99 ${median(results.map((result) => result.p99_ms)).toFixed(1)} ms`,
    `failed ${results.reduce((sum, result) => sum + result.failed, 0)}`,
  ];
  return cells.join('   ');
}

function ratio(name: string, over: Result[], under: Result[]): string {
  const ratios = over.map((result, at) => rate(result) / rate(under[at]!));
  return `${name.padEnd(44)} ${median(ratios).toFixed(2)} (${ratios.map((one) => one.toFixed(2)).join(', ')})`;
}

requireWrk();
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const echo = await startEcho(dataDir);
const gateway = await startGateway(dataDir);
const sql = await openDatabase(dataDir);
try {
  const memory = Math.round(totalmem() / 2 ** 30);
  console.log(`${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}, ${memory} GiB, Node ${process.version}`);
  console.log(`${connections} connections, ${turns} turns of ${seconds} s each\n`);

  const { key } = gateway.account();
  const methods = await createPaymentMethods(dataDir, gateway.port, key, methodCount);
  const payments: Workload = { kind: 'payments', port: gateway.port, key, methods };
  const echoed: Workload = { kind: 'customers', port: echo.port, key };
  const empty = await inTurns('empty', {
    echo: echoed,
    customers: { kind: 'customers', port: gateway.port, key },
    payments,
  });
  console.log(line('echo', empty.echo));
  console.log(line('POST /v1/customers', empty.customers));
  console.log(line('POST /v1/payments', empty.payments));
  console.log(ratio('customers / echo', empty.customers, empty.echo));
  console.log(ratio('payments / echo', empty.payments, empty.echo));
  console.log(`peak RSS: echo ${peakMegabytes(echo.pid)} MB, gateway ${peakMegabytes(gateway.pid)} MB\n`);

  if (stored > 0) {
    const large = gateway.account();
    const small = gateway.account();
    await fillPayments(sql, large.id, stored);
    await fillPayments(sql, small.id, fewRows);
    const charged = await createPaymentMethods(dataDir, gateway.port, large.key, methodCount);
    const full = await inTurns('full', {
      echo: echoed,
      payments: { kind: 'payments', port: gateway.port, key: large.key, methods: charged },
      few: { kind: 'list', port: gateway.port, key: small.key },
      many: { kind: 'list', port: gateway.port, key: large.key },
    });
    console.log(`With ${stored} payments stored:`);
    console.log(line('echo', full.echo));
    console.log(line('POST /v1/payments', full.payments));
    console.log(line(`GET /v1/payments, account with ${fewRows}`, full.few));
    console.log(line(`GET /v1/payments, account with ${stored}`, full.many));
    console.log(ratio('payments / echo', full.payments, full.echo));
    console.log(ratio('page of many / page of few', full.many, full.few));
    console.log(`peak RSS: gateway ${peakMegabytes(gateway.pid)} MB`);
  }
} finally {
  await sql.end();
  await echo.stop();
  await gateway.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

// Webhooks have a gateway of their own, which may send to this machine.
execFileSync(process.execPath, [join(import.meta.dirname, 'deliver.ts')], { stdio: 'inherit' });
