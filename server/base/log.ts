import { writeSync } from 'node:fs';
import pino from 'pino';
import { BlockBuffer } from './block_buffer.ts';
import { every } from './timers.ts';

export type Log = pino.Logger;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const blockBytes = 65_536;
const flushEveryMs = 200;
const quietStart = '{"level":30'; // info, as pino numbers it

/**
 * JSON lines on standard output. They are gathered and written in blocks: a write per line would cost a tenth of a request.
 * Warnings and worse are written at once, and so is everything when the process ends.
 */
export function openLog(level: LogLevel): { log: Log; flush: () => void } {
  const block = new BlockBuffer(blockBytes);
  const flush = () => block.lend(writeAll);
  const write = (line: string) => {
    if (!block.append(line)) {
      flush();
      if (!block.append(line)) writeAll(Buffer.from(line));
    }
    if (!line.startsWith(quietStart)) flush();
  };
  every(flushEveryMs, flush);
  process.on('exit', flush);
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return { log, flush };
}

function writeAll(bytes: Buffer): void {
  let rest = bytes;
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // A pipe that is full says "again"; a reader that is gone takes the log with it, not the gateway.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}
