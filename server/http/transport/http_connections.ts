import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { after } from '../../base/timers.ts';
import { peerAddress } from './client_address.ts';
import type { Limits } from './limits.ts';
import { lingeringClose } from './lingering_close.ts';

/** A request, and the response that it waits for. */
type Unanswered = { req: IncomingMessage; res: ServerResponse; keepAlive: boolean };

type HttpConnection = {
  readonly socket: Socket;
  /** The address of the other end. Read at the start, because a socket that is closed no longer knows it. */
  readonly peer: string | undefined;
  /** Oldest first: a client may send its next request before it has the response to the last one. */
  readonly unanswered: Set<Unanswered>;
  latest: Unanswered | undefined;
  /** `socket.bytesRead` after the last response. If it has grown, a further request has begun to arrive. */
  bytesReadWhenIdle: number;
  /** open: takes requests. closing: takes no more, still owes responses. closed: the last byte is written. */
  state: 'open' | 'closing' | 'closed';
  /** Returns what to write before closing. Called once all other responses are sent. */
  lastResponse: () => string | undefined;
};

const nothing = () => undefined;

/** serving: takes requests. draining: answers each with `Connection: close`. stopped: also closes idle connections. */
type Phase = 'serving' | 'draining' | 'stopped';

/** All connections on which HTTP is spoken: the responses that each still owes, and how each is closed. */
export class HttpConnections {
  readonly #limits: Limits;
  readonly #open = new Map<Socket, HttpConnection>();
  #phase: Phase = 'serving';

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  begin(socket: Socket): void {
    const connection: HttpConnection = {
      socket,
      peer: peerAddress(socket),
      unanswered: new Set(),
      latest: undefined,
      bytesReadWhenIdle: socket.bytesRead,
      state: 'open',
      lastResponse: nothing,
    };
    this.#open.set(socket, connection);
    socket.once('close', () => this.#open.delete(socket));
    // After CONNECT the HTTP server no longer listens for errors, and an error without a listener ends the process.
    socket.on('error', () => {});
    // The HTTP server calls this after a response with `Connection: close`. The default resets a client that is still
    // sending the body of a request that was refused early.
    socket.destroySoon = () => this.#close(connection);
    if (this.#phase === 'stopped') this.#closeWhenIdle(connection);
  }

  /** Whether not a byte of a request has arrived. */
  isUnused({ latest, socket, bytesReadWhenIdle }: HttpConnection): boolean {
    return latest === undefined && socket.bytesRead === bytesReadWhenIdle;
  }

  of(socket: Socket): HttpConnection | undefined {
    return this.#open.get(socket);
  }

  /** Registers a request. Returns undefined when it must not be handled, because its response could no longer be sent. */
  take(req: IncomingMessage, res: ServerResponse): HttpConnection | undefined {
    const connection = this.#open.get(req.socket);
    if (connection?.state !== 'open' || saidClose(connection)) {
      req.resume();
      return undefined;
    }
    const taken = { req, res, keepAlive: res.shouldKeepAlive };
    connection.latest = taken;
    connection.unanswered.add(taken);
    if (this.#phase !== 'serving') announceClose(connection);
    res.once('close', () => this.#answered(connection, taken));
    return connection;
  }

  #answered(connection: HttpConnection, answered: Unanswered): void {
    connection.unanswered.delete(answered);
    connection.bytesReadWhenIdle = connection.socket.bytesRead;
    if (connection.unanswered.size > 0) return;
    if (connection.state === 'closing' || this.#phase === 'stopped') this.#close(connection, connection.lastResponse());
  }

  /** Refuses the latest bytes of a client, after the responses to its earlier requests. Later requests are not handled. */
  refuse(connection: HttpConnection, lastResponse: () => string | undefined): void {
    if (connection.state !== 'open') return;
    connection.state = 'closing';
    connection.lastResponse = lastResponse;
    if (connection.unanswered.size === 0) this.#close(connection, lastResponse());
  }

  /**
   * Refuses a request that is already registered, because it is malformed or its body is incomplete. If a handler that did
   * not wait for the body has answered it, that response stands.
   */
  refuseLatest(connection: HttpConnection, lastResponse: string): void {
    const { latest, unanswered } = connection;
    if (latest && !latest.res.headersSent) unanswered.delete(latest);
    this.refuse(connection, () => (latest?.res.headersSent ? undefined : lastResponse));
  }

  /** From now on every response says `Connection: close`. */
  drain(): void {
    this.#phase = 'draining';
    for (const connection of this.#open.values()) announceClose(connection);
  }

  /** Closes idle connections now, and all others after their last response. */
  stop(): void {
    this.#phase = 'stopped';
    for (const connection of this.#open.values()) this.#closeWhenIdle(connection);
  }

  /** A new connection, or one on which a request has begun to arrive, is closed after a grace period. */
  #closeWhenIdle(connection: HttpConnection): void {
    const closeIfIdle = () => {
      if (connection.unanswered.size === 0) this.#close(connection);
    };
    const isNew = connection.latest === undefined;
    const isArriving = connection.socket.bytesRead > connection.bytesReadWhenIdle;
    if (isNew || isArriving) {
      const grace = after(this.#limits.graceMs, closeIfIdle);
      connection.socket.once('close', grace.cancel);
    } else {
      closeIfIdle();
    }
  }

  #close(connection: HttpConnection, lastResponse?: string): void {
    if (connection.state === 'closed') return;
    connection.state = 'closed';
    lingeringClose(connection.socket, this.#limits, lastResponse);
  }
}

/** Of several pipelined responses only the last may say `Connection: close`, or those behind it would be lost. */
function announceClose(connection: HttpConnection): void {
  for (const owed of connection.unanswered) {
    if (owed.res.headersSent) continue;
    owed.res.shouldKeepAlive = owed === connection.latest ? false : owed.keepAlive;
  }
}

function saidClose(connection: HttpConnection): boolean {
  for (const { res } of connection.unanswered) {
    if (res.headersSent && !res.shouldKeepAlive) return true;
  }
  return false;
}
