import { chown, lstat, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EmbeddedPostgresError, errorCode, explainingFailure } from './errors.ts';
import { currentUser, type SystemUser } from './launcher.ts';

/** The kernel's room for a socket path: 108 bytes on Linux, 104 on macOS, the closing zero included. */
const socketPathBytesMax = process.platform === 'darwin' ? 103 : 107;
/** PostgreSQL's own name for the socket, for a port of up to five digits. */
const socketNameBytes = Buffer.byteLength('/.s.PGSQL.65535');

/** Temporary directories are open to everybody: a directory there is trusted only if nobody else could have put a socket into it. */
export async function isPrivateDirectory(directory: string, trusted: readonly SystemUser[]): Promise<boolean> {
  const found = await lstat(directory).catch(() => undefined);
  // lstat, because a symbolic link could be pointed elsewhere later.
  if (found === undefined || !found.isDirectory() || (found.mode & 0o077) !== 0) return false;
  return trusted.some((user) => user.uid === found.uid);
}

/** The directory for the socket of this data directory. Mostly the same one each time, so that crashes leave no pile of them. */
export async function chooseSocketDirectory(identity: string, owner: SystemUser): Promise<string> {
  return explainingFailure(
    'The directory for the socket of the built-in PostgreSQL cannot be made',
    'Point TMPDIR to a directory that the user who runs Tollgate may write to.',
    async () => {
      const parent = shortTemporaryDirectory(identity, owner);
      const usual = join(parent, directoryName(identity, owner));
      if (await makePrivateDirectory(usual, owner)) return usual;
      // Somebody else holds that name. A random one cannot be taken beforehand, and the lock file tells others where it is.
      const unusual = await mkdtemp(join(parent, 'tollgate-'));
      await give(unusual, owner);
      return unusual;
    },
  );
}

/** Makes the directory if it is missing. False: it is there, but not ours alone. */
export async function makePrivateDirectory(directory: string, owner: SystemUser): Promise<boolean> {
  try {
    await mkdir(directory, { mode: 0o700 });
    await give(directory, owner);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return isPrivateDirectory(directory, [owner]);
}

async function give(directory: string, owner: SystemUser): Promise<void> {
  if (owner.uid !== currentUser().uid) await chown(directory, owner.uid, owner.gid);
}

function directoryName(identity: string, owner: SystemUser): string {
  return `tollgate-${owner.uid}-${identity}`;
}

function shortTemporaryDirectory(identity: string, owner: SystemUser): string {
  const room = socketPathBytesMax - socketNameBytes - Buffer.byteLength(`/${directoryName(identity, owner)}`);
  const parent = [tmpdir(), '/tmp'].find((candidate) => Buffer.byteLength(candidate) <= room);
  if (parent !== undefined) return parent;
  throw new EmbeddedPostgresError(`The path ${tmpdir()} is too long for a socket. Point TMPDIR to a shorter one.`);
}
