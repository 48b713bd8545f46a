import { randomUUID } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';

export const modes = { secret: 0o600, public: 0o644 } as const;

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** The file's text, or nothing when there is none. */
export async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** The whole text under a name of its own beside `file`, on the disk. */
async function writeBeside(file: string, text: string, mode: number): Promise<string> {
  const beside = `${file}.${randomUUID()}.tmp`;
  const handle = await open(beside, 'wx', mode);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  return beside;
}

/** Readers see the old text or the new one, never a part. */
export async function replaceFile(file: string, text: string, mode: number): Promise<void> {
  const beside = await writeBeside(file, text, mode);
  try {
    await rename(beside, file);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}

/** Creates the file unless it exists, and returns what it then holds: of two processes that start together, both get the same. */
export async function createFile(file: string, text: string, mode: number): Promise<string> {
  const beside = await writeBeside(file, text, mode);
  try {
    await link(beside, file);
    return text;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return await readFile(file, 'utf8');
    // Some mounted file systems have no hard links. There the last of two simultaneous first starts wins.
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'ENOTSUP') throw error;
    await replaceFile(file, text, mode);
    return text;
  } finally {
    await rm(beside, { force: true });
  }
}
