import type { QueryResult } from 'pg';
import { type Connection, connect, sqlState } from '../base/sql.ts';
import { CitusCluster } from '../citus/cluster.fixture.ts';
import { distribute, finishDistribution } from '../citus/distribute.ts';
import { nodeTables, placeTables, sharedTables } from '../citus/homes.ts';
import { openSessions, prepareAll } from '../citus/migrate.ts';
import { directorySession, nodeAddress, placeSession } from '../citus/nodes.ts';
import { readTopology, type Topology } from '../citus/shards.ts';

/**
 * `TEST_DATABASES=citus` gives every test that starts a gateway a database whose tenants are distributed over the workers of a cluster, in
 * place of a plain one: what callers see is the same.
 */
export const isDistributedRun = process.env.TEST_DATABASES === 'citus';

/** What test processes need to copy the distributed database. */
export type DistributedTemplate = { ports: readonly number[]; user: string; name: string };

const shards = 4;
const patience = { connectMs: 60_000, statementMs: 300_000 };

/** A cluster with one distributed database that nobody is connected to, so that it can be copied on every node. */
export async function startTemplateCluster(): Promise<{ template: DistributedTemplate; stop: () => Promise<void> }> {
  const cluster = await CitusCluster.start(2, { max_worker_processes: '300', max_connections: '1000' });
  const { name } = await cluster.createDatabase();
  const address = { connectionString: cluster.url(0, name) };
  const sql = await connect(address, 'test', patience);
  await distribute(sql, shards);
  const sessions = await openSessions(sql, address);
  await prepareAll(sql, sessions);
  await sessions.end();
  await finishDistribution(sql);
  await sql.end();
  await cluster.restart(); // Citus' own processes are connected to each database that was used
  const ports = cluster.nodes.map(({ port }) => port);
  return { template: { ports, user: cluster.user, name }, stop: () => cluster.stop() };
}

let administrators: Promise<Connection[]> | undefined;

/** One connection to each node, which the test files of a process share. */
function connectAll({ ports, user }: DistributedTemplate): Promise<Connection[]> {
  const addressOf = (port: number) => ({ host: '127.0.0.1', port, user, password: '', database: 'postgres' });
  administrators ??= Promise.all(ports.map((port) => connect(addressOf(port), 'test', patience)));
  return administrators;
}

/** The nodes know each other by the address and the name of the database, so that a copy on each of them is a cluster again. */
export async function copyDistributed(template: DistributedTemplate, name: string) {
  const nodes = await connectAll(template);
  await Promise.all(
    nodes.map(async (node) => {
      await node.query('set citus.enable_create_database_propagation = off');
      await node.query(`create database ${name} template ${template.name} strategy file_copy`);
    }),
  );
  return {
    url: `postgres://${template.user}@127.0.0.1:${template.ports[0]}/${name}`,
    drop: async () => void (await Promise.all(nodes.map((node) => node.query(`drop database ${name} with (force)`)))),
  };
}

/** Whether a database is one of these copies, and not a plain one. */
export function isCopy(template: DistributedTemplate | null, url: string): boolean {
  return template !== null && url.includes(`@127.0.0.1:${template.ports[0]}/`);
}

const naming = (tables: readonly string[], words: string) => new RegExp(`\\b(${words}) (${tables.join('|')})\\b`);
/** Tables of which each place has one: the coordinator's are empty. */
const ofPlaces = naming([...placeTables, ...nodeTables.map(({ name }) => name)], 'from|into|update|join');
const ofBoth = naming(Object.keys(sharedTables), 'from|update');
const isSimple = (text: string) => (text.match(/\b(from|join)\b/g)?.length ?? 0) <= 1;
/** How Citus refuses what it cannot plan. */
const unplannable = new Set(['0A000', 'XX000']);

/**
 * The connection of a test, which asks about all tenants by plain statements. It is the directory's, where Citus plans what it can; anything
 * else is asked at every place, and what they answer is put together.
 */
export async function connectToAll(url: string): Promise<Connection> {
  const sql = await connect({ connectionString: url, session: directorySession }, 'test', patience);
  const topology = (await readTopology(sql))!;
  const askDirectory = sql.query.bind(sql) as (...given: unknown[]) => Promise<QueryResult>;
  const opened: Promise<Connection>[] = [];
  const places = async () => {
    if (opened.length === 0) opened.push(...placesOf(topology, url));
    return Promise.all(opened);
  };
  const askPlaces = async (...given: unknown[]) => {
    const ask = (place: Connection) => (place.query as typeof askDirectory)(...given);
    return together(await Promise.all((await places()).map(ask)));
  };
  const query = async (...given: unknown[]) => {
    const text = typeof given[0] === 'string' ? given[0] : (given[0] as { text: string }).text;
    if (ofPlaces.test(text) || /^select from/.test(text)) return askPlaces(...given);
    if (/^\s*(re)?set\b/i.test(text)) await askPlaces(...given);
    if (isSimple(text) && ofBoth.test(text)) return together([await askDirectory(...given), await askPlaces(...given)]);
    try {
      return await askDirectory(...given);
    } catch (error) {
      if (!unplannable.has(sqlState(error) ?? '')) throw error;
      return askPlaces(...given);
    }
  };
  const end = sql.end.bind(sql);
  return Object.assign(sql, {
    query,
    end: async () => {
      for (const place of opened) await (await place).end();
      await end();
    },
  });
}

function together(answers: readonly QueryResult[]): QueryResult {
  const rowCount = answers.reduce((sum, answer) => sum + (answer.rowCount ?? 0), 0);
  return { ...answers[0]!, rows: answers.flatMap(({ rows }) => rows), rowCount };
}

function placesOf({ ranges, nodes }: Topology, url: string): Promise<Connection>[] {
  return ranges.map((range) => {
    const address = nodeAddress({ connectionString: url }, nodes.get(range.group)!);
    return connect({ ...address, session: placeSession(range) }, 'test', patience);
  });
}
