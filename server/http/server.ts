import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../base/clock.ts';
import { assert, Unavailable } from '../base/errors.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Log } from '../base/log.ts';
import type { Page } from '../base/page.ts';
import { noTracing, type Tracing } from '../base/tracing/tracing.ts';
import type { Live } from '../operations/feed.ts';
import type { AnyOperation, Streaming } from '../operations/operation.ts';
import type { RefusedActRecorder } from '../resources/people/audit_log/refused.ts';
import type { RequestLog } from '../resources/views/request_logs/writer.ts';
import { type AdmissionParts, admit, isKeyStillAdmitted } from './admission/admission.ts';
import type { Authenticator } from './admission/authenticate.ts';
import { isStillAdmitted } from './admission/persons.ts';
import { type PathParams, Routes } from './admission/routes.ts';
import { readPath } from './admission/versions.ts';
import { type Answer, answerOfFile, answerOfOperation, answerOfPage } from './answering/answer.ts';
import { type LiveOwner, LiveStreams, type PreparedLive } from './answering/live.ts';
import type { Metrics } from './answering/metrics.ts';
import { Responder } from './answering/responder.ts';
import { describeRequest } from './answering/spans.ts';
import { type PreparedStream, refuseOldHttp, Streams } from './answering/streams.ts';
import { Exchange, headerOf } from './exchange.ts';
import { servePage } from './pages/serve_page.ts';
import { bodyBytesMax, readBody } from './reading/read_body.ts';
import { type RequestCall, readCall } from './reading/request_call.ts';
import { Deadlines } from './running/deadlines.ts';
import type { RequestRunner } from './running/run_operation.ts';
import { type CloseBounds, createTransport, type Transport, type TransportOptions } from './transport/index.ts';

export const answerDeadlineMs = 25_000;

type ServerParts = {
  operations: readonly AnyOperation[];
  pages: readonly Page[];
  tls: TransportOptions['tls'];
  limits?: TransportOptions['limits'];
  clock: Clock;
  keyring: Keyring;
  log: Log;
  metrics: Metrics;
  admission: AdmissionParts;
  runner: RequestRunner;
  requestLog: RequestLog;
  refusedActs: RefusedActRecorder;
  tracing?: Tracing;
};

/** The lowest status that is logged of a page. A failure always is. */
const loggedFrom = { refused: 400, never: 500 } as const;

/** An answer that is sent in pieces, in a media type that the caller prefers to JSON. */
type StreamedAnswer = { media: string; stream: PreparedStream };

type AnyAnswer = Answer | StreamedAnswer | { live: PreparedLive };

/** Serves the API and the pages on one TLS port: takes each request through all stages. */
export class HttpServer {
  readonly #parts: ServerParts;
  readonly #routes: Routes;
  readonly #deadlines: Deadlines;
  readonly #streams = new Streams();
  readonly #live: LiveStreams;
  readonly #responder: Responder;
  readonly #transport: Transport;

  constructor(parts: ServerParts) {
    const { clock, log, metrics, requestLog, refusedActs, admission, tls, limits = {} } = parts;
    this.#parts = parts;
    this.#routes = new Routes(parts.operations, parts.pages);
    this.#deadlines = new Deadlines(clock);
    this.#live = new LiveStreams(clock);
    this.#responder = new Responder({ clock, log, metrics, requestLog, refusedActs, addresses: admission.addresses });
    this.#transport = createTransport({
      tls,
      limits,
      handler: (request, response, address) => void this.#handle(request, response, address),
      connectionRefused: metrics.connectionRefused,
      refusal: (below) => this.#responder.transportRefusal(below),
      log,
    });
  }

  listen(port: number, host: string): Promise<{ port: number; host: string }> {
    this.#parts.metrics.watchConnections(() => this.#transport.connections());
    return this.#transport.listen(port, host);
  }

  /** Only where this process does TLS itself. */
  useCertificate(pair: { cert: string; key: string }): void {
    this.#transport.useCertificate(pair);
  }

  async close(bounds: CloseBounds): Promise<void> {
    this.#live.close();
    await this.#transport.close(bounds);
    this.#deadlines.stop();
  }

  async #handle(request: IncomingMessage, response: ServerResponse, address: string): Promise<void> {
    const version = readPath(request.url ?? '/', this.#routes);
    const exchange = new Exchange(request, response, address, version, this.#parts.clock);
    const { tracing = noTracing } = this.#parts;
    if (tracing === noTracing) return this.#answer(exchange);
    const { traceparent } = request.headers as { traceparent?: string };
    await tracing.span({ name: 'request', kind: 'server', place: 'root', traceparent }, async (span) => {
      await this.#answer(exchange);
      describeRequest(span, exchange);
    });
  }

  /** Answers within 25 s. The work goes on after that, and a retry with the same idempotency key finds its outcome. */
  async #answer(exchange: Exchange): Promise<void> {
    try {
      const answer = await this.#deadlines.wait(this.#serve(exchange), dueOf(exchange));
      if ('stream' in answer) await this.#responder.stream(exchange, answer.media, answer.stream);
      else if ('live' in answer) this.#responder.live(exchange, answer.live);
      else this.#responder.send(exchange, answer);
    } catch (error) {
      await this.#responder.fail(exchange, error);
    }
  }

  #serve(exchange: Exchange): Promise<AnyAnswer> {
    const match = this.#routes.find(exchange);
    if (match?.serves.kind === 'page') return this.#servePage(exchange, match.serves.page, match.params);
    exchange.operation = match?.serves.operation;
    return this.#serveOperation(exchange, match?.params.id ?? '');
  }

  async #servePage(exchange: Exchange, page: Page, params: PathParams): Promise<Answer> {
    exchange.page = page.path;
    exchange.renderRefusal = page.renderRefusal;
    exchange.isProbe = page.isProbe ?? false;
    exchange.loggedFrom = page.logged === undefined ? 0 : loggedFrom[page.logged];
    return answerOfPage(await servePage(exchange, page, params, this.#parts.admission.addresses));
  }

  async #serveOperation(exchange: Exchange, id: string): Promise<AnyAnswer> {
    const { admission, clock, keyring, runner } = this.#parts;
    const admitted = await admit(exchange, admission, this.#routes);
    const body = await readBody(exchange.request, bodyBytesMax);
    const isLate = () => this.#isLate(exchange);
    const call = readCall(exchange, admitted, { id, body, now: clock.now(), keyring, isLate });
    const outcome = await runner.run(call);
    if (mayChangePeople(call)) admission.sessions.forget();
    noteScopes(exchange, admission.keys);
    if ('live' in outcome) return { live: await this.#beginLive(call, outcome) };
    if ('file' in outcome) return answerOfFile(call.operation, outcome);
    return 'stream' in outcome ? this.#beginStream(call, outcome) : answerOfOperation(outcome);
  }

  async #beginLive(call: RequestCall, { live }: Live): Promise<PreparedLive> {
    const { exchange } = call;
    refuseOldHttp(exchange.request);
    const owner = liveOwnerOf(call, this.#parts.admission);
    const begun = await this.#live.begin(owner, () => live(headerOf(exchange, 'last-event-id')));
    if (!this.#isLate(exchange)) return begun;
    begun.abandon();
    throw new Unavailable('a stream was begun after the answer deadline');
  }

  async #beginStream(call: RequestCall, { stream: pieces }: Streaming): Promise<StreamedAnswer> {
    const { exchange, caller, media } = call;
    assert(media !== undefined, 'an operation streams only in a media type that the caller prefers to JSON');
    refuseOldHttp(exchange.request);
    const stream = await this.#streams.begin(caller.tenant, pieces);
    if (!this.#isLate(exchange)) return { media, stream };
    // The deadline has passed: the caller gets, or already has, the answer `unavailable`.
    await stream.abandon();
    throw new Unavailable('the first piece of a stream was made after the answer deadline');
  }

  #isLate(exchange: Exchange): boolean {
    return this.#parts.clock.monotonic() >= dueOf(exchange);
  }
}

/** Each person has separate streams; all keys of an account share theirs. */
function liveOwnerOf({ exchange, operation, caller }: RequestCall, { sessions, keys }: AdmissionParts): LiveOwner {
  const { tenant, mode } = caller;
  if (caller.kind === 'key')
    return {
      tenant,
      holder: `keys of ${tenant}`,
      streams: `streams with API keys of this account in ${mode} mode`,
      isStillAdmitted: () => isKeyStillAdmitted(exchange, operation, keys),
    };
  assert(caller.kind === 'person', 'a visitor has nothing to follow');
  return {
    tenant,
    holder: caller.person.user,
    streams: 'streams of yours',
    isStillAdmitted: () => isStillAdmitted(exchange, operation, caller, sessions),
  };
}

function dueOf({ startedAt }: Exchange): number {
  return startedAt + answerDeadlineMs;
}

function noteScopes({ caller, scopes }: Exchange, keys: Authenticator): void {
  if (caller?.kind === 'key') for (const scope of scopes) keys.noteScope(caller.key, scope);
}

/** A session that has ended, or a role that was changed, on this instance. The others notice within a second. */
function mayChangePeople({ operation, caller }: RequestCall): boolean {
  return caller.kind !== 'key' && operation.method !== 'GET' && (operation.isPersonal || operation.right === 'people');
}
