import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename } from 'node:fs/promises';
import { EmbeddedPostgresError, errorCode, explainingFailure } from './errors.ts';

const passwordBytes = 24;

export async function readPassword(passwordFile: string): Promise<string | undefined> {
  return explainingFailure(
    `The password of the built-in PostgreSQL in ${passwordFile} cannot be read`,
    'Run this as the user that runs the Tollgate server.',
    async () => {
      const text = await readFile(passwordFile, 'utf8').catch((error: unknown) => {
        if (errorCode(error) === 'ENOENT') return undefined;
        throw error;
      });
      if (text?.trim() === '') {
        throw new EmbeddedPostgresError(
          `The file ${passwordFile} is empty. Restore it from a backup of the data directory.`,
        );
      }
      return text?.trim();
    },
  );
}

/** Reads the password, or makes one, first as a draft. Two first starts at the same moment end up with the same password. */
export async function ensurePassword(passwordFile: string, draft: string): Promise<string> {
  const known = await readPassword(passwordFile);
  if (known !== undefined) return known;
  await writeDurably(draft, `${randomBytes(passwordBytes).toString('base64url')}\n`);
  try {
    // Unlike a rename, a hard link does not replace the file of somebody who was faster.
    await link(draft, passwordFile);
  } catch (error) {
    // A file system without hard links.
    if (errorCode(error) !== 'EEXIST') await rename(draft, passwordFile);
  }
  const password = await readPassword(passwordFile);
  if (password === undefined)
    throw new EmbeddedPostgresError(`The file ${passwordFile} was removed during the start. Start again.`);
  return password;
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}
