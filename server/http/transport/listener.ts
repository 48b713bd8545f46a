import net, { type AddressInfo, type Socket } from 'node:net';
import type { Log } from '../../base/log.ts';
import { after } from '../../base/timers.ts';
import type { CloseBounds, TransportOptions } from './contract.ts';
import type { Limits } from './limits.ts';
import type { Peers } from './peers.ts';

const quietTurnsMin = 2;
const turnsMax = 20_000;

/** Accepts TCP connections, and knows which of them are open. */
export class Listener {
  readonly #server: net.Server;
  readonly #limits: Limits;
  readonly #log: Log;
  readonly #sockets = new Set<Socket>();

  constructor(
    limits: Limits,
    { log, connectionRefused }: Pick<TransportOptions, 'log' | 'connectionRefused'>,
    peers: Peers,
    accept: (socket: Socket) => void,
  ) {
    this.#limits = limits;
    this.#log = log;
    this.#server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      if (!peers.admit(socket)) {
        connectionRefused('address');
        socket.destroy();
        return;
      }
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
      socket.on('error', () => {});
      accept(socket);
    });
    this.#server.maxConnections = limits.connectionsMax;
    // Otherwise processes that share the port would pass round a connection that none of them accepts.
    Object.assign(this.#server, { dropMaxConnection: true }); // of Node 23 and newer; its types do not know it yet
    this.#server.on('drop', () => connectionRefused('instance'));
    this.#reportDropped();
  }

  get connections(): number {
    return this.#sockets.size;
  }

  listen(port: number, host: string): Promise<{ port: number; host: string }> {
    const server = this.#server;
    return new Promise((resolve, reject) => {
      server.once('error', reject);
      server.listen({ port, host, backlog: this.#limits.backlogMax }, () => {
        server.removeListener('error', reject);
        // Such as a lack of file descriptors. The server goes on listening.
        server.on('error', (error) => this.#log.error({ error: error.message }, 'cannot accept a connection'));
        const bound = server.address() as AddressInfo;
        resolve({ port: bound.port, host: bound.address });
      });
    });
  }

  /** Calls `stop` when no more connections are accepted. Resolves when none is left, soon after the deadline at the latest. */
  async close({ acceptForMs, deadlineMs }: CloseBounds, stop: () => void): Promise<void> {
    const server = this.#server;
    if (!server.listening) return;
    const closed = new Promise((resolve) => server.once('close', resolve));
    const stopAccepting = () => {
      if (!server.listening) return;
      server.close();
      stop();
    };
    const deadline = after(deadlineMs, () => {
      stopAccepting();
      this.#destroyAll();
    });
    if (acceptForMs === 0) afterPendingReads(server, stopAccepting);
    else after(acceptForMs, () => afterPendingReads(server, stopAccepting));
    await closed;
    deadline.cancel();
    // The server counts a connection as closed shortly before the last events of its socket.
    for (const socket of this.#sockets) await new Promise((resolve) => socket.once('close', resolve));
  }

  #destroyAll(): void {
    const connections = this.#sockets.size;
    if (connections > 0) this.#log.warn({ connections }, 'destroying connections left open');
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Logs one line each time that the limit is reached, not one for each dropped connection. */
  #reportDropped(): void {
    const { connectionsMax } = this.#limits;
    let reported = false;
    this.#server.on('drop', () => {
      if (!reported) this.#log.warn({ connectionsMax }, 'too many connections, closing new ones');
      reported = true;
    });
    this.#server.on('connection', () => {
      reported = false;
    });
  }
}

/**
 * Connections and bytes that have reached this machine are accepted and read before any connection is considered idle. The event loop may
 * accept only one connection a turn, so this waits until no more come in, for a limited number of turns.
 */
function afterPendingReads(server: net.Server, then: () => void): void {
  let quietTurns = 0;
  let turns = 0;
  const accepted = () => {
    quietTurns = 0;
  };
  server.on('connection', accepted);
  const turn = () => {
    if (++quietTurns <= quietTurnsMin && ++turns <= turnsMax) {
      setImmediate(turn);
      return;
    }
    server.removeListener('connection', accepted);
    then();
  };
  setImmediate(turn);
}
