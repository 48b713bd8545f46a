import type { Sql } from '../base/sql.ts';
import type { Config } from '../config.ts';
import { StartError } from '../database.ts';
import { connectionsOf, wholeSizes } from '../places/pools.ts';

/** Of PostgreSQL. While processes are restarted there is one more; a command may run beside them. */
export function neededConnections(processes: number): number {
  return (processes + 1) * connectionsOf(wholeSizes) + 10;
}

/** Rejects when PostgreSQL has not enough connections for all processes: they would fail at their busiest moment. */
export async function requireConnections(client: Sql, { processes }: Config): Promise<void> {
  const { rows } = await client.query<{ most: number }>(
    `select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most`,
  );
  const [needed, { most }] = [neededConnections(processes), rows[0]!];
  if (needed > most)
    throw new StartError(
      `WEB_CONCURRENCY=${processes} needs ${needed} connections to PostgreSQL, which admits ${most}. Raise max_connections, or lower WEB_CONCURRENCY`,
    );
}
