import net, { type AddressInfo, type Socket } from 'node:net';
import { after } from '../../base/timers.ts';
import type { TransportLog } from './contract.ts';
import type { Limits } from './limits.ts';

type Bounds = { acceptForMs: number; deadlineMs: number };

/** Accepts TCP connections, and knows which of them are open. */
export class Listener {
  readonly #server: net.Server;
  readonly #limits: Limits;
  readonly #log: TransportLog;
  readonly #sockets = new Set<Socket>();
  #emptied = () => {};

  constructor(limits: Limits, log: TransportLog, accept: (socket: Socket) => void) {
    this.#limits = limits;
    this.#log = log;
    this.#server = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      this.#keep(socket);
      accept(socket);
    });
    this.#server.maxConnections = limits.connectionsMax;
    reportDropped(this.#server, limits, log);
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
        // Such as a lack of file descriptors: the listener goes on.
        server.on('error', (error) => this.#log('error', { error: error.message }, 'cannot accept a connection'));
        const bound = server.address() as AddressInfo;
        resolve({ port: bound.port, host: bound.address });
      });
    });
  }

  /** `stop` is called when no more connections are accepted. Resolves when none is left, at the latest after the deadline. */
  async close(bounds: Bounds, stop: () => void): Promise<void> {
    await closeServer(this.#server, bounds, { stop, destroy: () => this.#destroyAll() });
    // The server counts a connection as gone a little before its last events.
    if (this.#sockets.size === 0) return;
    await new Promise<void>((resolve) => {
      this.#emptied = resolve;
    });
  }

  #keep(socket: Socket): void {
    this.#sockets.add(socket);
    socket.once('close', () => {
      this.#sockets.delete(socket);
      if (this.#sockets.size === 0) this.#emptied();
    });
    socket.on('error', () => {});
  }

  #destroyAll(): void {
    const connections = this.#sockets.size;
    if (connections > 0) this.#log('warn', { connections }, 'destroying connections left open');
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** One line for each time that the limit is reached, not for each connection over it. */
function reportDropped(server: net.Server, limits: Limits, log: TransportLog): void {
  let reported = false;
  server.on('drop', () => {
    if (!reported) log('warn', { connectionsMax: limits.connectionsMax }, 'too many connections, closing new ones');
    reported = true;
  });
  server.on('connection', () => {
    reported = false;
  });
}

/** Resolves when the server and all connections that it accepted are closed. */
function closeServer(
  server: net.Server,
  { acceptForMs, deadlineMs }: Bounds,
  then: { stop(): void; destroy(): void },
): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      if (!server.listening) return;
      server.close(() => {
        deadline.cancel();
        resolve();
      });
      then.stop();
    };
    const deadline = after(deadlineMs, () => {
      stop();
      then.destroy();
    });
    if (!server.listening) {
      deadline.cancel();
      resolve();
    } else if (acceptForMs === 0) {
      afterPendingReads(server, stop);
    } else {
      after(acceptForMs, () => afterPendingReads(server, stop));
    }
  });
}

/**
 * What has reached this machine is accepted and read before anything is judged idle. The event loop may accept one connection a
 * turn, so it goes on for as long as more of them come in, within reason.
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

const quietTurnsMin = 2;
const turnsMax = 20_000;
