import type { Clock } from '../base/clock.ts';
import { callOnce, type HttpCall, type HttpCallResult } from '../base/http_call.ts';
import type { Mode } from '../base/reads.ts';
import { dialer } from './dial.ts';
import { addressNotAllowed, failureSentence } from './failure.ts';
import { type Lent, Pools } from './pools.ts';
import { type Lookup, nameLookup } from './resolve.ts';
import { refuseUrl, type TargetRules } from './target.ts';

export type SenderOptions = {
  /** Called for every send and every connection. */
  rulesFor: (mode: Mode) => TargetRules;
  clock: Clock;
  lookup?: Lookup;
  /** For a whole attempt, from the lookup of the name to the last byte of the response. */
  deadlineMs?: number;
  /** In PEM, instead of those that Node trusts; for tests and for operators with their own authority. */
  certificateAuthorities?: string;
};

/** The result of one attempt. A response that was cut off has both a status and an error: check the error first. */
export type Sent = {
  status: number | null;
  error: string | null;
  durationMs: number;
  /** The first bytes of the response. */
  response: Buffer;
  retryAfterSeconds: number | undefined;
};

export type SendRequest = { url: string; mode: Mode; headers: Record<string, string>; body: Buffer };

const deadlineMsDefault = 15_000;
const idleMs = 4_000; // below the 5 s after which many servers close: a request must not meet a closing connection
const idlePerOriginMax = 16;
const answerHeaderBytesMax = 16_384;
const readBytesMax = 65_536;
const keptBytesMax = 4_096;
const retryAfterSecondsMax = 86_400;

/** Beside those that the sender of a webhook signs. */
export const fixedHeaders = { 'Content-Type': 'application/json', 'User-Agent': 'Tollgate/1 (webhooks)' };

/** Sends webhooks. It never rejects, never follows a redirect, and keeps nothing of a finished request. */
export class Sender {
  readonly #options: SenderOptions;
  readonly #deadlineMs: number;
  /** By mode, because an address that is allowed in test mode may be refused in live mode: they must not share connections. */
  readonly #pools: Record<Mode, Pools>;

  constructor(options: SenderOptions) {
    this.#options = options;
    this.#deadlineMs = options.deadlineMs ?? deadlineMsDefault;
    const lookup = options.lookup ?? nameLookup();
    this.#pools = { test: this.#poolsOf('test', lookup), live: this.#poolsOf('live', lookup) };
  }

  #poolsOf(mode: Mode, lookup: Lookup): Pools {
    const options = {
      connect: dialer({
        rules: () => this.#options.rulesFor(mode),
        lookup,
        deadlineMs: this.#deadlineMs,
        certificateAuthorities: this.#options.certificateAuthorities,
      }),
      // No limit on connections: with one, an endpoint that hangs would block all others at the same host.
      pipelining: 1,
      allowH2: false,
      keepAliveTimeout: idleMs,
      keepAliveMaxTimeout: idleMs,
      maxHeaderSize: answerHeaderBytesMax,
      headersTimeout: 0, // the deadline of the attempt covers both
      bodyTimeout: 0,
    };
    return new Pools(options, idleMs);
  }

  async send(request: SendRequest): Promise<Sent> {
    const { clock, rulesFor } = this.#options;
    const startedAt = clock.monotonic();
    let release = () => {};
    const result = await callOnce({ timeoutMs: this.#deadlineMs, readBytesMax, keptBytesMax }, (call) => {
      const refused = refuseUrl(request.url, rulesFor(request.mode));
      if (refused !== undefined) throw addressNotAllowed(refused);
      const url = new URL(request.url);
      const lent = this.#pools[request.mode].lend(url.origin);
      release = lent.release;
      dispatch(request, url, lent, call);
    });
    release();
    return {
      status: result.status,
      error: errorOf(result, this.#deadlineMs),
      durationMs: Math.round(clock.monotonic() - startedAt),
      response: result.body,
      retryAfterSeconds: retryAfter(result.headers['retry-after'], clock.now()),
    };
  }

  /** Waits for requests in flight, at most until their deadline, and closes every connection. */
  async close(): Promise<void> {
    await Promise.all(Object.values(this.#pools).map((pools) => pools.close()));
  }

  /** How many origins have a pool. */
  get origins(): number {
    return this.#pools.test.size + this.#pools.live.size;
  }
}

function dispatch({ headers, body }: SendRequest, url: URL, { pool, busy }: Lent, call: HttpCall): void {
  pool.dispatch(
    {
      path: url.pathname + url.search,
      method: 'POST',
      headers: { ...headers, ...fixedHeaders },
      body,
      // Undici reuses connections in a fixed order, so only about this many stay open and idle.
      reset: busy > idlePerOriginMax,
    },
    call,
  );
}

function errorOf({ end, status }: HttpCallResult, deadlineMs: number): string | null {
  if (end.kind === 'failed') return failureSentence(end.error);
  if (end.kind !== 'timed_out') return null; // of a response that is too long, the status is known
  const within = `within ${deadlineMs / 1_000} s`;
  return status === null ? `no answer ${within}` : `the answer did not end ${within}`;
}

/** Seconds, or a date; anything else is ignored. */
function retryAfter(header: string | string[] | undefined, now: number): number | undefined {
  const text = (Array.isArray(header) ? header[0] : header)?.trim() ?? '';
  const isDate = /^[A-Z][a-z]+,? /.test(text);
  const seconds = isDate ? Math.ceil((Date.parse(text) - now) / 1_000) : /^\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isNaN(seconds) ? undefined : Math.min(Math.max(seconds, 0), retryAfterSecondsMax);
}
