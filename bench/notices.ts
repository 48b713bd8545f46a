import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findRunningPostgres } from '../server/base/embedded_postgres/index.ts';
import { parseMasterKey } from '../server/base/keyring.ts';
import { loadKeyring } from '../server/base/root_key.ts';
import type { Connection } from '../server/base/sql.ts';
import { openServices } from '../server/commands/operator.ts';
import { readConfig } from '../server/config.ts';
import { harborSignature } from '../server/test/seams/harbor/accounts.ts';
import { openHarborAccount } from '../server/test/seams/harbor/merchant.ts';
import { createPaymentMethods, openDatabase } from './fill.ts';
import { load, loadWith, median, type Result, rate, requireWrk } from './load.ts';
import { type Bench, cpuSeconds, startGateway } from './processes.ts';

/**
 * Measures what notices of a processor cost payments: `node bench/notices.ts [notices a second] [seconds of a turn] [turns]`. Payments run
 * in turns without and with notices about settled payments. Traffic goes to loopback only.
 */
const perSecond = Number(process.argv[2] ?? 1_000);
const seconds = Number(process.argv[3] ?? 10);
const turns = Number(process.argv[4] ?? 3);
const warmUpSeconds = 5;
const connections = 64;
const noticeConnections = 64;
const methodCount = 500;
const secret = 'whsec_bench';
const filler = 'x'.repeat(2_500); // an event of a processor has some kilobytes

/** Makes an account at Harbor for the test mode of an account, beside the running gateway. */
async function openAccount(dataDir: string, { settings }: Bench, sql: Connection, account: string): Promise<string> {
  const masters = { current: parseMasterKey(settings.TOLLGATE_VAULT_KEY!), previous: undefined };
  const config = readConfig('command', settings);
  const address = (await findRunningPostgres(dataDir))!;
  const keyring = await loadKeyring(sql, masters);
  const { services, close } = await openServices({ address, config, keyring, masters });
  const owner = `select tenant from tenants where account = $1 and mode = 'test'`;
  const [{ tenant }] = (await sql.query(owner, [account])).rows;
  const id = await openHarborAccount(services, tenant, { webhook_secret: secret });
  await sql.query('update processor_accounts set enabled = false where id = $1', [id]); // payments stay with the simulator
  await close();
  return id;
}

let events = 0;

/** Notices of one turn about settled attempts: one signed line each. */
async function writeNotices(file: string, sql: Connection, account: string): Promise<void> {
  const settled = `update attempts set processor_account = $1, connector = 'harbor' where (tenant, id) in (
                     select tenant, id from attempts where state = 'approved' order by id desc limit 5000) returning id`;
  const attempts = (await sql.query(settled, [account])).rows;
  const now = Date.now();
  const lines = Array.from({ length: perSecond * (seconds + 2) }, (_, at) => {
    const { id: attempt } = attempts[at % attempts.length];
    const body = JSON.stringify({ id: `evt_${++events}`, about: 'charge', attempt, filler });
    return `${harborSignature(secret, now, body)}\t${body}`;
  });
  writeFileSync(file, `${lines.join('\n')}\n`);
}

async function waiting(sql: Connection): Promise<number> {
  return (await sql.query('select count(*)::int as count from notices where due_at is not null')).rows[0].count;
}

const row = (name: string, ...cells: string[]) => [name.padEnd(44), ...cells].join('   ');
const line = (name: string, results: Result[]) =>
  row(
    name,
    `${median(results.map(rate)).toFixed(0).padStart(6)} req/s`,
    `p50 ${median(results.map((result) => result.p50_ms)).toFixed(1)} ms`,
    `p99 ${median(results.map((result) => result.p99_ms)).toFixed(1)} ms`,
    `failed ${results.reduce((sum, result) => sum + result.failed, 0)}`,
  );

/** Processor time of one request, in microseconds: of the gateway, and of its PostgreSQL. */
async function costOf(gateway: Bench, run: () => Promise<Result>): Promise<{ result: Result; cost: string }> {
  const before = cpuSeconds(gateway.pid);
  const result = await run();
  const after = cpuSeconds(gateway.pid);
  const each = (name: 'node' | 'postgres') => (((after[name] - before[name]) / result.requests) * 1e6).toFixed(0);
  return { result, cost: `gateway ${each('node')} µs, PostgreSQL ${each('postgres')} µs` };
}

async function measure(dataDir: string, gateway: Bench, sql: Connection): Promise<void> {
  const { id, key } = await gateway.account();
  const account = await openAccount(dataDir, gateway, sql, id);
  const methods = await createPaymentMethods(dataDir, gateway.port, key, methodCount);
  const file = join(dataDir, 'notices');
  const pay = (run: string, during = seconds) =>
    load({ kind: 'payments', port: gateway.port, key, ids: methods }, run, connections, during);
  const notify = () => {
    const words = [`/processors/${account}`, file, String(perSecond)];
    return loadWith('notices.lua', { port: gateway.port, threads: 1, connections: noticeConnections, seconds, words });
  };
  const drained = async () => {
    while ((await waiting(sql)) > 0) await sleep(100);
  };
  const results = { without: [] as Result[], with: [] as Result[], notices: [] as Result[], behind: [] as number[] };
  await pay('notices-warm', warmUpSeconds);
  for (let turn = 1; turn <= turns; turn++) {
    await writeNotices(file, sql, account);
    await sql.query('checkpoint');
    results.without.push(await pay(`notices-${turn}-without`));
    const [paid, noticed] = await Promise.all([pay(`notices-${turn}-with`), notify()]);
    results.behind.push(await waiting(sql));
    results.with.push(paid);
    results.notices.push(noticed);
    await drained();
  }
  const ratios = results.with.map((result, at) => rate(result) / rate(results.without[at]!));
  console.log(line('POST /v1/payments, no notices', results.without));
  console.log(line('POST /v1/payments, with notices', results.with));
  console.log(line('POST /processors/:account, beside them', results.notices));
  console.log(row('with / without', median(ratios).toFixed(2), `(${ratios.map((one) => one.toFixed(2)).join(', ')})`));
  console.log(row('not yet handled at the end of a turn', results.behind.join(', ')));
  await writeNotices(file, sql, account);
  const alone = await costOf(gateway, async () => {
    const result = await notify();
    await drained();
    return result;
  });
  console.log(line('POST /processors/:account, alone', [alone.result]));
  console.log(row('processor time of a notice, alone', alone.cost));
  console.log(row('processor time of a payment, alone', (await costOf(gateway, () => pay('notices-cost'))).cost));
}

requireWrk();
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const gateway = await startGateway(dataDir, { program: [join(import.meta.dirname, 'serve_harbor.ts')] });
const sql = await openDatabase(dataDir);
try {
  const load1 = loadavg()[0]!.toFixed(2);
  console.log(`${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}, load ${load1}, Node ${process.version}`);
  console.log(`${perSecond} notices a second wanted; ${turns} turns of ${seconds} s each\n`);
  await measure(dataDir, gateway, sql);
} finally {
  await sql.end();
  await gateway.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
