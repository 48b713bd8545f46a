import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Unavailable } from '../../base/errors.ts';
import { KeyedQueue } from '../../base/keyed_queue.ts';
import type { Tenant } from '../../base/reads.ts';
import type { Streaming } from '../../resources/operation.ts';
import { refusal } from '../errors.ts';

export type Pieces = Streaming['stream'];

const turnWaitMaxMs = 20_000;
const perTenantMax = 8;

/** A stream whose first piece is made. One of the two must be called. */
export type BegunStream = {
  /** Sends all pieces, and throws what a later one throws. */
  send(socket: Socket, response: ServerResponse): Promise<void>;
  abandon(): Promise<void>;
};

/** Answers that are sent piece by piece, as fast as the client takes them. */
export class Streams {
  readonly #turns = new KeyedQueue();
  readonly #open = new Map<Tenant, number>();

  /** Makes the first piece, so that what fails until then is answered like everything else. */
  async begin(tenant: Tenant, pieces: Pieces): Promise<BegunStream> {
    const leave = this.#enter(tenant);
    const end = async () => {
      leave();
      await pieces.return();
    };
    try {
      const first = await this.#next(tenant, pieces);
      const send = (socket: Socket, response: ServerResponse) =>
        this.#send(tenant, pieces, first, socket, response).finally(end);
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
    socket: Socket,
    response: ServerResponse,
  ): Promise<void> {
    response.on('error', () => {}); // the connection breaks at the same time, and that is looked at below
    try {
      for (let piece = first; !piece.done; piece = await this.#next(tenant, pieces))
        if (!(await written(socket, response, piece.value))) return;
      if (!isGone(socket, response)) response.end();
    } catch (error) {
      response.destroy(); // without the last chunk: a part does not look like the whole
      throw error;
    }
  }

  /** Each holds a connection and a piece for as long as its client takes: one account shall not have them all. */
  #enter(tenant: Tenant): () => void {
    const open = this.#open.get(tenant) ?? 0;
    if (open >= perTenantMax)
      throw refusal('too_many_exports', { limit: perTenantMax, headers: { 'Retry-After': '10' } });
    this.#open.set(tenant, open + 1);
    return () => {
      const left = (this.#open.get(tenant) ?? 0) - 1;
      if (left > 0) this.#open.set(tenant, left);
      else this.#open.delete(tenant);
    };
  }

  /** The streams of one tenant take turns: all of them together occupy one connection to the database, and others have the rest. */
  async #next(tenant: Tenant, pieces: Pieces): Promise<IteratorResult<string, void>> {
    const release = await this.#turns.acquire(String(tenant), turnWaitMaxMs);
    if (release === undefined) throw new Unavailable('other exports of the same account did not let it through');
    try {
      return await pieces.next();
    } finally {
      release();
    }
  }
}

/** An answer that waits for its turn behind another one, on the same connection, is not told that the client has left. */
function isGone(socket: Socket, response: ServerResponse): boolean {
  return socket.destroyed || response.destroyed;
}

/** Whether the client is there for more. */
async function written(socket: Socket, response: ServerResponse, piece: string): Promise<boolean> {
  if (!isGone(socket, response) && !response.write(piece)) await taken(socket, response);
  return !isGone(socket, response);
}

/** Until the client has taken what was written, or has left. One that does neither is cut off by the transport. */
function taken(socket: Socket, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      response.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    response.once('drain', done);
    socket.once('close', done);
    if (isGone(socket, response)) done();
  });
}

/** Before HTTP/1.1 the end of the connection is the end of the answer, so one that was cut off would look complete. */
export function refuseOldHttp({ httpVersion }: IncomingMessage): void {
  if (httpVersion !== '1.1')
    throw refusal('request_malformed', {
      reason: `this answer comes in pieces, which HTTP/${httpVersion} has no sign for`,
    });
}
