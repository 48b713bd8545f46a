import { type FileHandle, open, rename, stat } from 'node:fs/promises';

/** At the next start, a larger file becomes "postgres.log.1", so that the two together stay bounded over many starts. */
const logBytesMax = 10_485_760;
const tailBytesMax = 4_096;

/** Opens the log for a new server process, whose output begins at the returned position. */
export async function openLogFile(path: string): Promise<{ file: FileHandle; position: number }> {
  const size = (await stat(path).catch(() => undefined))?.size ?? 0;
  if (size > logBytesMax) await rename(path, `${path}.1`);
  const file = await open(path, 'a', 0o600);
  return { file, position: size > logBytesMax ? 0 : size };
}

/** The last output since that position. */
export async function readLogTail(path: string, position: number): Promise<string> {
  const file = await open(path, 'r').catch(() => undefined);
  if (file === undefined) return '';
  try {
    const { size } = await file.stat();
    const begin = Math.max(position, size - tailBytesMax);
    const { bytesRead, buffer } = await file.read(Buffer.alloc(tailBytesMax), 0, tailBytesMax, begin);
    return buffer.toString('utf8', 0, bytesRead).trim();
  } finally {
    await file.close();
  }
}
