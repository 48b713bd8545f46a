import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { Clock } from '../base/clock.ts';
import { assert, errorBody, Refusal, Unavailable } from '../base/errors.ts';
import { newId } from '../base/id.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Log } from '../base/log.ts';
import type { Page, PageMethod } from '../base/page.ts';
import type { Tenant } from '../base/reads.ts';
import type { AnyOperation } from '../resources/operation.ts';
import { admit, admitToPage, type Gates } from './admission/admission.ts';
import { readPath } from './admission/versions.ts';
import {
  commonHeaders,
  describeError,
  type FlatHeaders,
  frameworkRefusal,
  helpLink,
  internalError,
  refusalHeaders,
  unavailable,
} from './answering/answer.ts';
import type { Metrics } from './answering/metrics.ts';
import { pathOf, type RequestLog, safePath } from './answering/request_log.ts';
import { type Pieces, refuseOldHttp, Streams } from './answering/streams.ts';
import { refusal } from './errors.ts';
import { beginExchange, type Exchange, exchangeOf, keyOf } from './exchange.ts';
import { methodsOf, pageTest } from './pages/page_paths.ts';
import { preferredMedia } from './reading/media.ts';
import { readParameters } from './reading/read_parameters.ts';
import { differingParameters, redactParameters } from './reading/redact.ts';
import { checkSignature } from './reading/signature.ts';
import { Deadlines } from './running/deadlines.ts';
import { checkIdempotencyKey, KeyReused, type Replay, type Saved } from './running/idempotency.ts';
import type { RequestRunner } from './running/run_operation.ts';
import {
  clientAddress,
  createTransport,
  parseTrustedProxies,
  type Transport,
  type TransportOptions,
} from './transport/index.ts';

const bodyBytesMax = 262_144;
const answerDeadlineMs = 25_000;
const pathPartCharsMax = 1_000;
const emptyBody = Buffer.alloc(0);

export type ServerParts = {
  operations: readonly AnyOperation[];
  pages: readonly Page[];
  tls: TransportOptions['tls'];
  limits?: TransportOptions['limits'];
  clock: Clock;
  keyring: Keyring;
  log: Log;
  metrics: Metrics;
  gates: Gates;
  runner: RequestRunner;
  requestLog: RequestLog;
};

/** The API and its pages behind one TLS port. */
export class HttpServer {
  readonly #parts: ServerParts;
  readonly #app: FastifyInstance;
  readonly #trustedProxies;
  readonly #addresses = new WeakMap<Socket, string>();
  readonly #paths: { pattern: RegExp; method: string }[];
  readonly #deadlines: Deadlines;
  readonly #streams = new Streams();
  #transport: Transport | undefined;

  constructor(parts: ServerParts) {
    this.#parts = parts;
    this.#deadlines = new Deadlines(parts.clock);
    this.#trustedProxies = parts.tls.kind === 'proxy' ? parseTrustedProxies(parts.tls.trustedProxies) : undefined;
    this.#paths = [
      ...parts.operations.map(({ route, method }) => ({ method, pattern: routePattern(`/v1${route}`) })),
      ...parts.pages.flatMap((page) => methodsOf(page).map((method) => ({ method, pattern: routePattern(page.path) }))),
    ];
    this.#app = this.#compose();
  }

  async listen(port: number, host: string): Promise<{ port: number; host: string }> {
    await this.#app.ready();
    this.#parts.metrics.watchConnections(() => this.#transport!.connections());
    return this.#transport!.listen(port, host);
  }

  async close(bounds: { acceptForMs: number; deadlineMs: number }): Promise<void> {
    await this.#transport!.close(bounds);
    this.#deadlines.stop();
  }

  #compose(): FastifyInstance {
    const isPage = pageTest(this.#parts.pages);
    const app = Fastify({
      serverFactory: (handler) => {
        this.#transport = createTransport({
          tls: this.#parts.tls,
          handler,
          refusal: (below) => this.#refuseBelow(below),
          log: (level, fields, message) => this.#parts.log[level](fields, message),
          ...(this.#parts.limits === undefined ? {} : { limits: this.#parts.limits }),
        });
        return this.#transport.server as never;
      },
      rewriteUrl: (raw) => this.#begin(raw as unknown as IncomingMessage, isPage),
      // What the router cannot even read is an unknown path like any other: it is refused after the key and the rate limit.
      frameworkErrors: (_error, request, reply) => {
        this.#admit(request as never, undefined).catch((refused) =>
          this.#fail(refused, request as never, reply as never),
        );
      },
      bodyLimit: bodyBytesMax,
      exposeHeadRoutes: false,
      return503OnClosing: false,
      routerOptions: { maxParamLength: pathPartCharsMax },
    });
    // The runner reads bodies itself: strictly, and after the signature was checked on the very bytes.
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    // Admission is a hook of each route, which knows what it serves; asking the framework would cost an object a request.
    app.addHook('onRequest', (request, _reply, done) => {
      if (request.is404) this.#admit(request, undefined).then(() => done(), done);
      else done();
    });
    app.setErrorHandler((error, request, reply) => this.#fail(error, request, reply));
    app.setNotFoundHandler((request) => {
      throw this.#unrecognized(exchangeOf(request.raw));
    });
    for (const operation of this.#parts.operations) {
      const handler = (request: FastifyRequest, reply: FastifyReply) => this.#serve(operation, request, reply);
      const onRequest = (request: FastifyRequest) => this.#admit(request, operation);
      app.route({ method: operation.method, url: `/v1${operation.route}`, onRequest, handler });
    }
    for (const page of this.#parts.pages) {
      const handler = (request: FastifyRequest, reply: FastifyReply) => this.#servePage(page, request, reply);
      const onRequest = async (request: FastifyRequest) => {
        exchangeOf(request.raw).page = page.path;
        admitToPage(request.raw, exchangeOf(request.raw), this.#parts.gates, page.counted === true);
      };
      app.route({ method: [...methodsOf(page)], url: page.path, onRequest, handler });
    }
    return app;
  }

  /** The first thing that happens to a request: it gets its id, and its path is brought below the version that serves it. */
  #begin(raw: IncomingMessage, isPage: (path: string) => boolean): string {
    const { clock } = this.#parts;
    // A client that takes us for a proxy sends the whole address (RFC 9112, 3.2.2): its path is what is asked for.
    const path = (raw.url ?? '/').replace(/^https?:\/\/[^/?]*/i, '');
    const version = readPath(path, isPage);
    const facts = { now: clock.now(), monotonic: clock.monotonic(), address: this.#addressOf(raw), version };
    const exchange = beginExchange(raw, facts);
    // The framework would judge the type of a body before its bytes and its signature. That comes later, and is not its business.
    if (exchange.contentType !== undefined) raw.headers['content-type'] = 'application/octet-stream';
    return version.path;
  }

  /** Without a proxy, a connection has one client: its address is worked out once. */
  #addressOf(raw: IncomingMessage): string {
    if (this.#trustedProxies !== undefined) return clientAddress(raw, this.#trustedProxies);
    let address = this.#addresses.get(raw.socket);
    if (address === undefined) {
      address = clientAddress(raw, undefined);
      this.#addresses.set(raw.socket, address);
    }
    return address;
  }

  #admit(request: FastifyRequest, operation: AnyOperation | undefined): Promise<void> {
    const exchange = exchangeOf(request.raw);
    exchange.operation = operation;
    const admitted = admit(request.raw, exchange, this.#parts.gates, () => this.#unrecognized(exchange));
    return this.#deadlines.wait(admitted, exchange.startedAt + answerDeadlineMs);
  }

  async #serve(operation: AnyOperation, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { raw } = request;
    const exchange = exchangeOf(raw);
    const body = (request.body as Buffer | undefined) ?? emptyBody;
    const { caller } = exchange;
    assert(caller, 'a request is served after it was admitted');
    const now = this.#parts.clock.now();
    const signed = checkSignature({
      signatureRequired: caller.kind === 'key' && caller.key.signature_required,
      headers: raw.headers,
      method: exchange.method,
      target: exchange.target,
      body,
      now,
    });
    const parameters = readParameters(
      operation,
      {
        target: exchange.target,
        body,
        contentType: exchange.contentType,
        contentEncoding: raw.headers['content-encoding'],
      },
      { now, mode: caller.mode },
    );
    this.#noteIdempotencyKey(exchange, operation, raw);
    exchange.parameters = JSON.stringify(redactParameters(this.#parts.keyring, parameters, operation.input));
    const { id = '' } = request.params as { id?: string };
    const media = preferredMedia(raw.headers.accept, operation.offers);
    const { requestId } = exchange;
    const call = { exchange, operation, caller, id, requestId, parameters, media, signature: signed.once };
    // A caller is told after 25 s at the latest. The work goes on: a retry with the same idempotency key finds what it committed.
    const answer = await this.#deadlines.wait(this.#parts.runner.run(call), exchange.startedAt + answerDeadlineMs);
    if ('stream' in answer)
      await this.#stream(request, reply, { tenant: caller.tenant, media: media!, pieces: answer.stream });
    else this.#answer(reply, exchange, answer);
  }

  #noteIdempotencyKey(exchange: Exchange, operation: AnyOperation, raw: IncomingMessage): void {
    const key = raw.headers['idempotency-key'];
    if (key === undefined || operation.method === 'GET') return;
    checkIdempotencyKey(String(key));
    exchange.idempotencyKey = String(key);
  }

  #answer(reply: FastifyReply, exchange: Exchange, answer: Saved | Replay): void {
    const headers: FlatHeaders = [];
    if ('firstRequestId' in answer) headers.push('Idempotent-Replayed', 'true');
    if (answer.status !== 200) {
      exchange.errorCode = JSON.parse(answer.body).error.code as string;
      headers.push('Link', helpLink(exchange.errorCode));
    }
    this.#send(reply, exchange, answer.status, 'application/json', answer.body, headers);
  }

  /** Begins with the first piece, so that what fails until then is answered like everything else. */
  async #stream(
    request: FastifyRequest,
    reply: FastifyReply,
    { tenant, media, pieces }: { tenant: Tenant; media: string; pieces: Pieces },
  ): Promise<void> {
    const exchange = exchangeOf(request.raw);
    refuseOldHttp(request.raw);
    const begun = this.#streams.begin(tenant, pieces);
    const { send } = await this.#deadlines.wait(begun, exchange.startedAt + answerDeadlineMs).catch((error) => {
      void begun.then(({ abandon }) => abandon()).catch(() => {}); // nobody waits for it any more
      throw error;
    });
    reply.raw.writeHead(200, [...this.#commonHeaders(exchange), 'Content-Type', `${media}; charset=utf-8`]);
    reply.hijack();
    try {
      await send(request.raw.socket, reply.raw);
      this.#note(exchange, 200);
    } catch (error) {
      // The client was told 200 and sees the connection break. For the operator it is the failure that it is.
      const refused = await this.#refusalOf(error, exchange, false);
      exchange.errorCode = refused.code;
      this.#note(exchange, refused.status);
    }
  }

  async #servePage(page: Page, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const body = (request.body as Buffer | undefined) ?? emptyBody;
    const params = request.params as Record<string, string>;
    const exchange = exchangeOf(request.raw);
    const [, query = ''] = /\?(.*)/s.exec(exchange.target) ?? [];
    const { headers: sent, method } = request.raw;
    const { address } = exchange;
    const rendering = Promise.resolve(
      page.render({ method: method as PageMethod, params, query, headers: sent, body, address }),
    );
    const rendered = await this.#deadlines.wait(rendering, exchange.startedAt + answerDeadlineMs);
    const headers = Object.entries(rendered.headers ?? {}).flat();
    this.#send(reply, exchange, rendered.status, rendered.contentType, rendered.body, headers);
  }

  async #fail(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const exchange = exchangeOf(request.raw);
    const left = request.raw.destroyed && !request.raw.complete; // the client, in the middle of its body
    const refused = await this.#refusalOf(error, exchange, left);
    exchange.errorCode = refused.code;
    this.#send(reply, exchange, refused.status, 'application/json', errorBody(refused), refusalHeaders(refused));
  }

  async #refusalOf(error: unknown, exchange: Exchange, left: boolean): Promise<Refusal> {
    if (error instanceof Refusal) return error;
    if (error instanceof KeyReused) return this.#reused(error, exchange);
    const known = frameworkRefusal(error as { code?: string }, { bodyBytesMax });
    if (known !== undefined) return known;
    if (left) return refusal('request_malformed', { reason: 'the connection ended before the body did' });
    if (error instanceof Unavailable) {
      this.#parts.log.warn({ requestId: exchange.requestId, error: describeError(error) }, 'unavailable');
      return unavailable();
    }
    this.#parts.log.error(
      { requestId: exchange.requestId, error: describeError(error) },
      'a request failed on our side',
    );
    return internalError(exchange);
  }

  /** Names the parameters that differ, when the log still has the first request. */
  async #reused(error: KeyReused, exchange: Exchange): Promise<Refusal> {
    const param = 'Idempotency-Key';
    if (error.operation !== exchange.operation?.name)
      return refusal('idempotency_key_reused', { param, difference: `, ${error.operation}` });
    const first = await this.#parts.requestLog.parametersOf(error.tenant, error.firstRequestId).catch(() => undefined);
    if (first === undefined) return refusal('idempotency_key_reused', { param, difference: '' });
    const names = differingParameters(first, JSON.parse(exchange.parameters ?? '{}'));
    // The fingerprint covers the operation, the id in the path and the parameters: if these are equal, it was the id.
    const difference = ` (different: ${names.length === 0 ? 'id' : names.join(', ')})`;
    return refusal('idempotency_key_reused', { param, difference });
  }

  #unrecognized(exchange: Exchange): Refusal {
    const path = exchange.version.path.split('?', 1)[0]!;
    const allowed = this.#paths.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
    return refusal('url_unrecognized', {
      method: exchange.method,
      path: safePath(exchange.target),
      headers: allowed.length === 0 ? {} : { Allow: [...new Set(allowed)].join(', ') },
    });
  }

  #send(
    reply: FastifyReply,
    exchange: Exchange,
    status: number,
    type: string,
    body: string,
    headers: FlatHeaders,
  ): void {
    const all = this.#commonHeaders(exchange);
    all.push('Content-Type', type, 'Content-Length', String(Buffer.byteLength(body)), ...headers);
    const response: ServerResponse = reply.raw;
    response.writeHead(status, all); // before the framework lets go: should it throw, the error is still answered
    reply.hijack();
    response.end(exchange.method === 'HEAD' ? undefined : body);
    this.#note(exchange, status);
  }

  #commonHeaders(exchange: Exchange): FlatHeaders {
    return commonHeaders(exchange.requestId, exchange.rate ?? this.#parts.gates.addresses.peek(exchange.address));
  }

  #note(exchange: Exchange, status: number): void {
    const { requestId, method, operation, address, errorCode, objectId } = exchange;
    const key = keyOf(exchange);
    const milliseconds = this.#parts.clock.monotonic() - exchange.startedAt;
    this.#parts.metrics.request(operation?.name ?? 'none', status, milliseconds / 1_000);
    this.#parts.log.info(
      {
        requestId,
        method,
        path: pathOf(exchange),
        operation: operation?.name,
        status,
        code: errorCode,
        ms: Math.round(milliseconds * 10) / 10,
        address,
        account: key?.account,
        mode: key?.mode,
        key: key?.id,
        object: objectId,
      },
      'request',
    );
    this.#parts.requestLog.add(exchange, status);
  }

  /** A refusal made by the transport, before there is a request: it looks like every other. */
  #refuseBelow(below: Parameters<TransportOptions['refusal']>[0]): string {
    const refused =
      below.code === 'request_malformed'
        ? refusal('request_malformed', { reason: below.detail ?? 'it could not be parsed', param: below.param })
        : refusal(below.code, { param: below.param });
    const { clock, gates } = this.#parts;
    const rate = gates.addresses.take(below.remoteAddress ?? 'unknown').state;
    const body = errorBody(refused);
    const headers = [...commonHeaders(newId('req', clock.now()), rate), ...refusalHeaders(refused)];
    headers.push(
      'Content-Type',
      'application/json',
      'Content-Length',
      String(Buffer.byteLength(body)),
      'Connection',
      'close',
    );
    let text = `HTTP/1.1 ${refused.status} Bad Request\r\n`;
    for (let at = 0; at < headers.length; at += 2) text += `${headers[at]}: ${headers[at + 1]}\r\n`;
    return `${text}\r\n${body}`;
  }
}

function routePattern(route: string): RegExp {
  return new RegExp(`^${route.replaceAll(/:\w+/g, '[^/]+')}$`);
}
