import { type Connection, connect, type DatabaseAddress, isUnavailable, type Sql } from '../base/sql.ts';
import { nodeAddress } from '../citus/nodes.ts';
import { nameOf } from '../citus/places.ts';
import { type CitusNode, readTopology, type Topology } from '../citus/shards.ts';
import type { Config } from '../config.ts';
import { StartError } from '../database.ts';
import { type ClusterAddress, directorySizes, metadataConnections, placeSizes } from '../places/cluster.ts';
import { connectionsOf, wholeSizes } from '../places/pools.ts';

type Processes = Pick<Config, 'processes'>;

/** Of a server. While processes are restarted there is one more; a command may run beside them. */
export function neededConnections(processes: number, each = connectionsOf(wholeSizes)): number {
  return (processes + 1) * each + 10;
}

/** Of a server of a cluster, with so many places. */
export function neededAtNode({ isCoordinator }: Pick<CitusNode, 'isCoordinator'>, places: number, processes: number) {
  const own = isCoordinator ? connectionsOf(directorySizes) + metadataConnections : 0;
  return neededConnections(processes, own + places * connectionsOf(placeSizes));
}

/** How many connections a server has for others than its superusers. */
export async function admittedConnections(client: Sql): Promise<number> {
  const { rows } = await client.query<{ most: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  );
  return rows[0]!.most;
}

/** Rejects when PostgreSQL has not enough connections for all processes: they would fail at their busiest moment. */
export async function requireConnections(
  client: Connection,
  address: DatabaseAddress,
  { processes }: Processes,
): Promise<void> {
  const topology = await readTopology(client);
  if (topology !== undefined) return requireAtNodes(topology, address as ClusterAddress, processes);
  await requireAt(client, 'PostgreSQL', neededConnections(processes), processes);
}

async function requireAtNodes({ nodes, ranges }: Topology, address: ClusterAddress, processes: number): Promise<void> {
  await Promise.all(
    [...nodes.values()].map(async (node) => {
      const places = ranges.filter(({ group }) => group === node.group).length;
      const client = await connect(nodeAddress(address, node), 'start').catch((error) => {
        if (!isUnavailable(error)) throw error;
        return undefined; // a server that is down keeps nobody from the others
      });
      const needed = neededAtNode(node, places, processes);
      await (client && requireAt(client, nameOf(node), needed, processes).finally(() => client.end()));
    }),
  );
}

async function requireAt(client: Sql, server: string, needed: number, processes: number): Promise<void> {
  const most = await admittedConnections(client);
  if (needed > most)
    throw new StartError(
      `WEB_CONCURRENCY=${processes} needs ${needed} connections to ${server}, which admits ${most}. Raise max_connections, or lower WEB_CONCURRENCY`,
    );
}
