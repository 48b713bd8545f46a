import { lstat, mkdir, mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '../errors.ts';
import { EmbeddedPostgresError, explainingFailure } from './errors.ts';
import { giveTo, type SystemUser } from './launcher.ts';

/** The kernel's limit for a socket path: 108 bytes on Linux, 104 on macOS, the closing zero included. */
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

/** The directory for the socket of this data directory. Usually the same one each time, so that crashes do not leave many behind. */
export async function chooseSocketDirectory(identity: string, owner: SystemUser): Promise<string> {
  return explainingFailure(
    'The directory for the socket of the built-in PostgreSQL cannot be made',
    'Point TMPDIR to a directory that the user who runs Tollgate may write to.',
    async () => {
      const name = `tollgate-${owner.uid}-${identity}`;
      const parent = shortTemporaryDirectory(name);
      const usual = join(parent, name);
      if (await makePrivateDirectory(usual, owner)) return usual;
      // Another user has taken that name. A random name cannot be taken in advance, and the lock file tells others where it is.
      const unusual = await mkdtemp(join(parent, 'tollgate-'));
      await giveTo(owner, unusual);
      return unusual;
    },
  );
}

/** Makes the directory if it is missing. False when it exists and others may use it. */
export async function makePrivateDirectory(directory: string, owner: SystemUser): Promise<boolean> {
  try {
    await mkdir(directory, { mode: 0o700 });
    await giveTo(owner, directory);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  return isPrivateDirectory(directory, [owner]);
}

function shortTemporaryDirectory(name: string): string {
  const parentBytesMax = socketPathBytesMax - socketNameBytes - Buffer.byteLength(`/${name}`);
  const parent = [tmpdir(), '/tmp'].find((candidate) => Buffer.byteLength(candidate) <= parentBytesMax);
  if (parent !== undefined) return parent;
  throw new EmbeddedPostgresError(`The path ${tmpdir()} is too long for a socket. Point TMPDIR to a shorter one.`);
}
