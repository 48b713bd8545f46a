import { once } from 'node:events';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { http } from '../base/node_http.ts';
import { deadline, every, pause, type Timer } from '../base/timers.ts';
import { commonCommands, type FakeCommands, type FakeControls, runCommand } from './commands.ts';
import type { FakeFault } from './faults.ts';
import { FakeRefusal } from './refusal.ts';

const host = '127.0.0.1';
const bodyBytesMax = 1_048_576;
/** A hold without a duration lasts longer than any client waits. */
const holdMs = 120_000;
const catchUpEveryMs = 100;

/** Certificate and key, as PEM. */
export type FakeTls = { cert: string; key: string };

export type FakeRequest = {
  method: string;
  path: string;
  query: string;
  body: string;
  headers: Readonly<Record<string, string | undefined>>;
};

/** An answer in JSON. */
export type FakeAnswer = { status: number; body: object; headers?: Record<string, string> };

/** A page for cardholders, or a script of one. */
export type FakePage = { status: number; html: string; location?: string; type?: string };

/** What a fake processor adds to what all have. */
export type FakeProcessor = Omit<FakeControls, 'refuse'> & {
  commands: FakeCommands;
  /** Answers a request to its API. The faults that happen while a request is executed are its own task. */
  answer(request: FakeRequest, fault: FakeFault | undefined): Promise<FakeAnswer>;
  /** A page below `/_fake/`, or a file; undefined if there is none. */
  page(request: FakeRequest): FakePage | undefined;
  /** Whether the path names a file that browsers load, which lies beside the API. */
  isFile(path: string): boolean;
  /** The answer about another object of the same kind. */
  aboutAnother(body: object): object;
  /** The answer with the opposite of what has happened. */
  contradicting(body: object): object;
};

/** Listens on loopback: reads requests, lets faults strike, and answers. */
export class FakeServer {
  readonly #processor: FakeProcessor;
  readonly #commands: FakeCommands;
  readonly #server: Server;
  readonly #scheme: 'http' | 'https';
  #port: number;
  #tick: Timer | undefined;
  #refusal: Timer | undefined;

  /** Port 0: any free one. Without a certificate it speaks plain HTTP. */
  constructor(processor: FakeProcessor, port: number, tls: FakeTls | undefined) {
    this.#processor = processor;
    this.#commands = { ...commonCommands({ ...processor, refuse: (ms) => this.refuse(ms) }), ...processor.commands };
    const listener: RequestListener = (request, response) => {
      this.#serve(request, response).catch((error: Error) => {
        // A defect of the fake. It must not pass for a fault of the processor: it is printed, and the connection ends.
        console.error(error);
        request.socket.destroy();
      });
    };
    this.#server = tls === undefined ? http.createServer(listener) : createTlsServer(tls, listener);
    this.#scheme = tls === undefined ? 'http' : 'https';
    this.#port = port;
  }

  get port(): number {
    return this.#port;
  }

  get url(): string {
    return `${this.#scheme}://${host}:${this.#port}`;
  }

  async start(): Promise<void> {
    await this.#listen();
    this.#tick = every(catchUpEveryMs, () => this.#processor.books.catchUp());
  }

  /** Refuses connections for so long. */
  async refuse(ms: number): Promise<void> {
    await this.#stopListening();
    // It keeps the process alive, which has no listener meanwhile.
    const { passed, cancel } = deadline(ms);
    this.#refusal = { cancel };
    passed.catch(() => this.#listen());
  }

  async close(): Promise<void> {
    this.#tick?.cancel();
    this.#refusal?.cancel();
    if (this.#server.listening) await this.#stopListening();
  }

  async #listen(): Promise<void> {
    this.#server.listen({ host, port: this.#port });
    await once(this.#server, 'listening');
    this.#port = (this.#server.address() as AddressInfo).port;
  }

  async #stopListening(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, search } = new URL(incoming.url ?? '/', 'http://localhost');
    const method = incoming.method ?? 'GET';
    const isOwn = pathname === '/_fake' || pathname.startsWith('/_fake/') || this.#processor.isFile(pathname);
    const fault = isOwn ? undefined : this.#processor.faults.next(method, pathname);
    if (fault?.kind === 'reset_before') return reset(incoming.socket);
    if (fault?.kind === 'hold_before') return hold(incoming.socket, fault);
    const request: FakeRequest = {
      method,
      path: pathname,
      query: search.slice(1),
      body: await readBody(incoming),
      headers: incoming.headers as Record<string, string | undefined>,
    };
    if (isOwn) return this.#serveOwn(response, request);
    await this.#deliver(response, await this.#processor.answer(request, fault), fault);
  }

  async #serveOwn(response: ServerResponse, request: FakeRequest): Promise<void> {
    this.#processor.books.catchUp();
    const page = this.#processor.page(request);
    if (page !== undefined) return sendPage(response, page);
    const name = `${request.method} ${request.path.slice('/_fake'.length)}`;
    try {
      send(response, { status: 200, body: await runCommand(this.#commands, name, request.body) });
    } catch (error) {
      if (!(error instanceof FakeRefusal)) throw error;
      send(response, error);
    }
  }

  /** Sends the answer, or what a fault makes of it. */
  async #deliver(response: ServerResponse, answer: FakeAnswer, fault: FakeFault | undefined): Promise<void> {
    const { socket } = response.req;
    switch (fault?.kind) {
      case 'reset_after':
        return reset(socket);
      case 'hold_after':
        return hold(socket, fault);
      case 'late_after':
        await pause(fault.ms ?? 0);
        return send(response, answer);
      case 'html':
        response.writeHead(answer.status, { 'content-type': 'text/html' });
        response.end('<html><body><h1>502 Bad Gateway</h1></body></html>');
        return;
      case 'cut_json': {
        const text = JSON.stringify(answer.body, null, 2);
        response.writeHead(answer.status, { 'content-type': 'application/json' });
        response.end(text.slice(0, text.length / 2));
        return;
      }
      case 'other_object':
        return send(response, { ...answer, body: this.#processor.aboutAnother(answer.body) });
      case 'contradiction':
        return send(response, { ...answer, body: this.#processor.contradicting(answer.body) });
      default:
        return send(response, answer);
    }
  }
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

function send(response: ServerResponse, { status, body, headers }: FakeAnswer): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body, null, 2));
}

function sendPage(response: ServerResponse, page: FakePage): void {
  const { status, html, location, type = 'text/html; charset=utf-8' } = page;
  response.writeHead(status, {
    'content-type': type,
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
