import { type FileHandle, open, rename, stat } from 'node:fs/promises';

/** Past this size the file becomes "postgres.log.1" at the next start; so the two together are bounded over many starts. */
const logBytesMax = 10_485_760;
const tailBytesMax = 4_096;

/** Opens the log for a new server process. What it writes begins at the returned position. */
export async function openLogFile(path: string): Promise<{ file: FileHandle; position: number }> {
  const size = await sizeOf(path);
  if (size > logBytesMax) await rename(path, `${path}.1`);
  const file = await open(path, 'a', 0o600);
  return { file, position: size > logBytesMax ? 0 : size };
}

/** The end of what was written since that position. */
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

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  return found?.size ?? 0;
}
