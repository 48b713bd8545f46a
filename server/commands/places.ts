import { createInterface } from 'node:readline/promises';
import { operatorPatience } from '../base/patient_client.ts';
import { shuttingOut } from '../base/schema_lock.ts';
import { type Connection, connect } from '../base/sql.ts';
import {
  compareRows,
  distribute as distributeTables,
  distributionState,
  finishDistribution,
  type RowCount,
} from '../citus/distribute.ts';
import { homesOf, isolateTenant, type TenantHome } from '../citus/isolate.ts';
import { lookAtOne, lookAtPlaces, type PlaceStatus } from '../citus/look.ts';
import { openSessions, prepareAll } from '../citus/migrate.ts';
import { nodeAddress, type UrlAddress } from '../citus/nodes.ts';
import { nameOf } from '../citus/places.ts';
import { databaseBytes, type Requirement, requirements } from '../citus/requirements.ts';
import { readNodes, workersOf } from '../citus/shards.ts';
import { readConfig } from '../config.ts';
import { databaseInWords, joinDatabase, pendingOf, prepareSchema, requireOwnSession, StartError } from '../database.ts';
import { everyTenant, findTenants } from '../operations/tenants.ts';
import { recordAudit } from '../resources/people/audit_log/audit.ts';
import { connectToDirectory, operatorName } from './context.ts';
import { databaseTrouble } from './database_trouble.ts';
import { print, sentenceCase, table } from './print.ts';
import { announce, Progress } from './progress.ts';
import { UsageError } from './usage.ts';

type Printing = { json?: boolean };

const onePlace = 'The database is on one PostgreSQL, which is one place. When that is not enough, read docs/scale.md.';
const shardsPerWorker = 4;
const mostPerWorker = 8;

/** Which places there are, and what each has and does. */
export async function list({ json }: Printing): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const { client, address, cluster, where } = await openReady(opened);
  const tenants = await everyTenant(client);
  if (!cluster) {
    if (!json) return console.log(onePlace);
    const main = { place: 'main', node: where, shards: 0, tenants: tenants.length };
    return console.log(JSON.stringify([shown({ ...main, ...(await lookAtOne(client)), state: 'serving' })]));
  }
  const places = await lookAtPlaces(client, address as UrlAddress, tenants);
  const head = ['place', 'server', 'shards', 'tenants', 'size', 'events/s', 'state'];
  print(json, places.map(shown), () =>
    table(
      head,
      places.map(({ place, node, shards, tenants: count, bytes, events_per_second, state }) => {
        const size = bytes === null ? '' : sizeInWords(bytes);
        return [place, node, String(shards ?? ''), String(count), size, String(events_per_second ?? ''), state];
      }),
    ),
  );
}

/** What is not known is left out. */
function shown({ place, node, shards, tenants, bytes, events_per_second, state }: PlaceStatus) {
  return {
    place,
    node,
    ...(shards !== null && { shards }),
    tenants,
    ...(bytes !== null && { bytes }),
    ...(events_per_second !== null && { events_per_second }),
    state,
  };
}

/** Makes what servers and places need: after a worker was added, or restored. */
export async function prepare({ json }: Printing): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const { client, address, cluster } = await openReady(opened);
  if (!cluster) return print(json, { ok: true, nodes: [], places: 0 }, () => onePlace);
  const sessions = await openSessions(client, address as UrlAddress);
  opened.defer(() => sessions.end());
  await prepareAll(client, sessions);
  const nodes = sessions.nodes.map(({ node }) => nameOf(node));
  const places = sessions.topology.ranges.length;
  print(json, { ok: true, nodes, places }, () => `Prepared: ${places} places, and the servers ${nodes.join(', ')}.`);
}

/** The one-off step from one PostgreSQL to a cluster. A run that was interrupted is finished by the next one. */
export async function distribute(options: Printing & { shards?: string; yes?: boolean }): Promise<void> {
  const { json } = options;
  await using opened = new AsyncDisposableStack();
  const { client, address, where } = await openDatabase(opened);
  if ((await distributionState(client)) === 'distributed')
    return print(
      json,
      { ok: true, checks: [], rows: [] },
      () => 'The tables are distributed already: "tollgate places".',
    );
  const checks = await checked(client, address as UrlAddress);
  if (checks.some(({ isMet }) => !isMet)) {
    process.exitCode = 1;
    return print(json, { ok: false, checks: checks.map(checkShown), rows: [] }, () => checksInWords(checks));
  }
  const shards = shardsFor(options.shards, workersOf(await readNodes(client)).length);
  if (!json) console.error(`${checksInWords(checks)}\n\n${await planInWords(client, where, shards)}`);
  if (!options.yes) await confirm();
  const rows = await shuttingOut(client, refuseServers, () => run(client, address as UrlAddress, shards));
  await audit(address as UrlAddress, 'places.distribute', null, { shards });
  print(json, { ok: true, checks: checks.map(checkShown), rows }, () => distributedInWords(rows));
}

async function checked(client: Connection, address: UrlAddress): Promise<Requirement[]> {
  const pending = await pendingOf(client);
  if (pending.length > 0)
    return [
      { name: 'schema', isMet: false, message: `migrations are missing: ${pending.join(', ')}. Run: tollgate migrate` },
    ];
  return requirements(client, (node) =>
    connect(nodeAddress(address, node), 'places', operatorPatience).catch((error) => {
      throw new Error(databaseTrouble(error).replace(/\.$/, ''));
    }),
  );
}

const checkShown = ({ name, isMet, message }: Requirement) => ({ name, state: isMet ? 'ok' : 'wrong', message });
const checksInWords = (checks: readonly Requirement[]) =>
  checks.map(({ name, isMet, message }) => `${isMet ? 'ok   ' : 'wrong'}  ${name}: ${message}`).join('\n');

function shardsFor(text: string | undefined, workers: number): number {
  const shards = text === undefined ? workers * shardsPerWorker : /^\d{1,3}$/.test(text) ? Number(text) : 0;
  const most = workers * mostPerWorker;
  if (shards < 1 || shards > most)
    throw new UsageError(
      `--shards takes a number of places from 1 to ${most}: each needs connections of every server, so that more than ${mostPerWorker} for a worker are too many`,
    );
  return shards;
}

async function planInWords(client: Connection, where: string, shards: number): Promise<string> {
  const size = sizeInWords(await databaseBytes(client));
  return [
    `${sentenceCase(where)} has ${size}. Its tables of tenants are copied to the workers, as ${shards} places; then they are emptied here.`,
    `Free disk that it takes, which cannot be seen from here: ${size} on the workers together, and ${size} here for the log.`,
    'No server can use the database meanwhile. A run that is interrupted is finished by running this again.',
    'There is no way back but a backup from before: make one now.',
  ].join('\n');
}

async function confirm(): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new UsageError('nothing was changed; to do what stands above, run it again with --yes');
  const questions = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await questions.question('\nType yes to go on: ');
  questions.close();
  if (answer.trim() !== 'yes') throw new UsageError('nothing was changed');
}

function refuseServers(servers: string): never {
  throw new StartError(`The tables cannot be distributed while servers are connected: ${servers}. Stop them first`);
}

async function run(client: Connection, address: UrlAddress, shards: number): Promise<RowCount[]> {
  using progress = new Progress('steps');
  await distributeTables(client, shards, (done, total, name) => {
    progress.set(done, total, name);
    if (!process.stderr.isTTY) console.error(`${done} of ${total}: ${name}`);
  });
  const rows = await compareRows(client);
  const wrong = rows.filter(({ before, after }) => before !== after);
  if (wrong.length > 0)
    throw new StartError(
      `Rows are missing, or there are too many: ${wrong.map(({ table: name, before, after }) => `${name} had ${before} and has ${after}`).join(', ')}. Restore the backup from before`,
    );
  const sessions = await openSessions(client, address);
  try {
    await prepareAll(client, sessions);
  } finally {
    await sessions.end();
  }
  await finishDistribution(client);
  return rows;
}

function distributedInWords(rows: readonly RowCount[]): string {
  const total = rows.reduce((sum, { after }) => sum + after, 0);
  const filled = rows
    .filter(({ after }) => after > 0)
    .map(({ table: name, before, after }) => [name, before, after].map(String));
  return [
    table(['table', 'rows before', 'rows now'], filled),
    '',
    `Distributed: ${total} rows in ${rows.length} tables, and none is missing. Now run: tollgate ledger verify. Then start the servers.`,
  ].join('\n');
}

/** Gives the tenants of an account places of their own, on another server where there is one. */
export async function isolate(account: string, { json }: Printing): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const { client, address, cluster } = await openReady(opened);
  const tenants = (await findTenants(client, account)).map(({ tenant }) => tenant);
  if (!cluster) {
    process.exitCode = 1;
    return print(json, { ok: false, account, before: [], after: [] }, () => onePlace);
  }
  const before = await homesOf(client, tenants);
  for (const { tenant, place } of before) {
    const [now] = await homesOf(client, [tenant]);
    if (now!.isAlone) continue;
    announce(`Splitting ${place}`);
    await isolateTenant(client, tenant);
  }
  const sessions = await openSessions(client, address as UrlAddress);
  opened.defer(() => sessions.end());
  await prepareAll(client, sessions);
  const after = await homesOf(client, tenants);
  const [was, is] = [before.map(homeShown), after.map(homeShown)];
  await audit(address as UrlAddress, 'places.isolate', account, { before: was, after: is });
  print(json, { ok: true, account, before: was, after: is }, () =>
    table(
      ['tenant', 'before', 'now', 'server'],
      is.map(({ tenant, place, node }, at) => [String(tenant), was[at]!.place, place, node]),
    ),
  );
}

const homeShown = ({ tenant, place, node }: TenantHome) => ({ tenant, place, node });

async function openDatabase(opened: AsyncDisposableStack) {
  const config = readConfig('command');
  const { address, stop } = await joinDatabase(config);
  opened.defer(stop);
  const client = await connect(address, 'places', operatorPatience);
  opened.defer(() => client.end());
  await requireOwnSession(client, address);
  return { config, address, client, where: databaseInWords(config) };
}

/** A database that servers can use. */
async function openReady(opened: AsyncDisposableStack) {
  const found = await openDatabase(opened);
  await prepareSchema(found.client, found);
  return { ...found, cluster: (await distributionState(found.client)) === 'distributed' };
}

async function audit(address: UrlAddress, action: string, account: string | null, details: object): Promise<void> {
  const { client } = await connectToDirectory(address, 'places', operatorPatience);
  try {
    await recordAudit(client, Date.now(), { actor: operatorName(), action, account, subject: null, details });
  } finally {
    await client.end();
  }
}

const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];

function sizeInWords(bytes: number): string {
  const step = Math.min(units.length - 1, Math.floor(Math.log(Math.max(1, bytes)) / Math.log(1_024)));
  const value = bytes / 1_024 ** step;
  return `${step > 0 && value < 10 ? value.toFixed(1) : Math.round(value)} ${units[step]}`;
}
