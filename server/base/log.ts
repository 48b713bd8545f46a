import { writeSync } from 'node:fs';
import pino from 'pino';
import { every } from './timers.ts';

export type Log = pino.Logger;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const bufferCharsMax = 65_536;
const flushEveryMs = 200;

/**
 * JSON lines on standard output. They are gathered and written in blocks: a write per line would cost a tenth of a request.
 * Warnings and worse are written at once, and so is everything when the process ends.
 */
export function openLog(level: LogLevel): { log: Log; flush: () => void } {
  let buffer = '';
  const flush = () => {
    if (buffer === '') return;
    const lines = buffer;
    buffer = '';
    writeAll(lines);
  };
  const write = (line: string) => {
    buffer += line;
    if (buffer.length >= bufferCharsMax || !line.startsWith('{"level":30')) flush();
  };
  every(flushEveryMs, flush);
  process.on('exit', flush);
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  return { log, flush };
}

function writeAll(text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest));
    } catch (error) {
      // A pipe that is full says "again"; a reader that is gone takes the log with it, not the gateway.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
    }
  }
}
