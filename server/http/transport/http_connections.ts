import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { after } from '../../base/timers.ts';
import type { Limits } from './limits.ts';
import { lingeringClose } from './lingering_close.ts';

/** A request, and the response that is owed for it. */
type Unanswered = { req: IncomingMessage; res: ServerResponse; keepAlive: boolean };

export type HttpConnection = {
  readonly socket: Socket;
  /** Oldest first: a client may send its next request before it has the answer to the last one. */
  readonly unanswered: Set<Unanswered>;
  latest: Unanswered | undefined;
  /** What had been read when the last answer was sent. More than this, and a further request has begun to arrive. */
  bytesReadWhenIdle: number;
  /** open: takes requests. closing: takes no more, still owes answers. closed: the last byte is written. */
  state: 'open' | 'closing' | 'closed';
  /** What to write before closing; called when it is time to write it. */
  lastResponse: () => string | undefined;
};

const nothing = () => undefined;

/** serving: takes requests. draining: answers each with `Connection: close`. stopped: also closes idle connections. */
type Phase = 'serving' | 'draining' | 'stopped';

/** All connections on which HTTP is spoken: what each still owes, and how each ends. */
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
      unanswered: new Set(),
      latest: undefined,
      bytesReadWhenIdle: 0,
      state: 'open',
      lastResponse: nothing,
    };
    this.#open.set(socket, connection);
    socket.once('close', () => this.#open.delete(socket));
    // After CONNECT the HTTP server no longer listens for errors, and an error without a listener ends the process.
    socket.on('error', () => {});
    // How the HTTP server closes after a response with `Connection: close`. Its own way resets a client that is still
    // sending the body of a request that was refused early.
    socket.destroySoon = () => this.#close(connection);
    if (this.#phase === 'stopped') this.#closeWhenIdle(connection);
  }

  of(socket: Socket): HttpConnection | undefined {
    return this.#open.get(socket);
  }

  /** Notes a request. Returns undefined when it must not be handled, because its answer could no longer be sent. */
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

  /** Refuses what the client sent last, after the answers to what it sent before. Nothing that it sends later is handled. */
  refuse(connection: HttpConnection, lastResponse: () => string | undefined): void {
    if (connection.state !== 'open') return;
    connection.state = 'closing';
    connection.lastResponse = lastResponse;
    if (connection.unanswered.size === 0) this.#close(connection, lastResponse());
  }

  /**
   * Refuses a request that was already noted, because it is malformed or because its body is broken off. If it was
   * answered nevertheless, by a handler that did not wait for the body, that answer stands.
   */
  refuseLatest(connection: HttpConnection, lastResponse: string): void {
    const { latest, unanswered } = connection;
    if (latest && !latest.res.headersSent) unanswered.delete(latest);
    this.refuse(connection, () => (latest?.res.headersSent ? undefined : lastResponse));
  }

  /** From now on every answer tells its client to close the connection. */
  drain(): void {
    this.#phase = 'draining';
    for (const connection of this.#open.values()) announceClose(connection);
  }

  /** Closes what is idle now, and everything else with its last answer. */
  stop(): void {
    this.#phase = 'stopped';
    for (const connection of this.#open.values()) this.#closeWhenIdle(connection);
  }

  /** A new connection, or one on which a request has begun to arrive, gets a moment. */
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

/** Only the last of several answers may say that it is the last, or those behind it would be lost. */
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
