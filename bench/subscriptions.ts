import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:https';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureLocalCertificate } from '../server/base/certificates/index.ts';
import type { Connection } from '../server/base/sql.ts';
import { create, createPaymentMethods, openDatabase } from './fill.ts';
import { type Latencies, lightLoad } from './light.ts';
import { load, type Result, rate, requireWrk } from './load.ts';
import { type Bench, cpuSeconds, residentMegabytes, startGateway } from './processes.ts';
import { multiply, release, subscribe } from './subscribers.ts';

/**
 * Measures how quickly subscriptions are billed that fall due at the same moment, against payments of the API in the same run, and how long
 * a test clock takes for a year: `node bench/subscriptions.ts [subscriptions] [seconds of payments] [subscriptions of the clock]`. Traffic
 * goes to loopback only.
 */
const count = Number(process.argv[2] ?? 100_000);
const seconds = Number(process.argv[3] ?? 10);
const clocked = Number(process.argv[4] ?? 1_000);
const warmUpSeconds = 10;
const warmUpCount = Math.min(count, 2_000);
const aloneCount = Math.min(count, 10_000); // billed while nothing else happens, for the processor time of each
const connections = 64;
const methodCount = 500;
const pollMs = 100;
const yearSeconds = 365 * 86_400;

type Place = { dataDir: string; gateway: Bench; sql: Connection; agent: Agent; key: string; methods: string };

const row = (name: string, ...cells: string[]) => console.log([name.padEnd(44), ...cells].join('   '));
const milliseconds = (value: number) => `${value.toFixed(1)} ms`;

/** Processor time, in seconds: of the gateway, and of its PostgreSQL. */
type Cost = { node: number; postgres: number };

async function costOf<T>({ pid }: Bench, work: () => Promise<T>): Promise<{ result: T; cost: Cost }> {
  const before = cpuSeconds(pid);
  const result = await work();
  const after = cpuSeconds(pid);
  return { result, cost: { node: after.node - before.node, postgres: after.postgres - before.postgres } };
}

function costRow(name: string, { node, postgres }: Cost, times: number): number {
  const each = (used: number) => (used / times) * 1e6;
  row(name, `gateway ${each(node).toFixed(0)} µs`, `PostgreSQL ${each(postgres).toFixed(0)} µs`);
  return each(node + postgres);
}

function loadRow(name: string, { requests, failed, p50_ms, p99_ms }: Latencies | Result): void {
  row(name, `p50 ${milliseconds(p50_ms)}`, `p99 ${milliseconds(p99_ms)}`, `${requests} requests, failed ${failed}`);
}

/** Bills all subscriptions in real time; resolves when none is due. */
async function bill({ gateway, sql }: Place) {
  const began = Math.floor(Date.now() / 1_000) + 1;
  let peak = 0;
  const { result, cost } = await costOf(gateway, async () => {
    const released = await release(sql);
    const start = performance.now();
    const due = 'select exists (select from subscriptions where due_at <= to_timestamp($1)) as some';
    while ((await sql.query(due, [began])).rows[0].some) {
      peak = Math.max(peak, residentMegabytes(gateway.pid));
      await sleep(pollMs);
    }
    return { released, seconds: (performance.now() - start) / 1_000 };
  });
  return { ...result, cost, peak };
}

/** What billing must have come to: one paid invoice of every period, and numbers without a gap. */
async function check(sql: Connection, expected: number): Promise<void> {
  const found = await sql.query(
    `select count(*)::int as invoices, count(*) filter (where status = 'paid')::int as paid, max(number)::int as last,
            count(distinct number)::int as numbers from invoices where test_clock is null`,
  );
  const { invoices, paid, last, numbers } = found.rows[0];
  if (![invoices, paid, last, numbers].every((one) => one === expected))
    throw new Error(`${expected} paid invoices were expected, and there are ${JSON.stringify(found.rows[0])}`);
}

async function measureBilling(place: Place): Promise<void> {
  const { dataDir, gateway, sql, agent, key, methods } = place;
  const light = { agent, port: gateway.port, key, methods };
  const pay = (run: string, during: number) =>
    load({ kind: 'payments', port: gateway.port, key, ids: methods }, run, connections, during);
  const original = await subscribe(gateway, place);
  await multiply(dataDir, gateway, sql, original, warmUpCount - 1);
  await pay('subscriptions-warm', warmUpSeconds);
  await bill(place);
  await multiply(dataDir, gateway, sql, original, aloneCount - warmUpCount);
  await lightLoad(light, sleep(1_000));

  const payments = await costOf(gateway, () => pay('subscriptions', seconds));
  await sleep(1_000);
  const idle = await lightLoad(light, sleep(seconds * 1_000));
  const alone = await bill(place);
  await multiply(dataDir, gateway, sql, original, count - aloneCount);
  const before = residentMegabytes(gateway.pid);
  const billing = bill(place);
  const busy = await lightLoad(light, billing);
  const { released, seconds: taken, peak } = await billing;
  await sleep(1_000);
  const after = residentMegabytes(gateway.pid);
  await check(sql, 1 + warmUpCount + aloneCount + count);

  const billed = released / taken;
  row('POST /v1/payments', `${rate(payments.result).toFixed(0)} /s`, `failed ${payments.result.failed}`);
  row('subscriptions billed', `${billed.toFixed(0)} /s`, `${released} in ${taken.toFixed(1)} s`);
  row('billed / payments', (billed / rate(payments.result)).toFixed(2));
  const ofPayment = costRow('processor time of a payment', payments.cost, payments.result.requests);
  const ofInvoice = costRow('processor time of a billed subscription', alone.cost, alone.released);
  row('payment / subscription, by processor time', (ofPayment / ofInvoice).toFixed(2));
  loadRow('light load, idle', idle);
  loadRow('light load, while billing', busy);
  row('p99 while billing / idle', (busy.p99_ms / idle.p99_ms).toFixed(1));
  row('RSS', `before ${before} MB`, `peak ${peak} MB`, `after ${after} MB`);
}

/** A test clock with monthly subscriptions is advanced by a year. */
async function measureClock({ dataDir, gateway, sql, agent, key }: Place): Promise<void> {
  const post = (path: string, parameters: object) => create(agent, gateway.port, key, `/v1/${path}`, parameters);
  const start = Math.floor(Date.now() / 1_000);
  const clock = await post('test_clocks', { frozen_time: start });
  const original = await subscribe(gateway, { agent, key }, clock);
  await multiply(dataDir, gateway, sql, original, clocked - 1);
  const began = performance.now();
  await post(`test_clocks/${clock}/advance`, { frozen_time: start + yearSeconds });
  const { cost } = await costOf(gateway, async () => {
    const status = 'select status from test_clocks where id = $1';
    while ((await sql.query(status, [clock])).rows[0].status !== 'ready') await sleep(pollMs);
  });
  const taken = (performance.now() - began) / 1_000;
  const found = await sql.query(
    `select count(*)::int as paid from invoices where test_clock = $1 and status = 'paid' and billing_reason = 'subscription_cycle'`,
    [clock],
  );
  row(`a clock with ${clocked}, advanced by a year`, `${taken.toFixed(1)} s`, `${found.rows[0].paid} invoices paid`);
  costRow('processor time of one of them', cost, found.rows[0].paid);
}

requireWrk();
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
await ensureLocalCertificate(join(dataDir, 'tls'), new Date());
const gateway = await startGateway(dataDir);
const sql = await openDatabase(dataDir);
const agent = new Agent({ keepAlive: true, ca: readFileSync(join(dataDir, 'tls', 'ca.pem')) });
try {
  const load1 = loadavg()[0]!.toFixed(2);
  console.log(`${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}, load ${load1}, Node ${process.version}`);
  console.log(`${count} subscriptions due at the same time; ${connections} connections pay for ${seconds} s\n`);
  const { key } = await gateway.account();
  const methods = await createPaymentMethods(dataDir, gateway.port, key, methodCount);
  const place = { dataDir, gateway, sql, agent, key, methods };
  if (count > 0) await measureBilling(place);
  if (clocked > 0) await measureClock({ ...place, ...(await gateway.account()) });
  console.log(`load at the end ${loadavg()[0]!.toFixed(2)}`);
} finally {
  agent.destroy();
  await sql.end();
  await gateway.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
