import { readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Places } from './places.ts';
import { isPostmaster } from './process_table.ts';
import type { SocketAddress } from './server_command.ts';

/** PostgreSQL creates a lock file and fills it a moment later. One that stays empty for this long is the rest of a crash. */
const emptyForMs = 2_000;

export type LockFile = {
  pid: number;
  /** Missing while PostgreSQL is still filling the file. */
  address: SocketAddress | undefined;
};

/** What "postmaster.pid" says. It outlives a crash, so it may name a process that is gone, or one with a reused number. */
export async function readLockFile(places: Places): Promise<LockFile | undefined> {
  const text = await readFile(postmasterPid(places), 'utf8').catch(() => '');
  // Lines: process id, data directory, start time, port, socket directory, listen address, shared memory, state.
  const [pidLine = '', , , portLine = '', host = ''] = text.split('\n');
  const pid = Number.parseInt(pidLine, 10);
  const port = Number.parseInt(portLine, 10);
  if (!Number.isSafeInteger(pid) || pid <= 0) return undefined;
  const complete = Number.isSafeInteger(port) && host.startsWith('/');
  return { pid, address: complete ? { host, port } : undefined };
}

/** The lock file of a postmaster that still runs. */
export async function findLivingPostmaster(places: Places): Promise<LockFile | undefined> {
  const lockFile = await readLockFile(places);
  return lockFile !== undefined && (await isPostmaster(lockFile.pid)) ? lockFile : undefined;
}

/**
 * PostgreSQL removes a stale lock file itself, unless the process id in it exists: as a zombie, or because another program
 * has that number now, which is usual in containers. Call this only after PostgreSQL has refused to start because of one,
 * so that it never meets the file of a start that is just going well. Should it ever, PostgreSQL's second guard holds: the
 * shared memory of a cluster has a single owner.
 */
export async function removeStaleLockFiles(places: Places, address: SocketAddress): Promise<void> {
  const socketLock = join(address.host, `.s.PGSQL.${address.port}.lock`);
  for (const path of [postmasterPid(places), socketLock]) {
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

function postmasterPid(places: Places): string {
  return join(places.cluster, 'postmaster.pid');
}
