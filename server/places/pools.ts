import { DatabaseWatch } from '../base/database_watch.ts';
import type { Log } from '../base/log.ts';
import { type Patience, usualPatience } from '../base/patient_client.ts';
import { SchemaMismatch } from '../base/schema_lock.ts';
import { type DatabaseAddress, openPool, type PoolUse, type Sql } from '../base/sql.ts';
import { requireStandby } from '../base/standby.ts';
import { joinOwnSchema } from '../database.ts';
import { refuseRestored } from '../ledger/restored.ts';

/** The most connections of each pool. */
export type PoolSizes = Readonly<Record<PoolName, number>>;
/** `leases`: separate, so that no request waits behind webhook deliveries. `connectors`: separate, as a processor would be. */
export type PoolName = PoolUse | 'leases' | 'connectors';

const uses: Readonly<Record<PoolName, PoolUse>> = {
  reads: 'reads',
  durable: 'durable',
  relaxed: 'relaxed',
  leases: 'relaxed',
  connectors: 'durable',
};

/**
 * At a place of a cluster, whose shard may be locked for long, as by a move with `block_writes`. Work that waits for all places goes on with
 * the others then, and statements whose callers have given up do not pile up until the server admits no connection.
 */
const lockTimeout = '5s';

export const wholeSizes: PoolSizes = { reads: 4, durable: 2, relaxed: 2, leases: 2, connectors: 2 };

/** With the one that commits. */
export function connectionsOf(sizes: PoolSizes): number {
  return Object.values(sizes).reduce((sum, size) => sum + size, 1);
}

type Check = (client: Sql) => Promise<void>;

/** Logs once, not for each connection that is tried, when this version can no longer write to the schema. */
function schemaCheck(log: Log): Check {
  let isMismatched = false;
  return async (client) => {
    try {
      await joinOwnSchema(client);
      isMismatched = false;
    } catch (error) {
      if (error instanceof SchemaMismatch && !isMismatched) {
        isMismatched = true;
        log.error(
          { error: error.message },
          'the schema of the database is not the one of this server, which refuses all requests: stop this server, and start the version that migrated the database',
        );
      }
      throw error;
    }
  };
}

/** Owners of connections, for the watch: also the committer, which has one of its own, and is without one as a pool can be. */
type ConnectionUser = {
  readonly isStarved: boolean;
  dropIdle(): void;
  refuseWaiting(error: Error): void;
};

export type PoolsOptions = {
  log: Log;
  sizes: PoolSizes;
  /** As in `holdWrites`. */
  hold?: string | undefined;
  /** Whether postings are made at this address. */
  hasLedger: boolean;
  patience?: Patience | undefined;
  /** Called, besides the watch, for every failure of a connection and for every error that the server reports. */
  onError?: (error: Error) => void;
};

/** For those who hold the shards that they write to. */
export function withLockTimeout(address: DatabaseAddress, hold: string | undefined): DatabaseAddress {
  if (hold === undefined || !('connectionString' in address)) return address;
  return { ...address, session: { ...address.session, lock_timeout: lockTimeout } };
}

/** All connections to one address, except the one that commits. */
export function openPools(address: DatabaseAddress, { log, sizes, hold, hasLedger, patience, onError }: PoolsOptions) {
  const check = schemaCheck(log);
  const { connectMs } = patience ?? usualPatience;
  const requireFit: Check = async (client) => {
    await requireStandby(client, connectMs);
    if (hasLedger) await refuseRestored(client);
  };
  const watch = new DatabaseWatch(address, {
    log,
    patience,
    check: requireFit,
    isStarved: () => users.some(({ isStarved }) => isStarved),
    onStale: () => dropIdle(),
    onSilent: (refusal) => each((user) => user.refuseWaiting(refusal)),
  });
  const report = (error: Error, since?: number) => {
    watch.report(error, since);
    onError?.(error);
  };
  /** For connections that make durable changes. */
  const checkDurable: Check = async (client) => {
    await check(client);
    await requireFit(client).catch((error) => {
      watch.report(error);
      throw error;
    });
  };
  const pool = (name: PoolName) =>
    openPool(address, {
      use: uses[name],
      connectionsMax: sizes[name],
      check: uses[name] === 'durable' ? checkDurable : check,
      hold,
      ...(patience && { patience }),
      onError: report,
      watch,
    });
  const pools = {
    reads: pool('reads'),
    durable: pool('durable'),
    relaxed: pool('relaxed'),
    leases: pool('leases'),
    connectors: pool('connectors'),
  };
  const all = Object.values(pools);
  const users: ConnectionUser[] = [...all];
  const each = (act: (user: ConnectionUser) => void) => users.forEach(act);
  /** Gives up what may be dead, or is elsewhere by now. */
  const dropIdle = () => each((user) => user.dropIdle());
  const close = () => {
    watch.stop(); // broken connections are expected from now on
    return Promise.allSettled(all.map((open) => open.end()));
  };
  const abandon = () => {
    watch.stop();
    for (const open of all) open.abandon();
  };
  const alsoWatch = (user: ConnectionUser) => void users.push(user);
  return { ...pools, alsoWatch, byName: pools, watch, report, checkDurable, dropIdle, close, abandon };
}

export type PlacePools = ReturnType<typeof openPools>;
