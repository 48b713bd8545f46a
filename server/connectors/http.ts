import type { IncomingHttpHeaders } from 'node:http';
import Pool from 'undici/lib/dispatcher/pool.js';
import { getOrMake } from '../base/get_or_make.ts';
import { callOnce, type HttpCallResult } from '../base/http_call.ts';
import { errorName } from './ask.ts';

export type WrittenRequest = {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers: Readonly<Record<string, string>>;
  body: string | undefined;
};

export type HttpRequest = WrittenRequest & { origin: string; timeoutMs: number };

/** not_sent: not a byte of the request was written. lost: it may have arrived, and no complete response came. */
export type HttpResult =
  | { kind: 'answered'; status: number; headers: IncomingHttpHeaders; body: string }
  | { kind: 'not_sent' | 'lost'; reason: string };

/** Sends one request once: without a retry, and without following a redirect. Never rejects. */
export type SendHttp = (request: HttpRequest) => Promise<HttpResult>;

const connectMs = 5_000;
const connectionsMax = 128;
const answerBytesMax = 8 * 1_024 * 1_024; // a page of a statement has about 1 MiB

/** One pool of connections for each origin, which all accounts share. Idle connections do not keep the process alive. */
export function createHttp(): SendHttp {
  const pools = new Map<string, Pool>();
  const make = (origin: string) => () =>
    new Pool(origin, {
      connections: connectionsMax,
      connect: { timeout: connectMs },
      headersTimeout: 0, // each request has its own time limit
      bodyTimeout: 0,
    });
  return async ({ origin, method, path, headers, body, timeoutMs }) => {
    const limits = { timeoutMs, readBytesMax: answerBytesMax + 1, keptBytesMax: answerBytesMax };
    const options = { origin, method, path, headers: { ...headers }, body: body ?? null };
    return resultOf(await callOnce(limits, (call) => getOrMake(pools, origin, make(origin)).dispatch(options, call)));
  };
}

function resultOf({ end, isStarted, status, headers, body }: HttpCallResult): HttpResult {
  if (end.kind === 'complete') return { kind: 'answered', status: status ?? 0, headers, body: body.toString('utf8') };
  return {
    kind: isStarted ? 'lost' : 'not_sent',
    reason: end.kind === 'failed' ? errorName(end.error) : reasons[end.kind],
  };
}

const reasons = { timed_out: 'time-out', too_long: 'the answer is too long' };
