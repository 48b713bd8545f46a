import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent } from 'node:https';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Connection } from '../server/base/sql.ts';
import { type CitusCluster, needsCitus, withoutCitus } from '../server/citus/cluster.fixture.ts';
import { DistributedWorld } from '../server/citus/distributed.fixture.ts';
import { Children, type NewAccount } from '../server/test/processes/children.ts';
import { create } from './fill.ts';
import { type Bench, cpuSeconds, peakMegabytes, residentMegabytes, startGateway, vaultKey } from './processes.ts';

/**
 * Measures what an instance costs when many tenants are spread over the workers of a Citus cluster, beside one with few: how long it takes to
 * start, its connections to each server, its memory, and its processor time while nobody asks for anything. `CITUS_BIN=… node
 * bench/tenants.ts [tenants] [starts]`. Traffic goes to loopback only: each tenant creates three customers.
 */
const many = Number(process.argv[2] ?? 2_000);
const starts = Number(process.argv[3] ?? 5);
const few = 8;
const modes = 2;
const customersEach = 3;
const clients = 64;
const idleSeconds = 20;
const idleLooks = 2;

if (withoutCitus) {
  console.error(`This benchmark ${needsCitus}.`);
  process.exit(2);
}
const root = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const children = new Children();

/** A distributed database with so many tenants. */
async function openWorld(tenants: number): Promise<{ world: DistributedWorld; accounts: NewAccount[] }> {
  const accounts: NewAccount[] = [];
  const fill = async (_: unknown, DATABASE_URL: string) => {
    const environment = { DATABASE_URL, TOLLGATE_VAULT_KEY: vaultKey };
    while (accounts.length < tenants / modes) accounts.push(await children.account(environment));
  };
  return { world: await DistributedWorld.start({ fill }), accounts };
}

async function startOn(name: string, DATABASE_URL: string): Promise<{ gateway: Bench; dataDir: string; ms: number }> {
  const dataDir = join(root, name);
  mkdirSync(dataDir, { recursive: true });
  const began = performance.now();
  const gateway = await startGateway(dataDir, { environment: { DATABASE_URL, SIMULATOR: 'local' } });
  return { gateway, dataDir, ms: performance.now() - began };
}

/** Each tenant creates customers, in an order in which they take turns. */
async function useAll({ port }: Bench, dataDir: string, accounts: readonly NewAccount[]): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: clients, ca: readFileSync(join(dataDir, 'tls', 'ca.pem')) });
  const keys = accounts.flatMap((account) => [account.test_secret_key, account.live_secret_key]);
  const waiting = Array.from({ length: customersEach }, () => keys).flat();
  const began = performance.now();
  const client = async () => {
    for (let key = waiting.pop(); key !== undefined; key = waiting.pop())
      await create(agent, port, key, '/v1/customers', { name: 'Ada Lovelace' });
  };
  await Promise.all(Array.from({ length: clients }, client));
  agent.destroy();
  return (keys.length * customersEach) / ((performance.now() - began) / 1_000);
}

/** The connections of the instance to each server. */
async function connectionsTo(cluster: CitusCluster): Promise<string> {
  const counts = cluster.nodes.map(async ({ name }, at) => {
    const sql = await cluster.connect(at, 'postgres');
    const { rows } = await sql.query(
      `select count(*)::int4 as count from pg_stat_activity where application_name like 'tollgate %' and application_name <> 'tollgate test'`,
    );
    await sql.end();
    return `${name} ${rows[0].count}`;
  });
  return (await Promise.all(counts)).join(', ');
}

/** The index begins with all tenants that the database has, and takes a share of the time for them. */
async function untilFilled(world: DistributedWorld): Promise<number> {
  const began = performance.now();
  const places: Connection[] = [];
  for (const range of (await world.topology()).ranges) places.push(await world.place(range));
  const left = async () => {
    const counts = places.map(async (sql) => (await sql.query('select from search_walks')).rowCount!);
    return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
  };
  while ((await left()) > 0) await sleep(500);
  return (performance.now() - began) / 1_000;
}

async function measure(tenants: number): Promise<void> {
  const { world, accounts } = await openWorld(tenants);
  const { connectionString } = world.address;
  const name = `tenants-${tenants}`;
  const took: number[] = [];
  for (let start = 1; start < starts; start++) {
    const { gateway, ms } = await startOn(name, connectionString);
    took.push(ms);
    await gateway.stop();
  }
  const { gateway, dataDir, ms } = await startOn(name, connectionString);
  took.push(ms);
  console.log(`${tenants} tenants: serves after ${took.map((one) => one.toFixed(0)).join(', ')} ms`);
  const say = async (when: string) =>
    console.log(`  ${when}: ${residentMegabytes(gateway.pid)} MB; connections: ${await connectionsTo(world.cluster)}`);
  await say('started');
  const perSecond = await useAll(gateway, dataDir, accounts);
  await say(`after ${tenants * customersEach} requests, ${perSecond.toFixed(0)} a second`);
  const walks = await untilFilled(world);
  console.log(`  the search index is filled ${walks.toFixed(0)} s later`);
  for (let look = 1; look <= idleLooks; look++) {
    const before = cpuSeconds(gateway.pid).node;
    await sleep(idleSeconds * 1_000);
    const share = (cpuSeconds(gateway.pid).node - before) / idleSeconds;
    await say(`idle for ${look * idleSeconds} s, lately ${(share * 100).toFixed(1)}% of a core`);
  }
  console.log(`  at most ${peakMegabytes(gateway.pid)} MB`);
  await gateway.stop();
  await world.stop();
}

console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]!.toFixed(2)}`);
await measure(few);
await measure(many);
await children.cleanUp();
rmSync(root, { recursive: true, force: true });
