import type { Sql } from '../base/sql.ts';
import { isDistributed } from '../citus/shards.ts';
import type { Config } from '../config.ts';
import { StartError } from '../database.ts';
import { directorySizes } from '../places/cluster.ts';
import { connectionsOf, wholeSizes } from '../places/pools.ts';

/** Of a server. While processes are restarted there is one more; a command may run beside them. */
export function neededConnections(processes: number, each = connectionsOf(wholeSizes)): number {
  return (processes + 1) * each + 10;
}

/** How many connections a server has for others than its superusers. */
export async function admittedConnections(client: Sql): Promise<number> {
  const { rows } = await client.query<{ most: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  );
  return rows[0]!.most;
}

/** Rejects when PostgreSQL has not enough connections for all processes: they would fail at their busiest moment. */
export async function requireConnections(client: Sql, { processes }: Pick<Config, 'processes'>): Promise<void> {
  const sizes = (await isDistributed(client)) ? directorySizes : wholeSizes;
  const [needed, most] = [neededConnections(processes, connectionsOf(sizes)), await admittedConnections(client)];
  if (needed > most)
    throw new StartError(
      `WEB_CONCURRENCY=${processes} needs ${needed} connections to PostgreSQL, which admits ${most}. Raise max_connections, or lower WEB_CONCURRENCY`,
    );
}
