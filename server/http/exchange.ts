import type { IncomingMessage, ServerResponse } from 'node:http';
import type { KeyWithAccount } from '../resources/api_keys/api_key.ts';
import type { Caller } from '../resources/caller.ts';
import type { AnyOperation } from '../resources/operation.ts';
import type { RateState } from './admission/rate_limit.ts';
import type { VersionChoice } from './admission/versions.ts';

/** A request and what is known about it. Each stage adds what it finds out; the answer and the logs read it. */
export type Exchange = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Monotonic milliseconds. */
  readonly startedAt: number;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  readonly method: string;
  /** As on the request line: a signature covers it. */
  readonly target: string;
  readonly address: string;
  readonly version: VersionChoice;
  rate: RateState | undefined;
  /** Set once the API key is verified. */
  caller: Caller | undefined;
  operation: AnyOperation | undefined;
  /** The path that the page declares, with its `:names`. */
  page: string | undefined;
  idempotencyKey: string | undefined;
  /** Redacted, as JSON. */
  parameters: string | undefined;
  objectId: string | undefined;
  errorCode: string | undefined;
};

/** What is known when the headers of a request have arrived. */
export type Arrival = Pick<
  Exchange,
  'request' | 'response' | 'requestId' | 'startedAt' | 'receivedAt' | 'address' | 'version'
>;

export function beginExchange(arrival: Arrival): Exchange {
  const { request, response, requestId, startedAt, receivedAt, address, version } = arrival;
  return {
    request,
    response,
    requestId,
    startedAt,
    receivedAt,
    method: request.method ?? '',
    target: request.url ?? '',
    address,
    version,
    rate: undefined,
    caller: undefined,
    operation: undefined,
    page: undefined,
    idempotencyKey: undefined,
    parameters: undefined,
    objectId: undefined,
    errorCode: undefined,
  };
}

/** The API key of the caller, for the logs; undefined when there is none. */
export function keyOf({ caller }: Exchange): KeyWithAccount | undefined {
  return caller?.kind === 'key' ? caller.key : undefined;
}

/** The value of a header that is sent at most once, which admission has made sure of. `name` is in lower case. */
export function headerOf({ request }: Exchange, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}

/** The query as it was sent, without its question mark. */
export function queryOf({ target }: Exchange): string {
  const at = target.indexOf('?');
  return at === -1 ? '' : target.slice(at + 1);
}
