import { write, writeSync } from 'node:fs';
import pino from 'pino';
import { BlockBuffer } from './block_buffer.ts';
import { every } from './timers.ts';

export type Log = pino.Logger;
export const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

/** For commands, which print what they have to say. */
export const silentLog: Log = pino({ level: 'silent' });

const blockBytes = 262_144;
const fullEnoughBytes = 65_536;
const flushEveryMs = 200;
const standardOutput = 1;
const quietStart = '{"level":30'; // info, as pino numbers it

/**
 * JSON lines on standard output. They are gathered and written in blocks, not with a system call each.
 * Warnings and worse are sent off at once. A reader that does not read costs lines, which are counted, never a request.
 */
export function openLog(level: LogLevel): { log: Log; flush: () => void } {
  const sink = new Sink();
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, sink);
  every(flushEveryMs, () => {
    sink.send();
    const dropped = sink.takeDropped();
    if (dropped > 0) log.warn({ lines: dropped }, 'the log was not read fast enough: lines are missing');
  });
  process.on('exit', () => sink.finish());
  return { log, flush: () => sink.finish() };
}

class Sink {
  readonly #gathering = new BlockBuffer(blockBytes);
  #sending: Buffer | undefined;
  #dropped = 0;

  write(line: string): void {
    if (!this.#gathering.append(line)) this.#dropped++;
    else if (this.#gathering.used >= fullEnoughBytes || !line.startsWith(quietStart)) this.send();
  }

  /** Hands what was gathered to the system, one block at a time, without waiting for it. */
  send(): void {
    if (this.#sending !== undefined || this.#gathering.used === 0) return;
    this.#sending = this.#gathering.take();
    this.#continue();
  }

  #continue(): void {
    write(standardOutput, this.#sending!, (error, written) => {
      // A reader that is gone takes the log with it, not the gateway. A pipe that is full says "again".
      const again = (error as NodeJS.ErrnoException | null)?.code === 'EAGAIN';
      const rest = error === null ? this.#sending!.subarray(written) : again ? this.#sending! : emptyBlock;
      if (again) {
        this.#sending = rest;
        setTimeout(() => this.#continue(), 10).unref();
        return;
      }
      this.#sending = rest.length === 0 ? undefined : rest;
      if (this.#sending !== undefined) this.#continue();
      else if (this.#gathering.used >= fullEnoughBytes) this.send();
    });
  }

  takeDropped(): number {
    const dropped = this.#dropped;
    this.#dropped = 0;
    return dropped;
  }

  /** At the end: what is not on its way yet, at once. A pipe that takes nothing is not waited for. */
  finish(): void {
    this.#gathering.lend((bytes) => {
      try {
        for (let rest = bytes; rest.length > 0; ) rest = rest.subarray(writeSync(standardOutput, rest));
      } catch {}
    });
  }
}

const emptyBlock = Buffer.alloc(0);
