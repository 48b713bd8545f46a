import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import type { Clock } from '../base/clock.ts';
import { after, type Timer } from '../base/timers.ts';
import { failureSentence, SendFailure } from './failure.ts';

/** The result of one attempt. A response that was cut off has both a status and an error: check the error first. */
export type Sent = {
  status: number | null;
  error: string | null;
  durationMs: number;
  /** The first bytes of the response. */
  response: Buffer;
  retryAfterSeconds: number | undefined;
};

const readBytesMax = 65_536;
const keptBytesMax = 4_096;
const retryAfterSecondsMax = 86_400;

export type AttemptOptions = { clock: Clock; deadlineMs: number; settle: (sent: Sent) => void };

/** Follows one request from its start to its only result. Later reports of undici are ignored. */
export class SendAttempt implements Dispatcher.DispatchHandler {
  readonly #options: AttemptOptions;
  readonly #startedAt: number;
  readonly #deadline: Timer;
  #isOver = false;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | null = null;
  #retryAfterSeconds: number | undefined;
  #readBytes = 0;
  #kept: Buffer = Buffer.alloc(0);

  constructor(options: AttemptOptions) {
    this.#options = options;
    this.#startedAt = options.clock.monotonic();
    this.#deadline = after(options.deadlineMs, () => this.#abort(this.#lateSentence()));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The connection was opened too late: the attempt has failed already, so nothing is sent.
    if (this.#isOver) controller.abort(new SendFailure('over'));
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return; // an interim response: the final one follows
    this.#status = status;
    this.#retryAfterSeconds = retryAfter(headers['retry-after'], this.#options.clock.now());
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    const room = keptBytesMax - this.#kept.length;
    // Copied: a slice would keep the whole chunk in memory as long as the result.
    if (room > 0) this.#kept = Buffer.concat([this.#kept, chunk.subarray(0, room)]);
    this.#readBytes += chunk.length;
    if (this.#readBytes >= readBytesMax) this.#abort(null); // the status is known; the rest may be endless
  }

  onResponseEnd(): void {
    this.#end(null);
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    this.#end(failureSentence(error));
  }

  /** Ends the attempt and its connection. A connection that is not open yet is ended by the deadline of `dialer`. */
  #abort(error: string | null): void {
    this.#end(error);
    this.#controller?.abort(new SendFailure('over'));
  }

  #end(error: string | null): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#deadline.cancel();
    this.#options.settle({
      status: this.#status,
      error,
      durationMs: Math.round(this.#options.clock.monotonic() - this.#startedAt),
      response: this.#kept,
      retryAfterSeconds: this.#retryAfterSeconds,
    });
  }

  #lateSentence(): string {
    const within = `within ${this.#options.deadlineMs / 1_000} s`;
    return this.#status === null ? `no answer ${within}` : `the answer did not end ${within}`;
  }
}

/** Seconds, or a date; anything else is ignored. */
function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  const isDate = /^[A-Z][a-z]+,? /.test(text);
  const seconds = isDate ? Math.ceil((Date.parse(text) - now) / 1_000) : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), retryAfterSecondsMax);
}
