import { write, writeSync } from 'node:fs';
import pino from 'pino';
import { BlockBuffer } from './block_buffer.ts';
import { errorCode } from './errors.ts';
import { isoTime } from './iso_time.ts';
import { after, deadline, every } from './timers.ts';

export type Log = pino.Logger;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const blockBytes = 262_144;
const fullEnoughBytes = 65_536;
const flushEveryMs = 200;
const flushPatienceMs = 2_000;
const standardOutput = 1;
/** PIPE_BUF of Linux: a write of no more than this into a pipe is never mixed with that of another process. */
const wholeWriteBytes = 4_096;
const newline = 0x0a;
const quietStart = '{"level":"info"'; // most lines
const loudStart = /^\{"level":"(warn|error|fatal)"/;

/** The form of a line. Levels are names: numbers are known to pino alone. */
export const lineFormat = {
  base: null,
  timestamp: () => `,"time":"${isoTime(Date.now())}"`,
  formatters: { level: (level: string) => ({ level }) },
} as const satisfies pino.LoggerOptions;

/** For commands, which report on standard error themselves. */
export const silentLog: Log = pino({ level: 'silent' });

/** The number of lines so far that may need a person. */
export type LoudLines = { warn: number; error: number; fatal: number };

/** For a process whose standard output others write to as well. */
export type LogOptions = { /** Its number, on every line. */ process?: number };

/**
 * JSON lines on standard output. They are buffered and written in blocks, not with a system call each. Warnings and worse are written at
 * once. If the reader is too slow, lines are dropped and counted; a request never waits for it.
 */
export function openLog(
  level: LogLevel,
  { process: number }: LogOptions = {},
): { log: Log; flush: () => Promise<void>; loudLines: LoudLines } {
  const sink = new Sink(number === undefined ? blockBytes : wholeWriteBytes);
  const log = pino({ level, ...lineFormat, ...(number !== undefined && { base: { process: number } }) }, sink);
  every(flushEveryMs, () => {
    sink.send();
    const dropped = sink.takeDropped();
    if (dropped > 0) log.warn({ lines: dropped }, 'the log was not read fast enough: lines are missing');
  });
  process.on('exit', () => sink.finish());
  return { log, flush: () => sink.flush(), loudLines: sink.loudLines };
}

class Sink {
  readonly loudLines: LoudLines = { warn: 0, error: 0, fatal: 0 };
  readonly #gathering = new BlockBuffer(blockBytes);
  readonly #writeBytesMax: number;
  /** Pending while a block is being written. */
  #sent: PromiseWithResolvers<void> | undefined;
  #dropped = 0;

  constructor(writeBytesMax: number) {
    this.#writeBytesMax = writeBytesMax;
  }

  write(line: string): void {
    const isLoud = !line.startsWith(quietStart) && this.#countLoud(line);
    if (!this.#gathering.append(line)) this.#dropped++;
    else if (this.#gathering.used >= fullEnoughBytes || isLoud) this.send();
  }

  #countLoud(line: string): boolean {
    const level = loudStart.exec(line)?.[1] as keyof LoudLines | undefined;
    if (level !== undefined) this.loudLines[level]++;
    return level !== undefined;
  }

  /** Writes the buffered lines, one block at a time, without waiting. */
  send(): void {
    if (this.#sent !== undefined || this.#gathering.used === 0) return;
    this.#sent = Promise.withResolvers();
    this.#write(this.#gathering.take());
  }

  #write(block: Buffer): void {
    write(standardOutput, wholeLines(block, this.#writeBytesMax), (error, written) => {
      // A full pipe fails with EAGAIN. After any other error the block is dropped: without its reader, the gateway goes on.
      if (errorCode(error) === 'EAGAIN') after(10, () => this.#write(block));
      else if (error === null && written < block.length) this.#write(block.subarray(written));
      else {
        this.#sent?.resolve();
        this.#sent = undefined;
        if (this.#gathering.used >= fullEnoughBytes) this.send();
      }
    });
  }

  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  /** Writes everything, in order. A slow reader is waited for, but not one that has stopped reading. */
  async flush(): Promise<void> {
    const ending = deadline(flushPatienceMs);
    await Promise.race([this.#sendAll(), ending.passed]).catch(() => {});
    ending.cancel();
  }

  async #sendAll(): Promise<void> {
    for (this.send(); this.#sent !== undefined; this.send()) await this.#sent.promise;
  }

  /** When the process exits for another reason: writes the buffered lines synchronously. A full pipe is not waited for. */
  finish(): void {
    this.#gathering.lend((bytes) => {
      try {
        for (let rest = bytes; rest.length > 0; )
          rest = rest.subarray(writeSync(standardOutput, wholeLines(rest, this.#writeBytesMax)));
      } catch {}
    });
  }
}

/** As many of the first lines as fit, or the first one if it does not fit. */
function wholeLines(block: Buffer, bytesMax: number): Buffer {
  if (block.length <= bytesMax) return block;
  const end = block.lastIndexOf(newline, bytesMax - 1);
  return block.subarray(0, (end === -1 ? block.indexOf(newline) : end) + 1);
}
