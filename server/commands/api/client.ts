import { randomUUID } from 'node:crypto';
import type { Agent, IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import https from 'node:https';
import { text } from 'node:stream/consumers';
import { errorCode } from '../../base/errors.ts';
import { idTime } from '../../base/id.ts';
import { http } from '../../base/node_http.ts';
import type { Mode } from '../../base/reads.ts';
import { exitCodes } from '../usage.ts';
import type { Access } from './access.ts';
import type { Pair } from './flags.ts';

const answerMs = 40_000; // the gateway answers within 25 s
const formType = 'application/x-www-form-urlencoded';

export type ApiCall = {
  method: string;
  /** Below the version prefix. */
  path: string;
  pairs?: readonly Pair[];
  /** SentCall as JSON, in place of pairs. */
  body?: object;
  idempotencyKey?: string | undefined;
  accept?: string;
  /** The last message of a stream, which continues after it. */
  lastEventId?: string | undefined;
};

// biome-ignore lint/suspicious/noExplicitAny: the API answers with every shape
export type ApiAnswer = any;

type SentCall = { method: string; headers: OutgoingHttpHeaders; body: string };

/** The `error` of an answer. */
export type ApiErrorBody = {
  code: string;
  message: string;
  type: string;
  param?: string;
  decline_code?: string;
  payment?: string;
  setup?: string;
};

type FailureFacts = {
  error?: ApiErrorBody | undefined;
  requestId?: string | undefined;
  retryAfter?: number | undefined;
  isRefusedConnection?: boolean;
};

/** The API refused, or could not be asked. */
export class ApiFailure extends Error {
  readonly exitCode: number;
  readonly error: ApiErrorBody | undefined;
  readonly requestId: string | undefined;
  /** When to try again, in seconds, where the API says so. */
  readonly retryAfter: number | undefined;
  /** No server listens at the address. */
  readonly isRefusedConnection: boolean;

  constructor(message: string, exitCode: number, facts: FailureFacts = {}) {
    super(message);
    this.exitCode = exitCode;
    this.error = facts.error;
    this.requestId = facts.requestId;
    this.retryAfter = facts.retryAfter;
    this.isRefusedConnection = facts.isRefusedConnection ?? false;
  }
}

/** Requests to a gateway, with one key. */
export class ApiClient {
  readonly base: string;
  readonly mode: Mode;
  /** When the server received the latest request that it has answered, in epoch milliseconds: the clock of this machine may be wrong. */
  receivedAt = 0;
  readonly #key: string;
  readonly #agent: Agent;

  constructor({ base, key, ca }: Access) {
    this.base = base;
    this.mode = /^[a-z]+_live_/.test(key) ? 'live' : 'test';
    this.#key = key;
    this.#agent = base.startsWith('http:')
      ? new http.Agent({ keepAlive: true })
      : new https.Agent({ keepAlive: true, ...(ca === undefined ? {} : { ca }) });
  }

  close(): void {
    this.#agent.destroy();
  }

  async json(call: ApiCall): Promise<ApiAnswer> {
    return (await this.answered(call)).answer;
  }

  /** The answer, and the id that the request log has it under. */
  async answered(call: ApiCall): Promise<{ answer: ApiAnswer; requestId: string | undefined }> {
    const response = await this.stream(call);
    const requestId = response.headers['request-id'] as string | undefined;
    return { answer: JSON.parse(await text(response)), requestId };
  }

  get(path: string, query: Readonly<Record<string, string>> = {}): Promise<ApiAnswer> {
    return this.json({ method: 'GET', path, pairs: pairsOf(query) });
  }

  post(path: string, body: Readonly<Record<string, string>> = {}): Promise<ApiAnswer> {
    return this.json({ method: 'POST', path, pairs: pairsOf(body) });
  }

  delete(path: string): Promise<ApiAnswer> {
    return this.json({ method: 'DELETE', path });
  }

  /** The body of an answer that is not a refusal. */
  async stream(call: ApiCall): Promise<IncomingMessage> {
    const isPost = call.method === 'POST';
    // Even without a retry: if the answer is lost, the message names the key with which it is safe to repeat.
    const idempotencyKey = isPost ? (call.idempotencyKey ?? `cli_${randomUUID()}`) : undefined;
    const response = await this.#send(call, idempotencyKey).catch((error) => {
      throw unreachable(this.base, error, idempotencyKey);
    });
    this.receivedAt = idTime(String(response.headers['request-id']));
    if (response.statusCode === 200) return response;
    throw refused(response, await text(response));
  }

  /** A page for customers, as a browser without the key asks for it; with a form, as it sends one. */
  async page(
    path: string,
    { cookie = '', form }: { cookie?: string; form?: Readonly<Record<string, string>> } = {},
  ): Promise<{ status: number; headers: IncomingHttpHeaders; body: string }> {
    const body = form === undefined ? '' : new URLSearchParams(form).toString();
    const headers: OutgoingHttpHeaders = {
      ...(cookie === '' ? {} : { Cookie: cookie }),
      ...(form === undefined ? {} : { 'Content-Type': formType, 'Content-Length': Buffer.byteLength(body) }),
    };
    const method = form === undefined ? 'GET' : 'POST';
    const response = await this.#request(new URL(path, this.base), { method, headers, body }).catch((error) => {
      throw unreachable(this.base, error, undefined);
    });
    return { status: response.statusCode!, headers: response.headers, body: await text(response) };
  }

  #send(call: ApiCall, idempotencyKey: string | undefined): Promise<IncomingMessage> {
    const { method, path, pairs = [], accept, lastEventId } = call;
    const form = new URLSearchParams(pairs.map(({ name, value }): [string, string] => [name, value])).toString();
    const inQuery = method === 'GET' && form !== '';
    const json = call.body === undefined ? undefined : JSON.stringify(call.body);
    const body = method === 'GET' ? '' : (json ?? form);
    const type = json === undefined ? formType : 'application/json';
    const headers: OutgoingHttpHeaders = {
      Authorization: `Bearer ${this.#key}`,
      Accept: accept ?? 'application/json',
      ...(body === '' ? {} : { 'Content-Type': type }),
      ...(method === 'GET' ? {} : { 'Content-Length': Buffer.byteLength(body) }),
      ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      ...(lastEventId === undefined ? {} : { 'Last-Event-ID': lastEventId }),
    };
    return this.#request(new URL(`${this.base}/v1${path}${inQuery ? `?${form}` : ''}`), { method, headers, body });
  }

  #request(url: URL, { method, headers, body }: SentCall): Promise<IncomingMessage> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const request = (url.protocol === 'http:' ? http : https).request(url, { method, headers, agent: this.#agent });
    request.on('response', resolve).on('error', reject);
    request.setTimeout(answerMs, () => request.destroy(new Error(`there is no answer within ${answerMs / 1_000} s`)));
    request.end(body);
    return promise;
  }
}

function pairsOf(parameters: Readonly<Record<string, string>>): Pair[] {
  return Object.entries(parameters).map(([name, value]) => ({ name, value }));
}

/** Codes of OpenSSL: nobody whom this machine trusts has signed the certificate. */
const untrusted =
  /^(UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT(_LOCALLY)?)|(DEPTH_ZERO_)?SELF_SIGNED_CERT(_IN_CHAIN)?)$/;

function unreachable(base: string, error: Error, idempotencyKey: string | undefined): ApiFailure {
  const code = errorCode(error);
  if (code === 'ECONNREFUSED' || code === 'ENOTFOUND')
    return new ApiFailure(
      `No server answers at ${base}. Start it with "tollgate dev", or name another with --api-base`,
      exitCodes.unavailable,
      { isRefusedConnection: code === 'ECONNREFUSED' },
    );
  if (untrusted.test(code ?? ''))
    return new ApiFailure(
      `The certificate of ${base} is not trusted (${error.message}). Name the file of its certificate authority with --api-ca; that of "tollgate dev" is tls/ca.pem in its data directory`,
      exitCodes.unavailable,
    );
  const repeat =
    idempotencyKey === undefined
      ? ''
      : `. Whether it took effect is unknown: repeat it with --idempotency-key ${idempotencyKey}`;
  return new ApiFailure(`${base} cannot be used: ${error.message}${repeat}`, exitCodes.unavailable);
}

function refused({ statusCode = 0, headers }: IncomingMessage, body: string): ApiFailure {
  const requestId = headers['request-id'] as string | undefined;
  const retryAfter = Number(headers['retry-after']) || undefined;
  const error = errorIn(body);
  if (error === undefined)
    return new ApiFailure(`The answer is no answer of Tollgate (status ${statusCode})`, exitCodes.unavailable);
  return new ApiFailure(error.message, exitCodeOf(statusCode), { error, requestId, retryAfter });
}

function errorIn(body: string): ApiErrorBody | undefined {
  try {
    return (JSON.parse(body) as { error?: ApiErrorBody }).error;
  } catch {
    return undefined;
  }
}

function exitCodeOf(status: number): number {
  if (status === 402) return exitCodes.declined;
  return status === 429 || status >= 500 ? exitCodes.unavailable : exitCodes.refused;
}
