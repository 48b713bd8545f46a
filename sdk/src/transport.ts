import {
  ConnectionError,
  errorOf,
  ResponseError,
  TimeoutError,
  TollgateError,
  UnexpectedResponseError,
} from './errors.ts';
import { followed } from './following.ts';
import { Listing, type Page } from './listing.ts';
import {
  limitsOf,
  type RequestOptions,
  type Retry,
  type Settings,
  settingsOf,
  type TollgateOptions,
} from './options.ts';
import { query } from './query.ts';
import { signatureHeaders } from './request_signature.ts';
import { pause, reasonToRetry, retryDelayMs } from './retries.ts';
import { TimeLimit } from './time_limit.ts';

export type Method = 'GET' | 'POST' | 'DELETE';

/** A call, which is the same in each of its tries. */
type Call = {
  method: Method;
  url: URL;
  headers: Record<string, string>;
  body: string | undefined;
  idempotencyKey: string | undefined;
  options: RequestOptions;
};

type Read<Result> = (response: Response, limit: TimeLimit) => Promise<Result>;

/** Sends requests, and tries again where that can help. */
export class Transport {
  readonly #settings: Settings;

  constructor(options: TollgateOptions) {
    this.#settings = settingsOf(options);
  }

  /** A request whose response is JSON. Parameters are the query of a GET, and the JSON body of a POST. */
  async send<Result>(method: Method, path: string, params?: object, options: RequestOptions = {}): Promise<Result> {
    return this.#run(this.#call(method, path, params, options, 'application/json'), readJson<Result>);
  }

  list<Item extends { id: string }>(path: string, params: object = {}, options: RequestOptions = {}): Listing<Item> {
    // A position replaces the one that the caller gave.
    const { starting_after, ending_before, ...filters } = params as Record<string, string | undefined>;
    return new Listing((position) => this.send<Page<Item>>('GET', path, { ...filters, ...position }, options), {
      starting_after,
      ending_before,
    });
  }

  /** A GET whose response is a text of any length. The time limit ends when it begins. */
  async text(
    path: string,
    params: object | undefined,
    options: RequestOptions = {},
    accept: string,
    more: Record<string, string> = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const call = this.#call('GET', path, params, options, accept);
    return this.#run({ ...call, headers: { ...call.headers, ...more } }, readStream);
  }

  /** A GET whose response is a file. */
  async file(
    path: string,
    params: object | undefined,
    options: RequestOptions = {},
    accept: string,
  ): Promise<Uint8Array> {
    return this.#run(this.#call('GET', path, params, options, accept), readFile);
  }

  /** Server-sent events, for as long as the caller reads them. A connection that ends is opened again. */
  follow<Message>(
    path: string,
    params: object | undefined,
    options: RequestOptions = {},
  ): AsyncGenerator<Message, never> {
    return followed((position) => this.text(path, params, options, 'text/event-stream', position), options.signal);
  }

  #call(method: Method, path: string, params: object = {}, options: RequestOptions, accept: string): Call {
    const { baseUrl, identity } = this.#settings;
    // What follows a host directly could name another host.
    if (!path.startsWith('/')) throw new TypeError(`A path begins with a slash: ${path}`);
    const isRead = method === 'GET';
    const body = method === 'POST' ? JSON.stringify(params) : undefined;
    const idempotencyKey = isRead ? undefined : keyOf(options);
    return {
      method,
      url: new URL(baseUrl + path + (isRead ? query(params) : '')),
      headers: {
        ...identity,
        Accept: accept,
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...(idempotencyKey !== undefined && { 'Idempotency-Key': idempotencyKey }),
      },
      body,
      idempotencyKey,
      options,
    };
  }

  async #run<Result>(call: Call, read: Read<Result>): Promise<Result> {
    const { maxRetries, timeoutMs } = limitsOf(call.options, this.#settings);
    for (let retries = 0; ; retries++)
      try {
        return await this.#attempt(call, timeoutMs, read);
      } catch (error) {
        if (error instanceof TollgateError && call.idempotencyKey !== undefined)
          error.idempotencyKey = call.idempotencyKey;
        const delayMs = retries < maxRetries ? retryDelayMs(error, retries) : undefined;
        if (delayMs === undefined || !(error instanceof TollgateError)) throw error;
        const waitMs = Math.ceil(delayMs);
        this.#reportRetry(call, { attempt: retries + 1, maxRetries, waitMs, error });
        await pause(waitMs, call.options.signal);
      }
  }

  #reportRetry(
    { method, url, options }: Call,
    facts: Pick<Retry, 'attempt' | 'maxRetries' | 'waitMs' | 'error'>,
  ): void {
    const { error } = facts;
    const requestId = error instanceof ResponseError ? error.requestId : undefined;
    const retry: Retry = { ...facts, reason: reasonToRetry(error), requestId, method, path: url.pathname };
    (options.onRetry ?? this.#settings.onRetry)?.(retry);
  }

  async #attempt<Result>(call: Call, timeoutMs: number, read: Read<Result>): Promise<Result> {
    const { method, url, body, options } = call;
    const { credentials, baseUrl } = this.#settings;
    options.signal?.throwIfAborted();
    const headers = { ...call.headers, ...(await this.#signature(call)) };
    const limit = new TimeLimit(timeoutMs, options.signal);
    try {
      const { signal } = limit;
      // A redirect is never followed, because it would hand a card number to another address.
      const init: RequestInit = { method, headers, signal, redirect: 'manual', ...(body !== undefined && { body }) };
      if (credentials !== undefined) init.credentials = credentials; // some runtimes refuse the member itself
      const response = await this.#received(call, limit, () => this.#settings.fetch(url.href, init));
      options.onResponse?.({ status: response.status, headers: response.headers });
      if (response.status !== 200) throw await this.#received(call, limit, () => errorOf(response, baseUrl));
      return await this.#received(call, limit, () => read(response, limit));
    } catch (error) {
      limit.release();
      throw error;
    }
  }

  /** What comes over the network, or the error that says why it did not. */
  async #received<Value>({ method, url, options }: Call, limit: TimeLimit, work: () => Promise<Value>): Promise<Value> {
    try {
      return await work();
    } catch (error) {
      options.signal?.throwIfAborted();
      if (error instanceof TollgateError) throw error;
      const request = `${method} ${url.pathname}`;
      if (limit.isOver) throw new TimeoutError(`${request}: no response within ${limit.milliseconds} ms`);
      throw new ConnectionError(`${request}: ${reasonOf(error)}${hintFor(error, url)}`, { cause: error });
    }
  }

  /** Made anew for each try, because it holds for 300 seconds. */
  async #signature({ method, url, idempotencyKey, body }: Call): Promise<Record<string, string>> {
    const { signingKey: apiKey } = this.#settings;
    if (apiKey === undefined) return {};
    const [target, seconds] = [url.pathname + url.search, Math.floor(Date.now() / 1_000)];
    return signatureHeaders({ apiKey, method, target, idempotencyKey, body, seconds });
  }
}

/** What a header can hold: `fetch` would remove spaces at the ends, and fail on other letters. */
function keyOf({ idempotencyKey = crypto.randomUUID() }: RequestOptions): string {
  if (/^[!-~]([ -~]{0,253}[!-~])?$/.test(idempotencyKey)) return idempotencyKey;
  throw new TypeError('idempotencyKey must have 1 to 255 printable ASCII characters, without spaces at the ends.');
}

async function readJson<Result>(response: Response, limit: TimeLimit): Promise<Result> {
  const text = await response.text();
  limit.release();
  try {
    return JSON.parse(text);
  } catch {
    throw new UnexpectedResponseError(response, text);
  }
}

async function readFile(response: Response, limit: TimeLimit): Promise<Uint8Array> {
  const bytes = await response.arrayBuffer();
  limit.release();
  return new Uint8Array(bytes);
}

async function readStream({ body }: Response, limit: TimeLimit) {
  limit.lift();
  return body!;
}

/** `fetch` says what went wrong in the cause of its error. */
function reasonOf(error: unknown): string {
  const { cause = error } = error as { cause?: unknown };
  return cause instanceof Error && cause.message !== '' ? cause.message : String(cause);
}

/** Codes of OpenSSL in Node and Bun, and the words of Deno: nobody whom this program trusts has signed the certificate. */
const untrusted = /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)|UnknownIssuer/;

/** What to do about a certificate that is not trusted, such as that of `tollgate dev`. */
function hintFor(error: unknown, { origin }: URL): string {
  const { cause = error } = error as { cause?: unknown };
  const { code } = cause as { code?: unknown };
  if (!untrusted.test(`${code} ${reasonOf(error)}`)) return '';
  return `. The certificate of ${origin} is not trusted: name the file of its authority in NODE_EXTRA_CA_CERTS (Deno: DENO_CERT) before the program starts. That of "tollgate dev" is .tollgate/tls/ca.pem.`;
}
