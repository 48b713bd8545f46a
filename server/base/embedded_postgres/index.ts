import { setTimeout as sleep } from 'node:timers/promises';
import { locateBinaries, restoreLibraryLinks } from './binaries.ts';
import { clusterUser, databaseName, databaseUser, ensureCluster } from './cluster.ts';
import { chooseLauncher, currentUser } from './launcher.ts';
import { findLivingPostmaster, type LockFile } from './lock_files.ts';
import { closeQuietly, tryConnect } from './owner_connection.ts';
import { readPassword } from './password.ts';
import { findPlaces, makePlaces, type Places } from './places.ts';
import type { SocketAddress } from './server_command.ts';
import { isPrivateDirectory } from './socket_directory.ts';
import { Supervisor } from './supervisor.ts';

export { EmbeddedPostgresError } from './errors.ts';

/** Ready for a `pg` client or pool. The host is the directory of a Unix socket; there is no network port. */
export type PostgresConnection = { host: string; port: number; user: string; password: string; database: string };

export type EmbeddedPostgres = {
  connection: PostgresConnection;
  /** Process id of the postmaster at this moment. */
  pid(): number;
  /** Clean stop (fast shutdown); resolves when PostgreSQL has exited. A second call returns the same promise. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  dataDir: string;
  log: (message: string) => void;
  /** Server settings that replace the defaults chosen here. */
  settings?: Record<string, string>;
};

/** How long `findRunningPostgres` waits for a server that is just starting or stopping. */
const findPatienceMs = 5_000;
const findGapMs = 20;

/**
 * Starts the PostgreSQL of this data directory, making it on the first start, and keeps it running until stop(). Only one
 * process at a time may own a data directory; one that a crashed owner left running is taken over.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { dataDir, log, settings = {} } = options;
  const binaries = locateBinaries();
  await restoreLibraryLinks(binaries.packageDir);
  const places = await makePlaces(dataDir);
  const launcher = await chooseLauncher(binaries.postgres, await clusterUser(places));
  const password = await ensureCluster(places, binaries, launcher);
  const supervisor = new Supervisor({ places, binaries, launcher, settings, password, log });
  await supervisor.start();
  log(`PostgreSQL ${launcher.majorVersion} serves ${places.cluster}, process ${supervisor.pid}`);
  return {
    connection: connectionAt(supervisor.address, password),
    pid: () => supervisor.pid,
    stop: () => supervisor.stop(),
  };
}

/** For commands that run beside the server: the connection of a PostgreSQL that is alive on this data directory. */
export async function findRunningPostgres(dataDir: string): Promise<PostgresConnection | undefined> {
  const places = await findPlaces(dataDir);
  if (places === undefined) return undefined;
  const deadline = performance.now() + findPatienceMs;
  do {
    const postmaster = await findLivingPostmaster(places);
    if (postmaster === undefined) return undefined;
    const connection = await connectionOf(places, postmaster);
    if (connection !== undefined) return connection;
    await sleep(findGapMs);
  } while (performance.now() < deadline);
  return undefined;
}

async function connectionOf(places: Places, { address }: LockFile): Promise<PostgresConnection | undefined> {
  const password = await readPassword(places.passwordFile);
  if (password === undefined || address === undefined) return undefined;
  const trusted = [currentUser(), await clusterUser(places)];
  if (!(await isPrivateDirectory(address.host, trusted))) return undefined;
  const result = await tryConnect({ address, password, database: databaseName });
  if (result.kind !== 'ready') return undefined;
  await closeQuietly(result.client);
  return connectionAt(address, password);
}

function connectionAt(address: SocketAddress, password: string): PostgresConnection {
  return { ...address, user: databaseUser, password, database: databaseName };
}
