import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../server/base/embedded_postgres/index.ts';
import { type Connection, connect } from '../server/base/sql.ts';
import { runMigrations } from '../server/database.ts';
import { createPaymentMethods } from './fill.ts';
import { load, type Result, rate, requireWrk, type Workload, warmUp } from './load.ts';
import { cpuSeconds, startGateway } from './processes.ts';
import { Recorder } from './recorder.ts';

/**
 * What PostgreSQL alone can take: the commits of a real run are recorded on their way to the database, and sent again by one connection to
 * a copy of it, as it was before: the same rows by the same statements, without HTTP, the gateway and the load.
 * `node bench/floor.ts [seconds] [requests of warm-up]`. Traffic goes to loopback only.
 */
const seconds = Number(process.argv[2] ?? 10);
const warmUpRequests = Number(process.argv[3] ?? 20_000);
const connections = 64;
const methodCount = 500;

/** Sends the steps one after the other, each when the one before is answered; returns the seconds. */
async function replay(sql: Connection, steps: readonly Buffer[]): Promise<number> {
  const { stream } = (sql as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  const began = performance.now();
  for (const step of steps) await answered(stream, step);
  return (performance.now() - began) / 1_000;
}

const [ready, failed] = ['Z', 'E'].map((letter) => letter.charCodeAt(0));

/** Until PostgreSQL is ready again. A statement that fails ends the measurement: it would have written nothing. */
function answered(stream: Socket, step: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    let rest: Buffer = Buffer.alloc(0);
    const read = (chunk: Buffer) => {
      rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      while (rest.length >= 5 && rest.length > rest.readInt32BE(1)) {
        const message = rest.subarray(0, 1 + rest.readInt32BE(1));
        rest = rest.subarray(message.length);
        if (message[0] === failed) reject(new Error(`PostgreSQL refused a statement: ${message.toString('utf8')}`));
        if (message[0] !== ready) continue;
        stream.off('data', read);
        return resolve();
      }
    };
    stream.on('data', read);
    stream.write(step);
  });
}

const open = (dataDir: string) => startEmbeddedPostgres({ dataDir, log: () => {} });

/** A gateway whose commits are recorded. */
async function recorded(dataDir: string, { connection }: EmbeddedPostgres) {
  const recorder = await Recorder.open(join(connection.host, `.s.PGSQL.${connection.port}`));
  const { user, password, database } = connection;
  const DATABASE_URL = `postgres://${user}:${encodeURIComponent(password)}@127.0.0.1:${recorder.port}/${database}`;
  const gateway = await startGateway(dataDir, { environment: { DATABASE_URL } });
  return { recorder, gateway };
}

async function countPayments(sql: Connection): Promise<number> {
  return (await sql.query('select count(*)::int as count from payments')).rows[0].count;
}

/** Loads a gateway with payments between two copies of the database; returns what it has sent to commit them. */
async function record(dataDir: string, copy: string): Promise<{ steps: Buffer[]; result: Result }> {
  let postgres = await open(dataDir);
  const sql = await connect(postgres.connection, 'bench');
  await runMigrations(sql, postgres.connection, () => {});
  await sql.end();
  const first = await recorded(dataDir, postgres);
  const { key } = await first.gateway.account();
  const ids = await createPaymentMethods(dataDir, first.gateway.port, key, methodCount);
  await first.gateway.stop();
  first.recorder.close();
  await postgres.stop();
  mkdirSync(copy);
  execFileSync('cp', ['-a', `${dataDir}/.`, copy]); // with owners, which PostgreSQL insists on

  postgres = await open(dataDir);
  const { recorder, gateway } = await recorded(dataDir, postgres);
  const payments: Workload = { kind: 'payments', port: gateway.port, key, ids };
  await warmUp(payments, 'floor-warm', connections, warmUpRequests);
  const result = await load(payments, 'floor', connections, seconds);
  await gateway.stop();
  const steps = recorder.steps();
  recorder.close();
  await postgres.stop();
  return { steps, result };
}

requireWrk();
const parent = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const [dataDir, copy] = [join(parent, 'data'), join(parent, 'copy')];
try {
  console.log(`${cpus().length} × ${cpus()[0]?.model.trim() || process.arch}, load ${loadavg()[0]!.toFixed(2)}`);
  const { steps, result } = await record(dataDir, copy);
  console.log(`recorded: ${rate(result).toFixed(0)} payments/s over HTTPS, ${steps.length} messages to commit them`);
  const postgres = await open(copy);
  const [watching, sending] = [
    await connect(postgres.connection, 'bench'),
    await connect(postgres.connection, 'commit'),
  ];
  const before = { count: await countPayments(watching), cpu: cpuSeconds(process.pid).postgres };
  const took = await replay(sending, steps);
  const count = (await countPayments(watching)) - before.count;
  const cpu = cpuSeconds(process.pid).postgres - before.cpu;
  console.log(`replayed: ${count} payments in ${took.toFixed(1)} s: ${(count / took).toFixed(0)} payments/s`);
  console.log(`PostgreSQL's processor time for the commit of one: ${((cpu / count) * 1e6).toFixed(0)} µs`);
  await watching.end();
  (sending as unknown as { connection: { stream: Socket } }).connection.stream.destroy();
  await postgres.stop();
} finally {
  rmSync(parent, { recursive: true, force: true });
}
