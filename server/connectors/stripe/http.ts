import type { IncomingHttpHeaders } from 'node:http';
import type { Dispatcher } from 'undici';
import Pool from 'undici/lib/dispatcher/pool.js';
import { getOrMake } from '../../base/get_or_make.ts';
import { after, type Timer } from '../../base/timers.ts';
import { errorName } from '../ask.ts';

export type HttpRequest = {
  origin: string;
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
  timeoutMs: number;
};

/** not_sent: not a byte of the request was written. lost: it may have arrived, and no whole answer came. */
export type HttpResult =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: string }
  | { kind: 'not_sent'; reason: string }
  | { kind: 'lost'; reason: string };

/** Sends one request once: without a retry, and without following a redirect. Never rejects. */
export type SendHttp = (request: HttpRequest) => Promise<HttpResult>;

const connectMs = 5_000;
const connectionsMax = 128;
const answerBytesMax = 8 * 1_024 * 1_024; // a page of a statement has about 1 MiB

/** One pool of connections for each origin, which all accounts share. Connections that nobody uses do not keep the process alive. */
export function createHttp(): SendHttp {
  const pools = new Map<string, Pool>();
  const make = (origin: string) => () =>
    new Pool(origin, {
      connections: connectionsMax,
      connect: { timeout: connectMs },
      headersTimeout: 0, // each request has a time limit of its own
      bodyTimeout: 0,
    });
  return ({ origin, method, path, headers, body, timeoutMs }) =>
    new Promise((resolve) => {
      const handler = new HttpCall(timeoutMs, resolve);
      const options = { origin, method, path, headers: { ...headers }, body: body ?? null };
      try {
        getOrMake(pools, origin, make(origin)).dispatch(options, handler);
      } catch (error) {
        handler.fail(error);
      }
    });
}

/** Follows one request to its only result. */
class HttpCall implements Dispatcher.DispatchHandler {
  readonly #settle: (result: HttpResult) => void;
  readonly #timer: Timer;
  #controller: Dispatcher.DispatchController | undefined;
  #isOver = false;
  #status = 0;
  #headers: IncomingHttpHeaders = {};
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(timeoutMs: number, settle: (result: HttpResult) => void) {
    this.#settle = settle;
    this.#timer = after(Math.max(timeoutMs, 0), () => this.#abort('time-out'));
  }

  /** A connection is open, and the request is about to be written. */
  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#isOver) controller.abort(new Error('over'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return; // an interim response: the final one follows
    this.#status = status;
    this.#headers = headers;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > answerBytesMax) this.#abort('the answer is too long');
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const body = Buffer.concat(this.#chunks).toString('utf8');
    this.#end({ kind: 'answered', status: this.#status, headers: this.#headers, body });
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    this.fail(error);
  }

  /** Of an error only the code or name is kept: its message may quote the request. */
  fail(error: unknown): void {
    this.#stop(errorName(error));
  }

  #abort(reason: string): void {
    this.#stop(reason);
    this.#controller?.abort(new Error('over'));
  }

  #stop(reason: string): void {
    this.#end({ kind: this.#controller === undefined ? 'not_sent' : 'lost', reason });
  }

  #end(result: HttpResult): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer.cancel();
    this.#chunks = [];
    this.#settle(result);
  }
}
