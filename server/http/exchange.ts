import type { IncomingMessage } from 'node:http';
import { newId } from '../base/id.ts';
import type { KeyWithAccount } from '../resources/api_keys/api_key.ts';
import type { Caller } from '../resources/caller.ts';
import type { AnyOperation } from '../resources/operation.ts';
import type { RateState } from './admission/rate_limit.ts';
import type { VersionChoice } from './admission/versions.ts';

/** What is known of one request while it is served: filled in step by step, read by the answer and by the log. */
export type Exchange = {
  requestId: string;
  startedAt: number;
  receivedAt: number;
  method: string;
  /** As on the request line: what a signature covers. */
  target: string;
  address: string;
  version: VersionChoice;
  contentType: string | undefined;
  rate: RateState | undefined;
  /** Set once the API key was verified. */
  caller: Caller | undefined;
  operation: AnyOperation | undefined;
  /** The path of the page that answers, as it is written down. */
  page: string | undefined;
  idempotencyKey: string | undefined;
  parameters: string | undefined;
  objectId: string | undefined;
  errorCode: string | undefined;
};

// A property of the request rather than a WeakMap: there is nothing weak to look after.
const exchangeOfRequest = Symbol('exchange');
type Carrier = IncomingMessage & { [exchangeOfRequest]?: Exchange };

export function beginExchange(
  raw: IncomingMessage,
  facts: { now: number; monotonic: number; address: string; version: VersionChoice },
): Exchange {
  const exchange: Exchange = {
    requestId: newId('req', facts.now),
    startedAt: facts.monotonic,
    receivedAt: facts.now,
    method: raw.method ?? '',
    target: raw.url ?? '',
    address: facts.address,
    version: facts.version,
    contentType: raw.headers['content-type'],
    rate: undefined,
    caller: undefined,
    operation: undefined,
    page: undefined,
    idempotencyKey: undefined,
    parameters: undefined,
    objectId: undefined,
    errorCode: undefined,
  };
  (raw as Carrier)[exchangeOfRequest] = exchange;
  return exchange;
}

/** The API key that was used, for the logs. */
export function keyOf({ caller }: Exchange): KeyWithAccount | undefined {
  return caller?.kind === 'key' ? caller.key : undefined;
}

export function exchangeOf(raw: IncomingMessage): Exchange {
  return (raw as Carrier)[exchangeOfRequest]!;
}
