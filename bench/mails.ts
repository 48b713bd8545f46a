import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:https';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '../server/base/id.ts';
import type { Connection } from '../server/base/sql.ts';
import { createPaymentMethods, openDatabase } from './fill.ts';
import { load, median, type Result, rate, requireWrk, warmUp } from './load.ts';
import { type Bench, cpuSeconds, residentMegabytes, startGateway } from './processes.ts';
import { multiply, release, subscribe } from './subscribers.ts';

/**
 * Measures mails: so many invoices are finalized at once, each with a mail; then the same mails are due again beside payments, in turns with
 * payments alone. `node bench/mails.ts [mails] [seconds] [turns] [milliseconds of the mail server] [MAIL_PER_MINUTE]`. Traffic goes to
 * loopback only, and the mail server is a process of its own.
 */
const count = Number(process.argv[2] ?? 10_000);
const seconds = Number(process.argv[3] ?? 5);
const turns = Number(process.argv[4] ?? 5);
const answerMs = Number(process.argv[5] ?? 20);
const perMinute = process.argv[6] ?? '0';
const connections = 64;
const methodCount = 500;
const warmUpRequests = 20_000;
const pollMs = 100;
const readerOfAll = 'ada@example.com';

type Place = { dataDir: string; gateway: Bench; sql: Connection; key: string; methods: string; receiver: Receiver };

type Receiver = { port: number; count(): Promise<{ mails: number; twice: number }>; stop(): void };

async function startReceiver(): Promise<Receiver> {
  const file = join(import.meta.dirname, 'mail_receiver.ts');
  const child = spawn(process.execPath, [file, String(answerMs)], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  const next = async () => JSON.parse((await once(lines, 'line'))[0]);
  const { port } = await next();
  return {
    port,
    async count() {
      child.stdin.write('count\n');
      return next();
    },
    stop: () => child.stdin.end(),
  };
}

const row = (name: string, ...cells: string[]) => console.log([name.padEnd(44), ...cells].join('   '));

/** In test mode, somebody who has a role in the account gets mails: all subscribers have the same address. */
async function addReader(sql: Connection, account: string): Promise<void> {
  const user = newId('usr', Date.now());
  await sql.query(`insert into users (id, version, email, password) values ($1, 1, $2, 'none')`, [user, readerOfAll]);
  await sql.query(`insert into memberships (account, user_id, version, role) values ($1, $2, 1, 'owner')`, [
    account,
    user,
  ]);
}

async function switchMails(sql: Connection, account: string, kinds: object): Promise<void> {
  await sql.query(`update accounts set mail = $2, version = version + 1 where id = $1`, [account, kinds]);
  await sleep(1_500);
}

const queued = async (sql: Connection): Promise<number> =>
  (await sql.query(`select count(*)::int as mails from mails where due_at is not null`)).rows[0].mails;

/** Waits until no mail is due. Gives how long that took, and the most memory meanwhile. */
async function drain({ sql, gateway }: Place, isMore: () => Promise<boolean>) {
  const began = performance.now();
  let peak = 0;
  while (await isMore()) {
    peak = Math.max(peak, residentMegabytes(gateway.pid));
    await sleep(pollMs);
  }
  while ((await queued(sql)) > 0) {
    peak = Math.max(peak, residentMegabytes(gateway.pid));
    await sleep(pollMs);
  }
  return { taken: (performance.now() - began) / 1_000, peak };
}

/** All mails are due again, at this moment. */
const dueAgain = (sql: Connection) =>
  sql.query(
    `update mails set status = 'queued', sent_at = null, attempts = 0, due_at = now(), version = version + 1
      where status = 'sent'`,
  );

async function measureInvoices(place: Place): Promise<void> {
  const { sql, gateway, receiver } = place;
  await receiver.count();
  const before = residentMegabytes(gateway.pid);
  const used = cpuSeconds(gateway.pid);
  await release(sql);
  const due = 'select exists (select from subscriptions where due_at <= now()) as some';
  const { taken, peak } = await drain(place, async () => (await sql.query(due)).rows[0].some);
  const after = cpuSeconds(gateway.pid);
  const each = (cost: number) => `${((cost / (count + 1)) * 1e6).toFixed(0)} µs`;
  row(
    'invoices finalized at once, until the last mail',
    `${taken.toFixed(1)} s`,
    JSON.stringify(await receiver.count()),
  );
  row(
    'processor time of one',
    `gateway ${each(after.node - used.node)}`,
    `PostgreSQL ${each(after.postgres - used.postgres)}`,
  );
  row('RSS', `before ${before} MB`, `peak ${peak} MB`, `after ${residentMegabytes(gateway.pid)} MB`);
}

async function measureDrain(place: Place): Promise<void> {
  const { sql, gateway, receiver } = place;
  await dueAgain(sql);
  const used = cpuSeconds(gateway.pid);
  const { taken, peak } = await drain(place, async () => false);
  const after = cpuSeconds(gateway.pid);
  const { mails, twice } = await receiver.count();
  const each = (cost: number) => `${((cost / mails) * 1e6).toFixed(0)} µs`;
  row('the mails alone', `${(mails / taken).toFixed(0)} /s`, `${mails} in ${taken.toFixed(1)} s, ${twice} twice`);
  row(
    'processor time of a mail',
    `gateway ${each(after.node - used.node)}`,
    `PostgreSQL ${each(after.postgres - used.postgres)}`,
  );
  row('RSS', `peak ${peak} MB`);
}

/** Payments for a while: how many, and the processor time that everything took meanwhile. */
type Turn = { result: Result; node: number; postgres: number };

async function measureBeside(place: Place, account: string): Promise<void> {
  const { sql, gateway, key, methods, receiver } = place;
  const workload = { kind: 'payments', port: gateway.port, key, ids: methods } as const;
  const pay = async (run: string): Promise<Turn> => {
    const before = cpuSeconds(gateway.pid);
    const result = await load(workload, `mails-${run}`, connections, seconds);
    const after = cpuSeconds(gateway.pid);
    return { result, node: after.node - before.node, postgres: after.postgres - before.postgres };
  };
  const all: Record<'alone' | 'with receipts on' | 'beside mails', Turn[]> = {
    alone: [],
    'with receipts on': [],
    'beside mails': [],
  };
  let sentBeside = 0;
  for (let turn = 0; turn < turns; turn++) {
    all.alone.push(await pay(`alone-${turn}`));
    await switchMails(sql, account, { receipt: true });
    all['with receipts on'].push(await pay(`receipts-${turn}`));
    await switchMails(sql, account, {});
    await receiver.count();
    await dueAgain(sql);
    all['beside mails'].push(await pay(`beside-${turn}`));
    sentBeside += (await receiver.count()).mails;
    const settle = `update mails set status = 'sent', due_at = null, lease_until = null, version = version + 1 where status = 'queued'`;
    await sql.query(settle);
    await sleep(2_000);
  }
  const alone = median(all.alone.map(({ result }) => rate(result)));
  for (const [name, made] of Object.entries(all)) {
    const rates = made.map(({ result }) => rate(result));
    const failed = made.reduce((sum, { result }) => sum + result.failed, 0);
    const each = (of: (turn: Turn) => number) =>
      `${(median(made.map((turn) => of(turn) / turn.result.requests)) * 1e6).toFixed(0)} µs`;
    row(
      `payments ${name}`,
      `${median(rates).toFixed(0)} /s`,
      `${(median(rates) / alone).toFixed(2)} of alone`,
      `gateway ${each(({ node }) => node)}`,
      `PostgreSQL ${each(({ postgres }) => postgres)}`,
      `(${rates.map((one) => one.toFixed(0)).join(', ')})`,
      `failed ${failed}`,
    );
  }
  row('mails beside payments', `${(sentBeside / turns / seconds).toFixed(0)} /s`);
}

requireWrk();
const dataDir = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const receiver = await startReceiver();
const mail = { SMTP_URL: `smtp://127.0.0.1:${receiver.port}`, MAIL_FROM: 'billing@shop.example' };
const gateway = await startGateway(dataDir, { environment: { ...mail, MAIL_PER_MINUTE: perMinute } });
const sql = await openDatabase(dataDir);
try {
  row(
    `${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}`,
    `load ${loadavg()[0]!.toFixed(2)}`,
    `Node ${process.version}`,
    `a mail server that answers after ${answerMs} ms`,
    `MAIL_PER_MINUTE ${perMinute}`,
  );
  const { id: account, key } = await gateway.account();
  await addReader(sql, account);
  const agent = new Agent({ keepAlive: true, ca: readFileSync(join(dataDir, 'tls', 'ca.pem')) });
  const methods = await createPaymentMethods(dataDir, gateway.port, key, methodCount);
  const place = { dataDir, gateway, sql, key, methods, receiver };
  const original = await subscribe(gateway, { agent, key });
  await multiply(dataDir, gateway, sql, original, count);
  await switchMails(sql, account, { invoice: true });
  await measureInvoices(place);
  await switchMails(sql, account, {});
  if (perMinute === '0') {
    await measureDrain(place);
    await warmUp(
      { kind: 'payments', port: gateway.port, key, ids: methods },
      'mails-warm',
      connections,
      warmUpRequests,
    );
    await measureBeside(place, account);
  }
  row('load', loadavg()[0]!.toFixed(2));
  agent.destroy();
} finally {
  await sql.end();
  await gateway.stop();
  receiver.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
