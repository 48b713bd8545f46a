import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode } from '../errors.ts';
import { locateBinaries, restoreLibraryLinks } from './binaries.ts';
import { clusterUser, ensureCluster } from './cluster.ts';
import { chooseLauncher } from './launcher.ts';
import { findLivingPostmaster } from './lock_files.ts';
import { closeQuietly, tryConnect } from './owner_connection.ts';
import { readPassword } from './password.ts';
import { findPaths, makePaths } from './paths.ts';
import { databaseName, databaseUser } from './roles.ts';
import type { SocketAddress } from './server_command.ts';
import { Supervisor } from './supervisor.ts';

export { EmbeddedPostgresError } from './errors.ts';

/** Ready for a `pg` client or pool. The host is the directory of a Unix socket; there is no network port. */
export type PostgresConnection = { host: string; port: number; user: string; password: string; database: string };

export type EmbeddedPostgres = {
  connection: PostgresConnection;
  /** The current process id of the postmaster. */
  pid(): number;
  /** Stops cleanly (fast shutdown); resolves when PostgreSQL has exited. A second call returns the same promise. */
  stop(): Promise<void>;
};

/** How long `findRunningPostgres` waits for a server that is starting or stopping. */
const findPatienceMs = 5_000;
const findGapMs = 20;

/**
 * Starts the PostgreSQL of this data directory, making it on the first start, and keeps it running until stop(). Only one
 * process at a time may own a data directory; a PostgreSQL that a crashed owner left running is taken over. `settings` replace the
 * default settings of the server.
 */
export async function startEmbeddedPostgres(options: {
  dataDir: string;
  log: (message: string) => void;
  settings?: Record<string, string>;
}): Promise<EmbeddedPostgres> {
  const { dataDir, log, settings = {} } = options;
  const binaries = locateBinaries();
  await restoreLibraryLinks(binaries.packageDir);
  const paths = await makePaths(dataDir);
  const launcher = await chooseLauncher(binaries.postgres, await clusterUser(paths));
  const password = await ensureCluster(paths, binaries, launcher);
  const supervisor = new Supervisor({ paths, binaries, launcher, settings, password, log });
  const address = await supervisor.start();
  log(`PostgreSQL ${launcher.majorVersion} serves ${paths.cluster}, process ${supervisor.pid}`);
  return {
    connection: connectionAt(address, password),
    pid: () => supervisor.pid,
    stop: () => supervisor.stop(),
  };
}

/** Whether this data directory contains a database. One that cannot be looked into counts: its use fails with the reason. */
export async function hasEmbeddedDatabase(dataDir: string): Promise<boolean> {
  try {
    await stat(join(dataDir, 'postgres', 'PG_VERSION'));
    return true;
  } catch (error) {
    return !['ENOENT', 'ENOTDIR'].includes(errorCode(error)!);
  }
}

/** For commands that run beside the server: the connection of a PostgreSQL that is alive on this data directory. */
export async function findRunningPostgres(dataDir: string): Promise<PostgresConnection | undefined> {
  const paths = await findPaths(dataDir);
  if (paths === undefined) return undefined;
  const deadline = performance.now() + findPatienceMs;
  do {
    const postmaster = await findLivingPostmaster(paths);
    if (postmaster === undefined) return undefined;
    const { address } = postmaster;
    const password = await readPassword(paths.passwordFile);
    if (address !== undefined && password !== undefined) {
      const result = await tryConnect(paths, { address, password, database: databaseName });
      if (result.kind === 'ready') {
        await closeQuietly(result.client);
        return connectionAt(address, password);
      }
    }
    await sleep(findGapMs);
  } while (performance.now() < deadline);
  return undefined;
}

function connectionAt(address: SocketAddress, password: string): PostgresConnection {
  return { ...address, user: databaseUser, password, database: databaseName };
}
