import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ensureLocalCertificate } from '../server/base/certificates/index.ts';
import { newId } from '../server/base/id.ts';
import type { Connection } from '../server/base/sql.ts';
import { idExpression } from '../server/resources/events/webhook_endpoints/deliveries/delivery.ts';
import { create, createPaymentMethods, openDatabase } from './fill.ts';
import { load, median, type Result, rate, requireWrk, type Workload } from './load.ts';
import { type Bench, cpuSeconds, startGateway } from './processes.ts';

/**
 * Measures the cost of webhooks and the speed of deliveries: `node bench/deliver.ts [events] [seconds of a turn] [turns]`. The receiver is
 * a separate process that answers immediately. Traffic goes to loopback only.
 */

const rowsPerStep = 5_000;
const pollMs = 20;
const warmUpSeconds = 5;
const connections = 64;
const methodCount = 500;

/** For the gateway's environment: without it nothing is sent to loopback. */
const loopback = { WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8' };

type Receiver = { url: string; pid: number; count(): Promise<number>; stop(): Promise<void> };

/** A receiver of webhooks that answers immediately, in a separate process. */
async function startReceiver(): Promise<Receiver> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), '--receive'], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('exit', (code) => reject(new Error(`the receiver ended with ${code}`)));
  });
  const address = `http://127.0.0.1:${port}`;
  return {
    url: `${address}/hook`,
    pid: child.pid!,
    count: async () => Number(await (await fetch(`${address}/count`)).text()),
    async stop() {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function receive(): void {
  let count = 0;
  const server = createServer((incoming, response) => {
    if (incoming.method === 'GET') return void response.end(String(count));
    incoming.resume();
    incoming.on('end', () => {
      count += 1;
      response.writeHead(200, { 'Content-Length': 0 }).end();
    });
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
}

/** Creates an endpoint for all events over the API; returns its id. */
function createEndpoint(dataDir: string, port: number, key: string, url: string): Promise<string> {
  const agent = new Agent({ ca: readFileSync(join(dataDir, 'tls', 'ca.pem')) });
  return create(agent, port, key, '/v1/webhook_endpoints', { url, enabled_events: ['*'] });
}

async function tenantOf(sql: Connection, account: string): Promise<number> {
  const found = await sql.query(`select tenant from tenants where account = $1 and mode = 'test'`, [account]);
  return found.rows[0].tenant;
}

/** Events with a payload like a payment's, and their deliveries to one endpoint, which wait until `release`. */
async function fillBacklog(sql: Connection, tenant: number, endpoint: string, count: number): Promise<void> {
  const filler = 'x'.repeat(600);
  for (let done = 0; done < count; done += rowsPerStep) {
    const now = Date.now();
    const ids = Array.from({ length: Math.min(rowsPerStep, count - done) }, () => newId('evt', now));
    await sql.query(insertBacklog, [tenant, ids, endpoint, filler]);
  }
  await sql.query('vacuum analyze events, deliveries');
  await sql.query('checkpoint');
}

const insertBacklog = `
  with source as materialized (select id from unnest($2::text[]) as x (id)),
  made as (
    insert into events (tenant, id, type, object_id, object_version, payload)
    select $1, id, 'payment.succeeded', 'py_' || substr(id, 5), 1,
           convert_to('{"id":"' || id || '","object":"event","data":{"object":{"description":"' || $4 || '"}}}', 'UTF8') from source)
  insert into deliveries (tenant, id, version, event, endpoint, state, attempts, due_at)
  select $1, ${idExpression('id', '$3::text')}, 1, id, $3, 'pending', 0, now() + interval '1 day' from source`;

const release = 'update deliveries set due_at = now() where tenant = $1 and endpoint = $2 and due_at is not null';

async function pending(sql: Connection, tenant: number): Promise<number> {
  const found = await sql.query(
    'select count(*)::int as count from deliveries where tenant = $1 and due_at is not null',
    [tenant],
  );
  return found.rows[0].count;
}

type Drained = { deliveries: number; seconds: number; received: number; node_us: number; postgres_us: number };

/** How long the backlog of one endpoint takes to drain. A delivery counts when its outcome is committed. */
async function drain(
  { sql, gateway, receiver }: { sql: Connection; gateway: Bench; receiver: Receiver },
  account: string,
  endpoint: string,
  count: number,
): Promise<Drained> {
  const tenant = await tenantOf(sql, account);
  await fillBacklog(sql, tenant, endpoint, count);
  const before = await receiver.count();
  const cpu = cpuSeconds(gateway.pid);
  await sql.query(release, [tenant, endpoint]);
  const began = performance.now();
  // The receiver's count first, so that the database is not polled all the time; the committed outcomes at the end.
  while ((await receiver.count()) - before < count) await sleep(pollMs);
  while ((await pending(sql, tenant)) > 0) await sleep(pollMs);
  const seconds = (performance.now() - began) / 1_000;
  const { node, postgres } = cpuSeconds(gateway.pid);
  const each = (used: number) => (used / count) * 1e6;
  const received = (await receiver.count()) - before;
  return {
    deliveries: count,
    seconds,
    received,
    node_us: each(node - cpu.node),
    postgres_us: each(postgres - cpu.postgres),
  };
}

/** Waits until nothing is pending, so that one turn does not affect the next. */
async function settled(sql: Connection): Promise<void> {
  const due = async () => {
    const found = await sql.query('select exists (select from deliveries where due_at is not null) as some');
    return found.rows[0].some as boolean;
  };
  while (await due()) await sleep(100);
}

type Compared = { without: Result[]; with: Result[]; behind: number[] };

/** Payments of an account without an endpoint and of one with, in turns. `behind`: deliveries not yet sent at the end of each turn. */
async function comparePayments(
  sql: Connection,
  workloads: { without: Workload; with: Workload },
  account: string,
  turns: number,
  seconds: number,
): Promise<Compared> {
  const tenant = await tenantOf(sql, account);
  const compared: Compared = { without: [], with: [], behind: [] };
  for (const name of ['without', 'with'] as const)
    await load(workloads[name], `deliver-warm-${name}`, connections, warmUpSeconds);
  for (let turn = 1; turn <= turns; turn++)
    for (const name of ['without', 'with'] as const) {
      await settled(sql);
      compared[name].push(await load(workloads[name], `deliver-${turn}-${name}`, connections, seconds));
      if (name === 'with') compared.behind.push(await pending(sql, tenant));
    }
  await settled(sql);
  return compared;
}

/** Payments of two new accounts of a running gateway, one with an endpoint. */
async function measurePayments(
  dataDir: string,
  gateway: Bench,
  sql: Connection,
  receiver: Receiver,
  { turns, seconds }: { turns: number; seconds: number },
): Promise<Compared> {
  const [plain, told] = [await gateway.account(), await gateway.account()];
  await createEndpoint(dataDir, gateway.port, told.key, receiver.url);
  const workloadOf = async (key: string): Promise<Workload> => ({
    ...{ kind: 'payments', port: gateway.port, key },
    ids: await createPaymentMethods(dataDir, gateway.port, key, methodCount),
  });
  const workloads = { without: await workloadOf(plain.key), with: await workloadOf(told.key) };
  return comparePayments(sql, workloads, told.id, turns, seconds);
}

function table({ drained, compared }: { drained: Drained[]; compared: Compared }): string {
  const row = (name: string, ...cells: string[]) => [name.padEnd(44), ...cells].join('   ');
  const speed = drained.map((one) => one.deliveries / one.seconds);
  const payments = (name: string, results: Result[]) =>
    row(
      name,
      `${median(results.map(rate)).toFixed(0).padStart(6)} req/s`,
      `p50 ${median(results.map((result) => result.p50_ms)).toFixed(1)} ms`,
      `p99 ${median(results.map((result) => result.p99_ms)).toFixed(1)} ms`,
      `failed ${results.reduce((sum, result) => sum + result.failed, 0)}`,
    );
  const ratios = compared.with.map((result, at) => rate(result) / rate(compared.without[at]!));
  const doubled = drained.reduce((sum, one) => sum + one.received - one.deliveries, 0);
  return [
    row(
      `deliveries, backlog of ${drained[0]!.deliveries}`,
      `${median(speed).toFixed(0).padStart(6)} /s`,
      `(${speed.map((one) => one.toFixed(0)).join(', ')})`,
      `sent twice ${doubled}`,
    ),
    row(
      'processor time of a delivery',
      `Node ${median(drained.map((one) => one.node_us)).toFixed(0)} µs`,
      `PostgreSQL ${median(drained.map((one) => one.postgres_us)).toFixed(0)} µs`,
    ),
    payments('POST /v1/payments, no endpoint', compared.without),
    payments('POST /v1/payments, one endpoint', compared.with),
    row('with / without', median(ratios).toFixed(2), `(${ratios.map((one) => one.toFixed(2)).join(', ')})`),
    row('not yet sent at the end of a turn', compared.behind.join(', ')),
  ].join('\n');
}

async function main(events: number, seconds: number, turns: number): Promise<void> {
  requireWrk();
  Object.assign(process.env, loopback);
  const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
  const receiver = await startReceiver();
  await ensureLocalCertificate(join(dataDir, 'tls'), new Date());
  const gateway = await startGateway(dataDir);
  const sql = await openDatabase(dataDir);
  try {
    const load1 = loadavg()[0]!.toFixed(2);
    console.log(
      `${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}, load ${load1}, Node ${process.version}`,
    );
    const { id, key } = await gateway.account();
    const endpoint = await createEndpoint(dataDir, gateway.port, key, receiver.url);
    const parts = { sql, gateway, receiver };
    await drain(parts, id, endpoint, events); // a warm-up, in which Node compiles hot code
    const drained: Drained[] = [];
    for (let turn = 1; turn <= turns; turn++) drained.push(await drain(parts, id, endpoint, events));
    const compared = await measurePayments(dataDir, gateway, sql, receiver, { turns, seconds });
    console.log(table({ drained, compared }));
    console.log(`load at the end ${loadavg()[0]!.toFixed(2)}`);
  } finally {
    await sql.end();
    await gateway.stop();
    await receiver.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === '--receive') receive();
  else await main(Number(process.argv[2] ?? 20_000), Number(process.argv[3] ?? 10), Number(process.argv[4] ?? 3));
}
