import { closeSync, openSync, readFileSync, readSync } from 'node:fs';

/** So much is read at once. A text that lies across the border between two reads is found too, because they overlap. */
const readBytes = 16 * 2 ** 20;
const overlapBytes = 256;
const chunk = Buffer.alloc(readBytes);

/** Whether the memory of other processes can be read: on Linux, by a parent or by root. */
export const canReadMemory = process.platform === 'linux';

/**
 * Everything that a process can write to: its heap and what it has let go of, buffers, stacks. A heap snapshot has only what is still
 * referred to, and no buffers. The pieces that are handed over are used again.
 */
export function* memoryOf(pid: number): Generator<Buffer> {
  const memory = openSync(`/proc/${pid}/mem`, 'r');
  try {
    for (const line of readFileSync(`/proc/${pid}/maps`, 'utf8').split('\n')) {
      const [, from = '', to = '', name = ''] = /^([0-9a-f]+)-([0-9a-f]+) rw\S+ \S+ \S+ \S+\s*(.*)$/.exec(line) ?? [];
      if (from === '' || name.startsWith('[v')) continue;
      yield* piecesOf(memory, Number.parseInt(from, 16), Number.parseInt(to, 16));
    }
  } finally {
    closeSync(memory);
  }
}

function* piecesOf(memory: number, from: number, to: number): Generator<Buffer> {
  for (let at = from; at < to; at += readBytes - overlapBytes) {
    const wanted = Math.min(readBytes, to - at);
    let got = 0;
    try {
      got = readSync(memory, chunk, 0, wanted, at);
    } catch {
      return; // the process has given it back meanwhile
    }
    yield chunk.subarray(0, got);
    if (at + wanted >= to) return;
  }
}
