import { appliedMigrations } from '../../base/schema_lock.ts';
import type { Connection, DatabaseAddress } from '../../base/sql.ts';
import { connect, query } from '../../base/sql.ts';
import { nodeSchema } from '../../citus/homes.ts';
import { nodeAddress } from '../../citus/nodes.ts';
import { nameOf } from '../../citus/places.ts';
import { type CitusNode, readTopology } from '../../citus/shards.ts';
import { admittedConnections, neededAtNode } from '../../cluster/needed_connections.ts';
import type { Config } from '../../config.ts';
import type { ClusterAddress } from '../../places/cluster.ts';
import { databaseTrouble } from '../database_trouble.ts';
import { type Finding, fine, wrong } from './finding.ts';

/** Each process has connections for each place: with more of them, servers keep connections rather than work. */
const placesMax = 8;

/** A server of the cluster, with what it has and what it says of itself. */
export type CheckedNode = { node: CitusNode; name: string; places: number; facts?: NodeAnswer; reason?: string };

type NodeAnswer = {
  wal_level: string;
  prepared: number;
  /** Null where the release of PostgreSQL does not know the setting. */
  plugins: string | null;
  admitted: number;
  /** Null where a node was not prepared. */
  migrations: string[] | null;
};

/** Checks every server of a cluster: whether it answers, and has what places, moves and splits need. */
export async function checkNodes(client: Connection, address: DatabaseAddress, config: Config): Promise<Finding[]> {
  const { nodes, ranges } = (await readTopology(client))!;
  const checked = await Promise.all(
    [...nodes.values()].map(async (node): Promise<CheckedNode> => {
      const places = ranges.filter(({ group }) => group === node.group).length;
      return { node, name: nameOf(node), places, ...(await ask(address as ClusterAddress, node)) };
    }),
  );
  return findingsAbout(checked, await migrationsOf(client), config);
}

export function findingsAbout(
  checked: readonly CheckedNode[],
  migrations: readonly string[],
  config: Pick<Config, 'processes'>,
): Finding[] {
  return [
    ...checkAnswers(checked),
    ...checkSchemas(checked, migrations),
    ...checkMoves(checked),
    ...checkPlaces(checked),
    ...checkConnections(checked, config),
  ];
}

async function ask(address: ClusterAddress, node: CitusNode): Promise<Pick<CheckedNode, 'facts' | 'reason'>> {
  let sql: Connection | undefined;
  try {
    sql = await connect({ ...nodeAddress(address, node), session: { search_path: nodeSchema } }, 'doctor');
    return { facts: await readFacts(sql) };
  } catch (error) {
    return { reason: databaseTrouble(error) };
  } finally {
    await sql?.end().catch(() => {});
  }
}

async function readFacts(sql: Connection): Promise<NodeAnswer> {
  const [row] = await query<Omit<NodeAnswer, 'migrations' | 'admitted'> & { isPrepared: boolean }>(
    sql,
    `select current_setting('wal_level') as wal_level, current_setting('max_prepared_transactions')::int as prepared,
            current_setting('output_plugin_libraries', true) as plugins, to_regclass($1) is not null as "isPrepared"`,
    [`${nodeSchema}.migrations`],
  );
  const { isPrepared, ...facts } = row!;
  const admitted = await admittedConnections(sql);
  return { ...facts, admitted, migrations: isPrepared ? await migrationsOf(sql) : null };
}

async function migrationsOf(sql: Connection): Promise<string[]> {
  return (await appliedMigrations(sql)).map(({ name }) => name);
}

function checkAnswers(checked: readonly CheckedNode[]): Finding[] {
  const silent = checked.filter(({ facts }) => facts === undefined);
  const inactive = checked.filter(({ node, facts }) => !node.isActive && facts !== undefined);
  const findings = [
    ...silent.map(({ name, places, reason }) =>
      wrong('nodes', `the server ${name} does not answer: ${reason} It has ${placesInWords(places)}.`),
    ),
    ...inactive.map(({ name }) =>
      wrong('nodes', `the server ${name} is not active in the cluster: select citus_activate_node(…), or remove it.`),
    ),
  ];
  return findings.length > 0 ? findings : [fine('nodes', `all ${checked.length} servers of the cluster answer`)];
}

function checkSchemas(checked: readonly CheckedNode[], migrations: readonly string[]): Finding[] {
  return checked.flatMap(({ name, facts }) => {
    if (facts === undefined) return [];
    const remedy = 'Run: tollgate places prepare';
    if (facts.migrations === null) return [wrong('schema', `the server ${name} is not prepared for places. ${remedy}`)];
    const lacking = migrations.filter((one) => !facts.migrations!.includes(one));
    const surplus = facts.migrations.filter((one) => !migrations.includes(one));
    if (lacking.length + surplus.length === 0) return [];
    const difference = lacking.length > 0 ? `lacks ${lacking.join(', ')}` : `has ${surplus.join(', ')} as well`;
    return [wrong('schema', `the server ${name} has another schema than the coordinator: it ${difference}. ${remedy}`)];
  });
}

function checkMoves(checked: readonly CheckedNode[]): Finding[] {
  const findings = checked.flatMap(({ name, facts }) => (facts === undefined ? [] : obstaclesToMoves(name, facts)));
  return findings.length > 0 ? findings : [fine('moves', 'places can be moved and split while they are used')];
}

function obstaclesToMoves(name: string, { wal_level, prepared, plugins }: NodeAnswer): Finding[] {
  const libraries = plugins?.split(',').map((one) => one.trim().replaceAll('"', ''));
  return [
    ...(wal_level === 'logical'
      ? []
      : [
          wrong(
            'moves',
            `the server ${name} has wal_level = ${wal_level}, so places cannot be moved while they are used: set wal_level = logical, and restart it.`,
          ),
        ]),
    ...(prepared > 0
      ? []
      : [
          wrong(
            'moves',
            `the server ${name} has max_prepared_transactions = 0, so Citus cannot change tables on several servers: set it to max_connections, and restart it.`,
          ),
        ]),
    ...(libraries === undefined || libraries.includes('citus')
      ? []
      : [
          wrong(
            'moves',
            `the server ${name} has output_plugin_libraries = '${plugins}', so places cannot be split: add citus to it, and reload.`,
          ),
        ]),
  ];
}

function checkPlaces(checked: readonly CheckedNode[]): Finding[] {
  const crowded = checked.filter(({ places }) => places > placesMax);
  const all = checked.reduce((sum, { places }) => sum + places, 0);
  const servers = checked.filter(({ places }) => places > 0).length;
  if (crowded.length === 0) return [fine('places', `accounts are in ${placesInWords(all)} on ${servers} servers`)];
  return crowded.map(({ name, places }) =>
    wrong(
      'places',
      `the server ${name} has ${places} places, for each of which every process keeps connections: add a server, then select citus_rebalance_start(). ${placesMax} are enough for any server.`,
    ),
  );
}

function checkConnections(checked: readonly CheckedNode[], { processes }: Pick<Config, 'processes'>): Finding[] {
  const findings = checked.flatMap(({ node, name, places, facts }) => {
    if (facts === undefined) return [];
    const needed = neededAtNode(node, places, processes);
    if (needed <= facts.admitted) return [];
    return [
      wrong(
        'connections',
        `the server ${name} admits ${facts.admitted} connections, and this gateway needs ${needed} there with WEB_CONCURRENCY=${processes}: raise max_connections, or lower WEB_CONCURRENCY.`,
      ),
    ];
  });
  const words = processes === 1 ? 'a process' : `${processes} processes`;
  return findings.length > 0 ? findings : [fine('connections', `every server has enough connections for ${words}`)];
}

const placesInWords = (places: number) => (places === 1 ? 'one place' : `${places} places`);
