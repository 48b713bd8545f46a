import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import { after, type Timer } from './timers.ts';

export type HttpCallLimits = {
  /** For the whole call, from the wait for a connection to the last byte of the response. */
  timeoutMs: number;
  /** The call ends when so many bytes of the response have arrived. */
  readBytesMax: number;
  /** How many of the first bytes of the response are in the result. */
  keptBytesMax: number;
};

/** too_long: `readBytesMax` was reached. failed: no connection, a broken one, or a response that is not HTTP. */
type HttpCallEnd = { kind: 'complete' | 'too_long' | 'timed_out' } | { kind: 'failed'; error: unknown };

export type HttpCallResult = {
  end: HttpCallEnd;
  /** False: not a byte of the request was written, and none will be. */
  isStarted: boolean;
  /** Of the final response; null if it has not begun. */
  status: number | null;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

/**
 * Sends one request once: without a retry, and without following a redirect. Never rejects.
 * @param dispatch hands the call to a dispatcher of undici. The call fails if this throws.
 */
export function callOnce(limits: HttpCallLimits, dispatch: (call: HttpCall) => void): Promise<HttpCallResult> {
  return new Promise((resolve) => {
    const call = new HttpCall(limits, resolve);
    try {
      dispatch(call);
    } catch (error) {
      call.fail(error);
    }
  });
}

/** Follows one request to its only result. Later reports of undici are ignored. */
export class HttpCall implements Dispatcher.DispatchHandler {
  readonly #limits: HttpCallLimits;
  readonly #settle: (result: HttpCallResult) => void;
  readonly #timer: Timer;
  #isOver = false;
  #controller: Dispatcher.DispatchController | undefined;
  #status: number | null = null;
  #headers: IncomingHttpHeaders = {};
  #readBytes = 0;
  #keptBytes = 0;
  #kept: Buffer[] = [];

  constructor(limits: HttpCallLimits, settle: (result: HttpCallResult) => void) {
    this.#limits = limits;
    this.#settle = settle;
    this.#timer = after(Math.max(limits.timeoutMs, 0), () => this.#abort('timed_out'));
  }

  /** A connection is open, and the request is about to be written: undici writes nothing before this. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    // Opened too late: the result says that nothing was sent, so nothing may be sent.
    if (this.#isOver) controller.abort(new Error('over'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return; // an interim response: the final one follows
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    // Copied: a slice would keep the whole buffer of the socket in memory.
    const kept = Buffer.from(chunk.subarray(0, this.#limits.keptBytesMax - this.#keptBytes));
    if (kept.length > 0) this.#kept.push(kept);
    this.#keptBytes += kept.length;
    this.#readBytes += chunk.length;
    if (this.#readBytes >= this.#limits.readBytesMax) this.#abort('too_long');
  }

  onResponseEnd(): void {
    this.#end({ kind: 'complete' });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  fail(error: unknown): void {
    this.#end({ kind: 'failed', error });
  }

  /** Ends the call and its connection. A connection that is not open yet has another time limit. */
  #abort(kind: 'too_long' | 'timed_out'): void {
    this.#end({ kind });
    this.#controller?.abort(new Error('over'));
  }

  #end(end: HttpCallEnd): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer.cancel();
    const body = Buffer.concat(this.#kept);
    this.#kept = [];
    const isStarted = this.#controller !== undefined;
    this.#settle({ end, isStarted, status: this.#status, headers: this.#headers, body });
  }
}
