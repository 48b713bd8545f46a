import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureLocalCertificate } from '../../base/certificates/index.ts';
import { startEmbeddedPostgres } from '../../base/embedded_postgres/index.ts';
import { connect } from '../../base/sql.ts';
import { runMigrations } from '../../database.ts';
import { Client } from '../client.ts';
import { numbers } from '../numbers.ts';
import { type Child, patienceMs, until } from './child.ts';
import { Children, entry } from './children.ts';
import { WebhookReceiver } from './webhook_receiver.ts';

/**
 * A part of `npm run torture`, or by hand: `node server/test/processes/deliver_many.ts [events] [kills] [seed]`. Two servers on one
 * database deliver events to three receivers, one of which refuses one event in ten at first, while clients make more events and one
 * server after the other is killed and restarted. At the end every receiver has every event, under one id and with the same bytes, and
 * nothing is pending.
 */
const events = Number(process.argv[2] ?? 10_000);
const kills = Number(process.argv[3] ?? 8);
const seed = Number(process.argv[4] ?? Math.floor(Math.random() * 2 ** 32));
const clients = 16;

type Instance = { child: Child; client: Client };

const random = numbers(seed);
const dir = mkdtempSync(join(tmpdir(), 'tollgate-deliver-'));
const home = join(dir, 'home');
mkdirSync(home);
const postgres = await startEmbeddedPostgres({ dataDir: dir, log: () => {} });
const sql = await connect(postgres.connection, 'test');
await runMigrations(sql, postgres.connection, () => {});
await ensureLocalCertificate(join(dir, 'tls'), new Date());
const ca = readFileSync(join(dir, 'tls', 'ca.pem'), 'utf8');
const { host, port, user, password, database } = postgres.connection;
const environment = {
  DATABASE_URL: `postgres://${user}:${password}@localhost/${database}?host=${encodeURIComponent(host)}&port=${port}`,
  TLS_CERT_FILE: join(dir, 'tls', 'server.pem'),
  TLS_KEY_FILE: join(dir, 'tls', 'server-key.pem'),
  TOLLGATE_VAULT_KEY: 'ab'.repeat(32),
  WEBHOOK_ALLOWED_RANGES: '127.0.0.0/8',
  ...{ PORT: '0', HOST: '127.0.0.1', DRAIN_SECONDS: '0' },
};
const children = new Children();
const violations: string[] = [];
const counts: Record<string, number> = { 'cut off': 0, unavailable: 0 };

async function start(key: string): Promise<Instance> {
  const options = { cwd: home, environment: children.environment(environment) };
  const child = children.spawn(process.execPath, [entry, 'serve'], options);
  const [, at] = await child.prints(/"port":(\d+),"msg":"serving"/);
  return { child, client: new Client(`https://localhost:${at}`, ca, key) };
}

async function pending(): Promise<number> {
  const { rows } = await sql.query(`select count(*)::int as count from deliveries where state = 'pending'`);
  return rows[0].count;
}

async function run(): Promise<void> {
  const args = ['accounts', 'create', '--name', 'Many', '--tier', 'enterprise', '--rate-limit', '999999999'];
  const key = (await children.json(args, { cwd: home, environment })).test_secret_key;
  const instances = [await start(key), await start(key)];
  const receivers = await Promise.all([0, 3, 10].map((delayMs) => openReceiver(instances[0]!.client, delayMs)));
  // It is retried after five seconds; a second refusal would cost five minutes.
  receivers[2]!.refuses = () => random(10) === 0;

  const began = performance.now();
  const acknowledged = new Map<string, string>();
  let next = 0;
  const work = async () => {
    for (let mine = next++; mine < events; mine = next++)
      await makeOne(`many-${seed}-${mine}`, mine, instances, acknowledged);
  };
  const making = Promise.all(Array.from({ length: clients }, work));
  for (let kill = 0; kill < kills; kill++) {
    const target = Math.floor(((kill + 1) * events * receivers.length) / (kills + 1));
    const sum = () => receivers.reduce((all, one) => all + one.arrived.size, 0);
    await until('some came', patienceMs, () => sum() >= target);
    await sleep(random(50));
    const which = kill % 2;
    const victim = instances[which]!;
    await victim.child.stop('SIGKILL');
    victim.client.close();
    instances[which] = await start(key);
  }
  await making;
  const made = performance.now();
  await until('nothing is pending', patienceMs, async () => {
    await sleep(100);
    return (await pending()) === 0;
  }).catch(async () => violations.push(`${await pending()} deliveries are still pending`));
  counts['seconds until all were made'] = Math.round((made - began) / 1_000);
  counts['seconds until all had come'] = Math.round((performance.now() - began) / 1_000);

  await verify(receivers, acknowledged);
  for (const { child, client } of instances) {
    const ending = await child.stop('SIGTERM');
    if (ending.code !== 0) violations.push(`SIGTERM ended a server with ${JSON.stringify(ending)}`);
    client.close();
  }
  for (const receiver of receivers) await receiver.close();
}

async function openReceiver(client: Client, delayMs: number): Promise<WebhookReceiver> {
  const receiver = new WebhookReceiver();
  await receiver.listen();
  receiver.delayMs = delayMs;
  const body = { url: receiver.url, enabled_events: ['customer.created'] };
  receiver.secret = (await client.post('/v1/webhook_endpoints', body)).json.secret;
  return receiver;
}

/** Repeats a request under its idempotency key until one of the servers answers. */
async function makeOne(
  name: string,
  at: number,
  instances: Instance[],
  acknowledged: Map<string, string>,
): Promise<void> {
  for (let attempt = at; ; attempt++) {
    const { client } = instances[attempt % instances.length]!;
    const answer = await client.post('/v1/customers', { name }, { 'Idempotency-Key': name }).catch(() => undefined);
    if (answer?.status === 200) return void acknowledged.set(answer.json.id, name);
    if (answer === undefined) counts['cut off']! += 1;
    else if (answer.status === 500 || answer.status === 429) counts.unavailable! += 1;
    else return void violations.push(`${name}: ${answer.status} ${answer.text}`);
    await sleep(20);
  }
}

async function verify(receivers: WebhookReceiver[], acknowledged: Map<string, string>): Promise<void> {
  const { rows } = await sql.query(
    `select id, object_id, encode(sha256(payload), 'hex') as digest from events where type = 'customer.created'`,
  );
  const stored = new Set(rows.map((row) => row.object_id));
  for (const [id, name] of acknowledged) if (!stored.has(id)) violations.push(`${name} was acknowledged and is lost`);
  if (rows.length !== events) violations.push(`${rows.length} events instead of ${events}`);
  for (const [at, receiver] of receivers.entries()) {
    violations.push(...receiver.violations.map((one) => `receiver ${at}: ${one}`));
    for (const { id, digest } of rows) {
      const came = receiver.arrived.get(id);
      if (came === undefined) violations.push(`receiver ${at}: ${id} never came`);
      else if (came.digest !== digest) violations.push(`receiver ${at}: ${id} came with other bytes`);
    }
    if (receiver.arrived.size > rows.length) violations.push(`receiver ${at}: more came than there is`);
    counts[`receiver ${at}: events`] = receiver.arrived.size;
    counts[`receiver ${at}: requests`] = receiver.requests;
    counts[`receiver ${at}: came more than once`] = receiver.repeated;
  }
  const states = await sql.query('select state, count(*)::int as count from deliveries group by state');
  for (const { state, count } of states.rows) counts[`deliveries ${state}`] = count;
  const tries = await sql.query('select count(*)::int as count from delivery_attempts');
  counts['attempts recorded'] = tries.rows[0].count;
}

console.log(`${events} events, ${kills} kills, seed ${seed}, load ${loadavg()[0]!.toFixed(2)}`);
try {
  await run();
} catch (error) {
  violations.push(`the run itself: ${(error as Error).message}`);
}
console.log(JSON.stringify(counts, null, 2));
for (const violation of violations.slice(0, 20)) console.log(`VIOLATION: ${violation}`);
console.log(`${violations.length} violations`);
await sql.end();
await children.cleanUp();
await postgres.stop();
rmSync(dir, { recursive: true, force: true });
process.exit(violations.length === 0 ? 0 : 1);
