import type { Clock } from '../../base/clock.ts';
import { type ApiError, errorBody } from '../../base/errors.ts';
import { newId } from '../../base/id.ts';
import type { Log } from '../../base/log.ts';
import type { RefusedActRecorder } from '../../resources/people/audit_log/refused.ts';
import type { RequestLog } from '../../resources/views/request_logs/writer.ts';
import type { AddressLimiter } from '../admission/address_limit.ts';
import { apiError } from '../errors.ts';
import type { Exchange } from '../exchange.ts';
import type { TransportRefusal } from '../transport/index.ts';
import { type Answer, answerOfRefusal, answerOfRefusedPage } from './answer.ts';
import { errorOf } from './failures.ts';
import { commonHeaders, type FlatHeaders, refusalHeaders } from './headers.ts';
import type { PreparedLive } from './live.ts';
import type { Metrics } from './metrics.ts';
import { refusedActOf } from './refused_act.ts';
import { pathOf, recordOf } from './request_record.ts';
import type { PreparedStream } from './streams.ts';

type ResponderParts = {
  clock: Clock;
  log: Log;
  metrics: Metrics;
  requestLog: RequestLog;
  refusedActs: RefusedActRecorder;
  addresses: AddressLimiter;
};

/** Sends every answer, and records it in the log, the metrics and the request log. */
export class Responder {
  readonly #parts: ResponderParts;

  constructor(parts: ResponderParts) {
    this.#parts = parts;
  }

  send(exchange: Exchange, answer: Answer): void {
    const { response, method } = exchange;
    const { status, contentType, body } = answer;
    const headers = this.#headersOf(exchange, answer.cacheControl);
    headers.push('Content-Type', contentType, 'Content-Length', String(Buffer.byteLength(body)), ...answer.headers);
    response.writeHead(status, headers);
    response.end(method === 'HEAD' ? undefined : body);
    exchange.refusal = answer.refusal;
    this.#record(exchange, status, typeof body === 'string' ? body : undefined);
  }

  /** Sends an answer in pieces. If a later piece fails, the client has got status 200 and sees the connection break, but the failure is logged. */
  async stream(exchange: Exchange, media: string, { send }: PreparedStream): Promise<void> {
    const { response } = exchange;
    const headers = this.#headersOf(exchange);
    headers.push('Content-Type', `${media}; charset=utf-8`);
    response.writeHead(200, headers);
    try {
      await send(response);
      this.#record(exchange, 200);
    } catch (error) {
      const refused = await errorOf(error, exchange, this.#parts);
      exchange.refusal = refused;
      this.#record(exchange, refused.status);
    }
  }

  /** Begins an answer that does not end. It is recorded now: how long it lasts is up to the client. */
  live(exchange: Exchange, { send }: PreparedLive): void {
    const headers = this.#headersOf(exchange);
    // Proxies that gather answers would hold messages back.
    headers.push('Content-Type', 'text/event-stream; charset=utf-8', 'X-Accel-Buffering', 'no');
    exchange.response.writeHead(200, headers);
    send(exchange.response);
    this.#record(exchange, 200);
  }

  /** Answers with the refusal for an error. Never throws: an error would be caught nowhere and end the process. */
  async fail(exchange: Exchange, error: unknown): Promise<void> {
    try {
      const refused = await errorOf(error, exchange, this.#parts);
      if (!exchange.response.headersSent) this.send(exchange, answerToRefused(exchange, refused));
    } catch (again) {
      this.#parts.log.error({ requestId: exchange.requestId, error: String(again) }, 'could not answer a request');
      exchange.response.destroy();
    }
  }

  /** The whole response to bytes that the transport refuses before they are a request. It looks like every other refusal. */
  transportRefusal({ code, detail = 'it could not be parsed', param, remoteAddress }: TransportRefusal): string {
    const refused =
      code === 'request_malformed' ? apiError(code, { reason: detail, param }) : apiError(code, { param });
    const rate = this.#parts.addresses.take(remoteAddress ?? 'unknown').state;
    const headers = commonHeaders(newId('req', this.#parts.clock.now()), rate);
    const body = errorBody(refused);
    headers.push(...refusalHeaders(refused), 'Content-Type', 'application/json');
    headers.push('Content-Length', String(Buffer.byteLength(body)), 'Connection', 'close');
    let head = `HTTP/1.1 ${refused.status} Bad Request\r\n`;
    for (let at = 0; at < headers.length; at += 2) head += `${headers[at]}: ${headers[at + 1]}\r\n`;
    return `${head}\r\n${body}`;
  }

  #headersOf({ requestId, rate, address }: Exchange, cacheControl?: string): FlatHeaders {
    return commonHeaders(requestId, rate ?? this.#parts.addresses.peek(address), cacheControl);
  }

  #record(exchange: Exchange, status: number, body?: string): void {
    const { requestId, method, operation, address, caller, refusal, objectId } = exchange;
    const { clock, metrics, log, requestLog, refusedActs } = this.#parts;
    const { account, key, user } = loggedCaller(caller);
    const milliseconds = clock.monotonic() - exchange.startedAt;
    if (exchange.isProbe) metrics.probe(exchange.page!, status);
    else metrics.request(operation?.name ?? 'none', status, milliseconds / 1_000);
    if (status < exchange.loggedFrom) return;
    log[exchange.isProbe ? 'debug' : 'info'](
      {
        requestId,
        method,
        path: pathOf(exchange),
        operation: operation?.name,
        status,
        code: refusal?.code,
        ms: Math.round(milliseconds * 10) / 10,
        address,
        account,
        mode: caller?.mode,
        key,
        user,
        object: objectId,
      },
      'request',
    );
    requestLog.add(recordOf(exchange, { status, body }, exchange.startedAt + milliseconds));
    const refused = refusedActOf(exchange);
    if (refused !== undefined) refusedActs.add(refused);
  }
}

/** To a person, the page says it in words; its headers are those of the refusal too. */
function answerToRefused({ renderRefusal, request }: Exchange, refused: ApiError): Answer {
  if (renderRefusal === undefined) return answerOfRefusal(refused);
  const secondsLeft = Number(refused.headers['Retry-After'] ?? 1);
  return answerOfRefusedPage(refused, renderRefusal({ status: refused.status, secondsLeft }, request.headers));
}

function loggedCaller(caller: Exchange['caller']): { account?: string; key?: string; user?: string } {
  if (caller?.kind === 'key') return { account: caller.key.account, key: caller.key.id };
  if (caller?.kind !== 'person') return {};
  return { ...(caller.account !== null && { account: caller.account }), user: caller.person.user };
}
