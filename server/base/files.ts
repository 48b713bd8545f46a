import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { errorCode } from './errors.ts';

/** The result of reading a file or directory; undefined when it does not exist. */
export async function ifThere<T>(reading: Promise<T>): Promise<T | undefined> {
  try {
    return await reading;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const draftOf = (file: string) => `${file}.${randomUUID()}.tmp`;

/** Replaces a file. Readers see the old text or the new one, never a part. */
export async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const draft = draftOf(file);
  try {
    await writeFile(draft, text, { mode, flag: 'wx', flush: true });
    await rename(draft, file);
  } finally {
    await rm(draft, { force: true });
  }
}

/** Creates the file unless it exists, and returns its text: two processes that start at the same time get the same text. */
export async function createFile(file: string, text: string, mode: number, draft = draftOf(file)): Promise<string> {
  await writeFile(draft, text, { mode, flag: 'wx', flush: true });
  try {
    await link(draft, file); // unlike a rename, a link does not replace an existing file
    return text;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return await readFile(file, 'utf8');
    // Some mounted file systems have no hard links. There, the last of two simultaneous first starts wins.
    await rename(draft, file);
    return text;
  } finally {
    await rm(draft, { force: true });
  }
}
