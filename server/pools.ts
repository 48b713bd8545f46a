import { DatabaseWatch } from './base/database_watch.ts';
import type { Log } from './base/log.ts';
import { type OnFailure, type Patience, usualPatience } from './base/patient_client.ts';
import { SchemaMismatch } from './base/schema_lock.ts';
import { type DatabaseAddress, openPool, type PoolUse, type Sql } from './base/sql.ts';
import { requireStandby } from './base/standby.ts';
import { joinOwnSchema } from './database.ts';
import { refuseRestored } from './ledger/restored.ts';

export const connectionsFor: Record<PoolUse, number> = { reads: 4, durable: 2, relaxed: 2 };
const connectorConnections = 2;
/** Relaxed ones also lease webhooks; one commits. */
export const connectionsPerProcess =
  connectionsFor.reads + connectionsFor.durable + 2 * connectionsFor.relaxed + connectorConnections + 1;

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

/** Owners of connections, for the watch. */
type ConnectionUser = {
  readonly isStarved: boolean;
  dropIdle(): void;
  refuseWaiting(error: Error): void;
};

/** All connections of a server, except the one that commits. */
export function openPools(address: DatabaseAddress, log: Log, patience?: Patience) {
  const check = schemaCheck(log);
  const { connectMs } = patience ?? usualPatience;
  const requireFit: Check = async (client) => {
    await requireStandby(client, connectMs);
    await refuseRestored(client);
  };
  const watch = new DatabaseWatch(address, {
    log,
    patience,
    check: requireFit,
    isStarved: () => users.some(({ isStarved }) => isStarved),
    onStale: () => each((user) => user.dropIdle()),
    onSilent: (refusal) => each((user) => user.refuseWaiting(refusal)),
  });
  const report: OnFailure = (error, since) => watch.report(error, since);
  /** For connections that make durable changes. */
  const checkDurable: Check = async (client) => {
    await check(client);
    await requireFit(client).catch((error) => {
      watch.report(error);
      throw error;
    });
  };
  const pool = (use: PoolUse, connectionsMax = connectionsFor[use]) =>
    openPool(address, {
      use,
      connectionsMax,
      check: use === 'durable' ? checkDurable : check,
      ...(patience && { patience }),
      onError: report,
      watch,
    });
  const pools = {
    reads: pool('reads'),
    durable: pool('durable'),
    relaxed: pool('relaxed'),
    leases: pool('relaxed'), // separate, so that no request waits behind webhook deliveries
    connectors: pool('durable', connectorConnections), // separate, as a processor would be
  };
  const all = Object.values(pools);
  const users: ConnectionUser[] = [...all];
  const each = (act: (user: ConnectionUser) => void) => users.forEach(act);
  const close = () => {
    watch.stop(); // broken connections are expected from now on
    return Promise.allSettled(all.map((open) => open.end()));
  };
  const abandon = () => {
    watch.stop();
    for (const open of all) open.abandon();
  };
  /** The committer has a separate connection, and is without one as a pool can be. */
  const alsoWatch = (user: ConnectionUser) => void users.push(user);
  return { ...pools, alsoWatch, byName: pools, watch, report, checkDurable, close, abandon };
}
