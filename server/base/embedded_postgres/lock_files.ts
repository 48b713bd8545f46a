import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClusterPaths } from './paths.ts';
import { isPostmaster } from './process_table.ts';
import type { SocketAddress } from './server_command.ts';

/** PostgreSQL creates a lock file and fills it a moment later. A file that stays empty for this long was left by a crash. */
const emptyForMs = 2_000;

export type LockFile = {
  pid: number;
  /** Missing while PostgreSQL is still filling the file. */
  address: SocketAddress | undefined;
};

/** The content of "postmaster.pid". The file survives a crash, so its process may be gone, or its number reused. */
export async function readLockFile(paths: ClusterPaths): Promise<LockFile | undefined> {
  const text = await readFile(postmasterPid(paths), 'utf8').catch(() => '');
  // Lines: process id, data directory, start time, port, socket directory, listen address, shared memory, state.
  const [pidLine = '', , , portLine = '', host = ''] = text.split('\n');
  const pid = Number.parseInt(pidLine, 10);
  const port = Number.parseInt(portLine, 10);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const complete = Number.isSafeInteger(port) && host.startsWith('/');
  return { pid, address: complete ? { host, port } : undefined };
}

/** The lock file of a postmaster that still runs. */
export async function findLivingPostmaster(paths: ClusterPaths): Promise<LockFile | undefined> {
  const lockFile = await readLockFile(paths);
  return lockFile !== undefined && (await isPostmaster(lockFile.pid)) ? lockFile : undefined;
}

/**
 * PostgreSQL removes a stale lock file itself, unless the process id in it exists: as a zombie, or because another program
 * has that number now, which is usual in containers. Call this only after PostgreSQL has refused to start because of a lock file,
 * so that it never removes the file of a start in progress. If it ever did, PostgreSQL's second guard would hold: the
 * shared memory of a cluster has a single owner.
 */
export async function removeStaleLockFiles(paths: ClusterPaths, address: SocketAddress): Promise<void> {
  const socketLock = join(address.host, `.s.PGSQL.${address.port}.lock`);
  for (const path of [postmasterPid(paths), socketLock]) {
    if (await isStale(path)) await rm(path, { force: true });
  }
}

async function isStale(path: string): Promise<boolean> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === undefined) return false;
  const pid = Number.parseInt(text, 10);
  if (Number.isSafeInteger(pid)) return !(await isPostmaster(Math.abs(pid)));
  const found = await stat(path).catch(() => undefined);
  return found !== undefined && Date.now() - found.mtimeMs > emptyForMs;
}

function postmasterPid(paths: ClusterPaths): string {
  return join(paths.cluster, 'postmaster.pid');
}
