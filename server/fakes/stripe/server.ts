import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { http } from '../../base/node_http.ts';
import { pause } from '../../base/timers.ts';
import { answerOf, type FakeApi, type FakeRequest } from './api.ts';
import { challengePage, decideChallenge, type FakePage } from './challenge.ts';
import { control, type FakeControls } from './control.ts';
import type { FakeFault } from './faults.ts';
import { type FakeAnswer, FakeIdempotency } from './idempotency.ts';
import { aboutAnother, contradicting } from './lies.ts';
import { FakeRefusal } from './refusal.ts';
import { randomText } from './world.ts';

const bodyBytesMax = 1_048_576;
const challengePath = '/_fake/challenge/';
/** A hold without a duration lasts longer than any client waits. */
const holdMs = 120_000;

/** Certificate and key, as PEM. */
export type FakeTls = { cert: string; key: string };

type FakeServed = FakeAnswer & { headers?: Record<string, string> };

/** The HTTP side: reads requests, lets faults strike, and answers. */
export class FakeServer {
  readonly server: Server;
  readonly #api: FakeApi;
  readonly #controls: FakeControls;
  readonly #idempotency: FakeIdempotency;

  constructor(api: FakeApi, controls: FakeControls, tls: FakeTls | undefined) {
    this.#api = api;
    this.#controls = controls;
    this.#idempotency = new FakeIdempotency(controls.world);
    const listener: RequestListener = (request, response) => {
      this.#serve(request, response).catch((error: Error) => {
        // A defect of the fake. It must not pass for a fault of Stripe's: it is printed, and the connection ends.
        console.error(error);
        request.socket.destroy();
      });
    };
    this.server = tls === undefined ? http.createServer(listener) : createTlsServer(tls, listener);
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(incoming.url ?? '/', 'http://localhost');
    const method = incoming.method ?? 'GET';
    const isOwn = pathname === '/_fake' || pathname.startsWith('/_fake/');
    const fault = isOwn ? undefined : this.#controls.faults.next(method, pathname);
    if (fault?.kind === 'reset_before') return reset(incoming.socket);
    if (fault?.kind === 'hold_before') return hold(incoming.socket, fault);
    const body = await readBody(incoming);
    const request: FakeRequest = {
      ...{ id: `req_${randomText(14)}`, method, path: pathname, query: search.slice(1), body },
      headers: incoming.headers as Record<string, string | undefined>,
    };
    if (pathname.startsWith(challengePath)) return sendPage(response, this.#challenge(request));
    if (isOwn) return send(response, request, await this.#control(request));
    const served = await this.#answer(request, fault);
    await this.#deliver(response, request, served, fault);
  }

  #challenge({ method, path, body }: FakeRequest): FakePage {
    const { world } = this.#controls;
    const token = path.slice(challengePath.length);
    world.catchUp();
    return method === 'POST'
      ? decideChallenge(world, token, new URLSearchParams(body).get('decision'))
      : challengePage(world, token);
  }

  async #control({ method, path, body }: FakeRequest): Promise<FakeAnswer> {
    try {
      return { status: 200, body: await control(this.#controls, `${method} ${path.slice('/_fake'.length)}`, body) };
    } catch (error) {
      if (!(error instanceof FakeRefusal)) throw error;
      return { status: error.status, body: { error: error.error } };
    }
  }

  /** Answers as Stripe does: key, route and parameters first, then the idempotency key, then the endpoint. */
  async #answer(request: FakeRequest, fault: FakeFault | undefined): Promise<FakeServed> {
    const early = refusedEarly(fault);
    if (early !== undefined) return early;
    let task: ReturnType<FakeApi['prepare']>;
    let stored: FakeAnswer | undefined;
    const key = request.method === 'POST' ? request.headers['idempotency-key'] : undefined;
    try {
      task = this.#api.prepare(request);
      stored = key === undefined ? undefined : this.#idempotency.begin(key, request.path, task.parameters);
    } catch (error) {
      if (error instanceof FakeRefusal) return { status: error.status, body: { error: error.error } };
      throw error;
    }
    if (stored !== undefined) return { ...stored, headers: { 'idempotent-replayed': 'true' } };
    if (fault?.kind === 'late_before') await pause(fault.ms ?? 0);
    const answer = fault?.kind === 'error_500_before' ? brokenDown() : task.run();
    const final = fault?.kind === 'error_500_after' ? brokenDown() : answer;
    if (key !== undefined) this.#idempotency.finish(key, 'isUnstored' in final ? undefined : final);
    return { status: final.status, body: structuredClone(final.body) };
  }

  /** Sends the answer, or what a fault makes of it. */
  async #deliver(response: ServerResponse, request: FakeRequest, served: FakeServed, fault?: FakeFault): Promise<void> {
    const socket = response.req.socket;
    switch (fault?.kind) {
      case 'reset_after':
        return reset(socket);
      case 'hold_after':
        return hold(socket, fault);
      case 'late_after':
        await pause(fault.ms ?? 0);
        return send(response, request, served);
      case 'html':
        response.writeHead(served.status, { 'content-type': 'text/html' });
        response.end('<html><body><h1>502 Bad Gateway</h1></body></html>');
        return;
      case 'cut_json': {
        const text = JSON.stringify(served.body, null, 2);
        response.writeHead(served.status, { 'content-type': 'application/json' });
        response.end(text.slice(0, text.length / 2));
        return;
      }
      case 'other_object':
        return send(response, request, { ...served, body: aboutAnother(this.#controls.world, served.body) });
      case 'contradiction':
        return send(response, request, { ...served, body: contradicting(served.body) });
      default:
        return send(response, request, served);
    }
  }
}

/** Refusals that come before anything begins, and are not stored. */
function refusedEarly(fault: FakeFault | undefined): FakeAnswer | undefined {
  if (fault?.kind === 'rate_limit_429')
    return refused(429, 'rate_limit', 'Request rate limit exceeded. You can learn more about rate limits in the docs.');
  if (fault?.kind === 'conflict_409')
    return refused(
      409,
      'idempotency_key_in_use',
      'There is currently another in-progress request using this Idempotent Key. Please try again later.',
    );
  return undefined;
}

function refused(status: number, code: string, message: string): FakeAnswer {
  return answerOf(() => {
    throw new FakeRefusal(status, { type: 'invalid_request_error', code, message });
  });
}

function brokenDown(): FakeAnswer {
  return { status: 500, body: { error: { type: 'api_error', message: 'An unknown error occurred' } } };
}

function reset(socket: Socket): void {
  if (socket instanceof TLSSocket)
    socket.destroy(); // Node cannot reset it; without an answer it looks the same
  else socket.resetAndDestroy();
}

/** Says nothing, and then hangs up. */
async function hold(socket: Socket, { ms = holdMs }: FakeFault): Promise<void> {
  await Promise.race([pause(ms), new Promise((resolve) => socket.once('close', resolve))]);
  socket.destroy();
}

function send(response: ServerResponse, request: FakeRequest, { status, body, headers = {} }: FakeServed): void {
  const { 'idempotency-key': key, 'stripe-version': version } = request.headers;
  response.writeHead(status, {
    'content-type': 'application/json',
    'request-id': request.id,
    ...(key === undefined ? {} : { 'idempotency-key': key }),
    ...(version === undefined ? {} : { 'stripe-version': version }),
    ...headers,
  });
  response.end(JSON.stringify(body, null, 2));
}

function sendPage(response: ServerResponse, { status, html, location }: FakePage): void {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    ...(location === undefined ? {} : { location }),
  });
  response.end(html);
}

async function readBody(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of incoming) {
    bytes += (chunk as Buffer).length;
    if (bytes > bodyBytesMax) throw new Error('the request is too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString();
}
