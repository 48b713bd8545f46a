import type { TollgateError } from './errors.ts';
import { version } from './generated/version.ts';

/** What this package uses of `fetch`. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** How requests say who sends them. */
type Credentials =
  | {
      /** A secret or restricted key. Keep it on the server. */
      apiKey: string;
      /** Signs every request, as keys that require signatures demand. False unless it is given. */
      sign?: boolean | undefined;
      session?: undefined;
    }
  | {
      /** In place of a key, for scripts of pages that the gateway itself serves: the browser sends the cookie of the session. */
      session: SessionOptions;
      apiKey?: undefined;
      sign?: undefined;
    };

/** Without any of these: for signing in, and for `sessions.current`. */
export type SessionOptions = {
  /** The id of the account to work in. */
  account?: string | undefined;
  mode?: 'test' | 'live' | undefined;
  /** `csrf_token` of the session. POST and DELETE need it. */
  csrfToken?: string | undefined;
};

export type TollgateOptions = Credentials & {
  /** The address of the gateway, such as `https://payments.example.com`. */
  baseUrl: string;
  /** How often a failed call is tried again. 2 unless it is given. */
  maxRetries?: number | undefined;
  /** The time limit of each try. 30,000 unless it is given: the gateway answers within 25 seconds. */
  timeoutMs?: number | undefined;
  /** Is called before each pause after which a call is tried again: it says why, and how long the pause is. */
  onRetry?: OnRetry | undefined;
  /** Another `fetch` than the global one, such as one that trusts a certificate of your own. */
  fetch?: Fetch | undefined;
};

/** A call that has failed, and is tried again after a pause. */
export type Retry = {
  /** How many tries have failed so far: 1 the first time. */
  attempt: number;
  /** How often it is tried again at most. */
  maxRetries: number;
  /** The code of the refusal, such as `rate_limited`; `timeout`, `connection`, or `unexpected_response` where there is none. */
  reason: string;
  /** How long the pause is, in milliseconds. */
  waitMs: number;
  /** The id of the request that was refused; undefined if there was no response of the gateway. */
  requestId: string | undefined;
  method: string;
  /** The path of the request, without its query. */
  path: string;
  /** What the call would have thrown. Its message says more. */
  error: TollgateError;
};

export type OnRetry = (retry: Retry) => void;

/** What can be said about a single call. */
export type RequestOptions = {
  /** For POST and DELETE. A new UUID unless it is given. Calls with the same key and parameters take effect once within 24 hours. */
  idempotencyKey?: string | undefined;
  maxRetries?: number | undefined;
  timeoutMs?: number | undefined;
  /** Ends the call, with its retries. A POST or DELETE may have taken effect by then. */
  signal?: AbortSignal | undefined;
  /** In place of that of the client. */
  onRetry?: OnRetry | undefined;
  /** Is given each response, also those that are tried again: for headers such as `Request-Id` and `X-RateLimit-Remaining`. */
  onResponse?: ((response: { status: number; headers: Headers }) => void) | undefined;
};

/** The options of a client, checked. */
export type Settings = {
  baseUrl: string;
  /** Who sends the requests. */
  identity: Record<string, string>;
  /** The key that signs every request. */
  signingKey: string | undefined;
  credentials: 'same-origin' | undefined;
  fetch: Fetch;
  onRetry: OnRetry | undefined;
} & Limits;

type Limits = { maxRetries: number; timeoutMs: number };

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/;

export function settingsOf({ baseUrl, fetch, ...options }: TollgateOptions): Settings {
  const { protocol, hostname, origin, pathname, search, hash, username } = parsed(baseUrl);
  if (protocol !== 'https:' && !(protocol === 'http:' && loopback.test(hostname)))
    throw new TypeError(`baseUrl must begin with https://, so that nobody can read the key: ${baseUrl}`);
  if (search !== '' || hash !== '' || username !== '')
    throw new TypeError('baseUrl must be an address without a query, a fragment and a user name.');
  return {
    baseUrl: origin + pathname.replace(/\/+$/, ''),
    ...(options.session === undefined ? withKey(options) : inSession(options)),
    // A copy of the global function fails in some runtimes, and a test may replace it later.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    onRetry: options.onRetry,
    ...limitsOf(options, { maxRetries: 2, timeoutMs: 30_000 }),
  };
}

type Identity = Pick<Settings, 'identity' | 'signingKey' | 'credentials'>;

function withKey({ apiKey, sign = false }: { apiKey: string; sign?: boolean | undefined }): Identity {
  if (typeof apiKey !== 'string' || !/^[!-~]+$/.test(apiKey))
    throw new TypeError('apiKey must be an API key, such as sk_test_tg_…');
  const identity = { Authorization: `Bearer ${apiKey}`, 'User-Agent': `tollgate-node/${version}` };
  return { identity, signingKey: sign ? apiKey : undefined, credentials: undefined };
}

function inSession({ session, apiKey }: { session: SessionOptions; apiKey?: unknown }): Identity {
  if (apiKey !== undefined) throw new TypeError('Give apiKey or session, not both.');
  const { account, mode, csrfToken } = session;
  const identity = {
    ...(account !== undefined && { 'X-Tollgate-Account': account }),
    ...(mode !== undefined && { 'X-Tollgate-Mode': mode }),
    ...(csrfToken !== undefined && { 'X-Tollgate-CSRF': csrfToken }),
  };
  return { identity, signingKey: undefined, credentials: 'same-origin' };
}

/** The limits that were given, over those that hold otherwise. */
export function limitsOf({ maxRetries, timeoutMs }: Partial<Limits> | RequestOptions, otherwise: Limits): Limits {
  return {
    maxRetries: atLeast(0, 'maxRetries', maxRetries) ?? otherwise.maxRetries,
    timeoutMs: atLeast(1, 'timeoutMs', timeoutMs) ?? otherwise.timeoutMs,
  };
}

function parsed(baseUrl: string): URL {
  try {
    return new URL(baseUrl);
  } catch {
    throw new TypeError(`baseUrl must be the address of the gateway, such as https://payments.example.com: ${baseUrl}`);
  }
}

/** A timer takes at most 2 ** 31 - 1 milliseconds. */
function atLeast(least: number, name: string, value: number | undefined): number | undefined {
  if (value === undefined || (Number.isInteger(value) && value >= least && value < 2 ** 31)) return value;
  throw new TypeError(`${name} must be a whole number from ${least} to ${2 ** 31 - 1}.`);
}
