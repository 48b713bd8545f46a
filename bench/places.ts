import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '../server/base/sql.ts';
import { CitusCluster, needsCitus, withoutCitus } from '../server/citus/cluster.fixture.ts';
import { DistributedWorld } from '../server/citus/distributed.fixture.ts';
import { runMigrations } from '../server/database.ts';
import { Children, type NewAccount } from '../server/test/processes/children.ts';
import { createPaymentMethods } from './fill.ts';
import { load, median, requireWrk, type Workload, warmUp } from './load.ts';
import { type Bench, cpuSeconds, postgresSeconds, startGateway, vaultKey } from './processes.ts';

/**
 * Measures what a payment costs on a Citus cluster, against one plain PostgreSQL of the same programs, in turns: `CITUS_BIN=… node
 * bench/places.ts [turns] [seconds of a turn] [seconds for the coordinator] [requests to warm up]`. Traffic goes to loopback only.
 */
const turns = Number(process.argv[2] ?? 5);
const seconds = Number(process.argv[3] ?? 5);
const coordinatorSeconds = Number(process.argv[4] ?? 60);
const connections = 64;
const warmUpRequests = Number(process.argv[5] ?? 20_000);
const methodCount = 500;
const accountsCount = 4;
/** As in production, but the sizes are those of the fixture, the same at both sides. */
const durable = { fsync: 'on' };

type Side = {
  name: string;
  gateway: Bench;
  workloads: readonly Workload[];
  /** The process ids of the servers. */
  servers: Readonly<Record<string, number>>;
  stop(): Promise<void>;
};

type Cost = { perSecond: number; node: number; servers: Readonly<Record<string, number>> };

if (withoutCitus) {
  console.error(`This benchmark ${needsCitus}.`);
  process.exit(2);
}
requireWrk();
const root = mkdtempSync(join(tmpdir(), 'tollgate-bench-'));
const children = new Children();

const pidsOf = ({ nodes }: CitusCluster) =>
  Object.fromEntries(nodes.map(({ name, process: { pid } = {} }) => [name, pid!]));

async function accountsIn(url: string): Promise<NewAccount[]> {
  const made: NewAccount[] = [];
  const environment = { DATABASE_URL: url, TOLLGATE_VAULT_KEY: vaultKey };
  while (made.length < accountsCount) made.push(await children.account(environment));
  return made;
}

/** A gateway, and payments by the accounts that its database has. */
async function openSide(
  name: string,
  url: string,
  accounts: readonly NewAccount[],
  rest: Pick<Side, 'servers' | 'stop'>,
): Promise<Side> {
  const dataDir = join(root, name);
  mkdirSync(dataDir);
  const gateway = await startGateway(dataDir, { environment: { DATABASE_URL: url, SIMULATOR: 'local' } });
  const workloads: Workload[] = [];
  for (const { test_secret_key: key } of accounts) {
    const ids = await createPaymentMethods(dataDir, gateway.port, key, methodCount);
    workloads.push({ kind: 'payments', port: gateway.port, key, ids });
  }
  return { name, gateway, workloads, ...rest };
}

async function openPlain(): Promise<Side> {
  const server = await CitusCluster.start(0, { ...durable, shared_preload_libraries: '' });
  const admin = await server.connect(0, 'postgres');
  await admin.query('create database tollgate');
  await admin.end();
  const address = server.address(0, 'tollgate');
  const sql = await connect(address, 'bench');
  await runMigrations(sql, address, () => {});
  await sql.end();
  const url = server.url(0, 'tollgate');
  const stop = () => server.stop();
  return openSide('plain', url, await accountsIn(url), { servers: { server: pidsOf(server).coordinator! }, stop });
}

async function openCluster(): Promise<Side> {
  let accounts: NewAccount[] = [];
  const fill = async (_: unknown, url: string) => {
    accounts = await accountsIn(url);
  };
  const world = await DistributedWorld.start({ settings: durable, fill });
  const { connectionString } = world.address;
  const stop = () => world.stop();
  return openSide('cluster', connectionString, accounts, { servers: pidsOf(world.cluster), stop });
}

let turnsDone = 0;

/** Processor time in microseconds a payment. */
async function measure({ gateway, workloads, servers }: Side, at: number, during: number): Promise<Cost> {
  const look = () => ({
    node: cpuSeconds(gateway.pid).node,
    servers: Object.entries(servers).map(([name, pid]) => [name, postgresSeconds(pid)] as const),
  });
  const before = look();
  const {
    requests,
    seconds: took,
    failed,
  } = await load(workloads[at % workloads.length]!, `places-${++turnsDone}`, connections, during);
  const after = look();
  if (failed > 0) throw new Error(`${failed} payments failed`);
  const each = (from: number, to: number) => ((to - from) / requests) * 1e6;
  const costs = after.servers.map(([name, to], index) => [name, each(before.servers[index]![1], to)] as const);
  return { perSecond: requests / took, node: each(before.node, after.node), servers: Object.fromEntries(costs) };
}

const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
const serversOf = ({ servers }: Cost) =>
  Object.entries(servers).flatMap(([name, us]) => (name === 'coordinator' ? [] : us));
const allOf = (cost: Cost) => sum(serversOf(cost));
/** The server that has the tenant. The other worker has what is done without payments, and what is left of an earlier turn. */
const ownOf = (cost: Cost) => Math.max(...serversOf(cost));
const line = (name: string, { perSecond, node, servers }: Cost) =>
  `${name.padEnd(8)} ${perSecond.toFixed(0).padStart(6)}/s  Node ${node.toFixed(0)} µs  ${Object.entries(servers)
    .map(([server, us]) => `${server} ${us.toFixed(0)} µs`)
    .join('  ')}`;

console.log(`${cpus().length} × ${cpus()[0]?.model.trim()}, load ${loadavg()[0]!.toFixed(2)}`);
const sides = [await openPlain(), await openCluster()];
const costs = new Map(sides.map(({ name }) => [name, [] as Cost[]]));
for (const { name, workloads } of sides)
  for (const [at, workload] of workloads.entries())
    await warmUp(workload, `warm-${name}-${at}`, connections, warmUpRequests / workloads.length);
for (let turn = 0; turn < turns; turn++)
  for (const side of turn % 2 === 0 ? sides : sides.toReversed()) {
    const cost = await measure(side, turn, seconds);
    costs.get(side.name)!.push(cost);
    console.log(line(side.name, cost));
  }
const parts = {
  Node: ({ node }: Cost) => node,
  'PostgreSQL of the tenant': ownOf,
  'PostgreSQL, all workers': allOf,
  'Node and PostgreSQL of the tenant': (cost: Cost) => cost.node + ownOf(cost),
};
const [plains, clusters] = sides.map(({ name }) => costs.get(name)!) as [Cost[], Cost[]];
for (const [what, value] of Object.entries(parts)) {
  // Of the two sides of a turn, which ran one after the other: the machine is another one a minute later.
  const ratios = plains.map((plain, turn) => value(clusters[turn]!) / value(plain));
  const [plain, cluster] = [plains, clusters].map((side) => median(side.map(value)).toFixed(0));
  console.log(`${what}: plain ${plain} µs, cluster ${cluster} µs a payment: ${median(ratios).toFixed(3)}`);
}
const [, cluster] = sides;
const share = await measure(cluster!, 0, coordinatorSeconds);
console.log(`${coordinatorSeconds} s: ${line('cluster', share)}`);
console.log(`coordinator ÷ workers: ${((share.servers.coordinator! / allOf(share)) * 100).toFixed(2)}%`);
for (const { gateway, stop } of sides) {
  await gateway.stop();
  await stop();
}
await children.cleanUp();
rmSync(root, { recursive: true, force: true });
