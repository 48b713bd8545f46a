import { parseDatabaseUrl } from '../base/database_url.ts';
import type { DatabaseAddress } from '../base/sql.ts';
import { directorySchema, nodeSchema } from './homes.ts';
import { type CitusNode, placeRole, placeSchema, type ShardRange } from './shards.ts';

export type UrlAddress = Extract<DatabaseAddress, { connectionString: string }>;

/** The same database with the same user on another server of the cluster, by the name that Citus has for it. */
export function nodeAddress(
  { connectionString }: Pick<UrlAddress, 'connectionString'>,
  { host, port }: Pick<CitusNode, 'host' | 'port'>,
): UrlAddress {
  const { forDriver, options } = parseDatabaseUrl(connectionString);
  const url = new URL(forDriver.replace('@/', '@localhost/'));
  for (const name of ['host', 'port']) url.searchParams.delete(name);
  if (options !== '') url.searchParams.set('options', options);
  const named = `${host.includes(':') ? `[${host}]` : host}:${port}`;
  // A host of another kind of address cannot be changed: the one before the path is replaced in the text.
  return { connectionString: url.href.replace(/^(\w+:\/\/(?:[^@/]*@)?)[^/?]*/, `$1${named}`) };
}

/** What makes a connection one of a place: it finds the tables of the place alone, and has rights on nothing else. */
export function placeSession({ shard }: Pick<ShardRange, 'shard'>): { search_path: string; role: string } {
  return { search_path: `${placeSchema(shard)}, ${nodeSchema}`, role: placeRole(shard) };
}

/** What makes a connection one of the directory: its own tables come before those of tenants, which `public` has. */
export const directorySession = { search_path: `${directorySchema}, public` };
