import { hash } from 'node:crypto';
import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { explainingFailure } from './errors.ts';

/** The paths of one embedded PostgreSQL. */
export type ClusterPaths = {
  dataDir: string;
  cluster: string;
  passwordFile: string;
  logFile: string;
  /** 16 hexadecimal digits that identify this data directory in names outside of it. */
  identity: string;
  /** PostgreSQL shows this name in the title of each of its processes, which tells them from those of other clusters. */
  clusterName: string;
};

export async function makePaths(dataDir: string): Promise<ClusterPaths> {
  return explainingFailure(
    `The data directory ${dataDir} cannot be used`,
    'Give the user that runs Tollgate the right to write there, or choose another TOLLGATE_DATA_DIR.',
    async () => {
      await mkdir(dataDir, { recursive: true, mode: 0o700 });
      return pathsBelow(await realpath(dataDir));
    },
  );
}

/** The paths of a data directory that may not exist. */
export async function findPaths(dataDir: string): Promise<ClusterPaths | undefined> {
  try {
    return pathsBelow(await realpath(dataDir));
  } catch {
    return undefined;
  }
}

// The path must be the real one: the identity is compared across processes.
function pathsBelow(dataDir: string): ClusterPaths {
  const identity = hash('sha256', dataDir).slice(0, 16);
  return {
    dataDir,
    cluster: join(dataDir, 'postgres'),
    passwordFile: join(dataDir, 'postgres.password'),
    logFile: join(dataDir, 'postgres.log'),
    identity,
    clusterName: `tollgate-${identity}`,
  };
}
