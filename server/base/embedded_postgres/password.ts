import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createFile, ifThere } from '../files.ts';
import { EmbeddedPostgresError, explainingFailure } from './errors.ts';

const passwordBytes = 24;

export async function readPassword(passwordFile: string): Promise<string | undefined> {
  const text = await explainingFailure(
    `The password of the built-in PostgreSQL in ${passwordFile} cannot be read`,
    'Run this as the user that runs the Tollgate server.',
    () => ifThere(readFile(passwordFile, 'utf8')),
  );
  if (text?.trim() === '')
    throw new EmbeddedPostgresError(
      `The file ${passwordFile} is empty. Restore it from a backup of the data directory.`,
    );
  return text?.trim();
}

/** Reads the password, or makes one, first as a draft. Two first starts at the same moment get the same password. */
export async function ensurePassword(passwordFile: string, draft: string): Promise<string> {
  const known = await readPassword(passwordFile);
  if (known !== undefined) return known;
  const made = `${randomBytes(passwordBytes).toString('base64url')}\n`;
  return (await createFile(passwordFile, made, 0o600, draft)).trim();
}
