import type { IncomingMessage, ServerResponse } from 'node:http';
import { Unavailable } from '../../base/errors.ts';
import { KeyedQueue } from '../../base/keyed_queue.ts';
import type { Tenant } from '../../base/reads.ts';
import type { Streaming } from '../../operations/operation.ts';
import { apiError } from '../errors.ts';

export type Pieces = Streaming['stream'];

const turnWaitMaxMs = 20_000;
const perTenantMax = 8;

/** A stream whose first piece has been made. Either `send` or `abandon` must be called. */
export type PreparedStream = {
  /** Sends all pieces. Rejects if a later piece cannot be made. */
  send(response: ServerResponse): Promise<void>;
  abandon(): Promise<void>;
};

/** Answers that are sent in pieces, as fast as the client reads them. */
export class Streams {
  readonly #turns = new KeyedQueue();
  readonly #open = new Map<Tenant, number>();

  /** Makes the first piece, so that an error until then is answered like any other. */
  async begin(tenant: Tenant, pieces: Pieces): Promise<PreparedStream> {
    const leave = this.#enter(tenant);
    const end = async () => {
      leave();
      await pieces.return();
    };
    try {
      const first = await this.#next(tenant, pieces);
      const send = (response: ServerResponse) => this.#send(tenant, pieces, first, response).finally(end);
      return { send, abandon: end };
    } catch (error) {
      await end();
      throw error;
    }
  }

  async #send(
    tenant: Tenant,
    pieces: Pieces,
    first: IteratorResult<string, void>,
    response: ServerResponse,
  ): Promise<void> {
    response.on('error', () => {}); // the connection breaks at the same time, which is checked below
    try {
      for (let piece = first; !piece.done; piece = await this.#next(tenant, pieces))
        if (!(await written(response, piece.value))) return;
      if (!isGone(response)) response.end();
    } catch (error) {
      response.destroy(); // without the last chunk, so that the client does not take a part for the whole
      throw error;
    }
  }

  /** A stream holds a connection and a piece for as long as its client reads, so the streams of one account are limited. */
  #enter(tenant: Tenant): () => void {
    const open = this.#open.get(tenant) ?? 0;
    if (open >= perTenantMax)
      throw apiError('too_many_exports', {
        limit: perTenantMax,
        what: 'exports of this account',
        headers: { 'Retry-After': '10' },
      });
    this.#open.set(tenant, open + 1);
    return () => {
      const left = (this.#open.get(tenant) ?? 0) - 1;
      if (left > 0) this.#open.set(tenant, left);
      else this.#open.delete(tenant);
    };
  }

  /** The streams of one tenant take turns, so that together they use at most one database connection. */
  async #next(tenant: Tenant, pieces: Pieces): Promise<IteratorResult<string, void>> {
    const release = await this.#turns.acquire(String(tenant), turnWaitMaxMs);
    if (release === undefined)
      throw new Unavailable('the export waited too long for other exports of the same account');
    try {
      return await pieces.next();
    } finally {
      release();
    }
  }
}

/** Also checks the socket: a response that is pipelined behind another gets no event when the client leaves. */
export function isGone(response: ServerResponse): boolean {
  return response.req.socket.destroyed || response.destroyed;
}

/** Writes a piece. Returns whether the client is still connected. */
async function written(response: ServerResponse, piece: string): Promise<boolean> {
  if (!isGone(response) && !response.write(piece)) await taken(response);
  return !isGone(response);
}

/** Resolves when the client has read the data written, or has left. A client that does neither is disconnected by the transport. */
export function taken(response: ServerResponse): Promise<void> {
  const { socket } = response.req;
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    response.once('drain', done);
    socket.once('close', done);
    if (isGone(response)) done();
  });
}

/** In HTTP/1.0 the end of the connection ends the response, so a response that broke off would look complete. */
export function refuseOldHttp({ httpVersion }: IncomingMessage): void {
  if (httpVersion !== '1.1')
    throw apiError('request_malformed', {
      reason: `this answer is sent in chunks, which HTTP/${httpVersion} does not have`,
    });
}
