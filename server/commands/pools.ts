import { type Commits, Committer, type CommitterOptions } from '../base/commit/index.ts';
import { silentLog } from '../base/log.ts';
import { type Patience, usualPatience } from '../base/patient_client.ts';
import { commitsAt } from '../base/places/commits.ts';
import { PlaceDown } from '../base/places/place_down.ts';
import { onePool, type SqlAt } from '../base/places/sql_at.ts';
import { Reads } from '../base/reads.ts';
import { type DatabaseAddress, isUnavailable, openPool, type Pool } from '../base/sql.ts';
import { nodeOf } from '../citus/places.ts';
import { shardOf } from '../citus/shards.ts';
import { joinOwnSchema } from '../database.ts';
import { type ClusterAddress, openCluster } from '../places/cluster.ts';
import type { OpenPlaces } from '../places/open_places.ts';
import { sqlAt } from '../places/sql_at.ts';

/** What a command runs operations and lists on. */
export type CommandPools = {
  reads: Reads;
  durable: SqlAt;
  directory: Pool;
  committer: Commits;
  close(): Promise<unknown>;
};

/** Where the database of a command is. On a cluster it is the coordinator's address. */
export type CommandDatabase = { address: DatabaseAddress; isCluster?: boolean };

type CommandPoolsOptions = {
  /** In one PostgreSQL, beside the one that commits. */
  connectionsMax: number;
  patience?: Patience;
  committer?: Pick<CommitterOptions, 'extend' | 'derived'>;
};

/** No worker runs in a command, so that a few connections are enough. All are opened when they are used. */
export async function openCommandPools(
  { address, isCluster = false }: CommandDatabase,
  options: CommandPoolsOptions,
): Promise<CommandPools> {
  return isCluster ? poolsOfCluster(address as ClusterAddress, options) : poolsOfOne(address, options);
}

function poolsOfOne(
  address: DatabaseAddress,
  { connectionsMax, patience = usualPatience, committer: further = {} }: CommandPoolsOptions,
): CommandPools {
  const check = joinOwnSchema;
  const pool = openPool(address, { use: 'durable', connectionsMax, patience, onError: () => {}, check });
  const committer = new Committer(address, { check, ...further });
  const close = async () => {
    await committer.close();
    await pool.end();
  };
  return { reads: new Reads(pool), durable: onePool(pool), directory: pool, committer, close };
}

async function poolsOfCluster(
  address: ClusterAddress,
  { patience, committer = {} }: CommandPoolsOptions,
): Promise<CommandPools> {
  const opened = await openCluster(address, { log: silentLog, patience, committer, arrivesWhenUsed: true });
  const places: OpenPlaces = {
    directory: opened.directory,
    isCluster: true,
    all: () => opened.all(),
    of: (tenant) => opened.of(tenant),
    at: (tenant, work) =>
      opened.at(tenant, async (place) => {
        try {
          return await work(place);
        } catch (error) {
          if (!isUnavailable(error) || place === opened.directory) throw error;
          throw PlaceDown.of(place.name, nodeOf(opened.topology, shardOf(opened.topology, tenant).shard), error);
        }
      }),
    close: () => opened.close(),
    abandon: () => opened.abandon(),
  };
  return {
    reads: new Reads(places),
    durable: sqlAt(places, 'durable'),
    directory: places.directory.durable,
    committer: commitsAt(places),
    close: places.close,
  };
}
