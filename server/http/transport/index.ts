import http from 'node:http';
import https from 'node:https';
import net, { type AddressInfo, type Socket } from 'node:net';
import { after } from '../../base/timers.ts';
import { answerErrors, answerRequests, refusalFor } from './answer.ts';
import { parseTrustedProxies, peerAddress } from './client_address.ts';
import type { NodeServer, Transport, TransportLog, TransportOptions } from './contract.ts';
import { createConversations } from './conversations.ts';
import { createFirstByte } from './first_byte.ts';
import { hangUp } from './hang_up.ts';
import { type Limits, productionLimits } from './limits.ts';

export { clientAddress, parseTrustedProxies, type TrustedProxies } from './client_address.ts';
export type { Handler, Transport, TransportLog, TransportOptions, TransportRefusal } from './contract.ts';
export { type Limits, productionLimits } from './limits.ts';

/** One port, on which only HTTPS is served, by us or by a trusted proxy in front of us. */
export function createTransport(options: TransportOptions): Transport {
  const limits = { ...productionLimits, ...options.limits };
  const trusted = options.tls.kind === 'proxy' ? parseTrustedProxies(options.tls.trustedProxies) : undefined;
  const conversations = createConversations(limits);

  const server = createServer(options.tls, limits);
  answerRequests(server, options, conversations, trusted);
  // TLS is done, or was never ours to do: from here on HTTP is spoken on the socket. Asking for the peer's address makes
  // the socket remember it, so that it is still known when the client leaves before it is answered.
  server.prependListener(trusted ? 'connection' : 'secureConnection', (socket: Socket) => {
    void socket.remoteAddress;
    conversations.begin(socket);
  });
  // Header, request and idle time-outs start with this event, and this server is never told to listen.
  server.emit('listening');

  const firstByte = createFirstByte(limits, {
    tls: (socket) => server.emit('connection', socket),
    other: (socket) => hangUp(socket, limits, refusalFor(options, peerAddress(socket), { code: 'https_required' })),
  });
  const sockets = new Set<Socket>();
  let emptied = () => {};
  const listener = net.createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.once('close', () => {
      sockets.delete(socket);
      if (sockets.size === 0) emptied();
    });
    socket.on('error', () => {});
    if (trusted) server.emit('connection', socket);
    else firstByte.wait(socket);
  });
  listener.maxConnections = limits.connectionsMax;
  reportDropped(listener, limits, options.log);

  let closing: Promise<void> | undefined;
  async function close(bounds: { acceptForMs: number; deadlineMs: number }): Promise<void> {
    conversations.drain();
    await closeListener(listener, bounds, {
      stop() {
        firstByte.stop();
        conversations.stop();
      },
      giveUp() {
        if (sockets.size > 0) options.log('warn', { connections: sockets.size }, 'destroying connections left open');
        for (const socket of sockets) socket.destroy();
      },
    });
    // The listener counts a connection as gone a little before its last events.
    if (sockets.size > 0) {
      await new Promise<void>((resolve) => {
        emptied = resolve;
      });
    }
    // Ends the server's own interval; there is no connection left that this could cut off.
    server.close();
  }

  return {
    server,
    connections: () => sockets.size,
    listen(port, host) {
      // Not before: the framework has its server by now, and has added its own listeners to it.
      answerErrors(server, options, conversations);
      return listen(listener, { port, host, backlog: limits.backlogMax }, options.log);
    },
    close(bounds) {
      closing ??= close(bounds);
      return closing;
    },
  };
}

function createServer(tls: TransportOptions['tls'], limits: Limits): NodeServer {
  const settings = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    // Without Host the default is an empty 400; ours has a body.
    requireHostHeader: false,
    insecureHTTPParser: false,
  };
  const server =
    tls.kind === 'proxy'
      ? http.createServer(settings)
      : https.createServer({
          ...settings,
          cert: tls.cert,
          key: tls.key,
          minVersion: 'TLSv1.2',
          ALPNProtocols: ['http/1.1'],
          handshakeTimeout: limits.handshakeMs,
        });
  server.timeout = limits.stallMs;
  server.maxRequestsPerSocket = 0;
  // The default silently drops the headers after the 2,000th. Their bytes are bounded already.
  server.maxHeadersCount = 0;
  // A client that shuts down its sending side after its request still wants the answer.
  return Object.assign(server, { httpAllowHalfOpen: true });
}

/** One line for each time that the limit is reached, not for each connection over it. */
function reportDropped(listener: net.Server, limits: Limits, log: TransportLog): void {
  let reported = false;
  listener.on('drop', () => {
    if (!reported) log('warn', { connectionsMax: limits.connectionsMax }, 'too many connections, closing new ones');
    reported = true;
  });
  listener.on('connection', () => {
    reported = false;
  });
}

function listen(
  listener: net.Server,
  at: net.ListenOptions,
  log: TransportLog,
): Promise<{ port: number; host: string }> {
  return new Promise((resolve, reject) => {
    listener.once('error', reject);
    listener.listen(at, () => {
      listener.removeListener('error', reject);
      // Such as a lack of file descriptors: the listener goes on.
      listener.on('error', (error) => log('error', { error: error.message }, 'cannot accept a connection'));
      const bound = listener.address() as AddressInfo;
      resolve({ port: bound.port, host: bound.address });
    });
  });
}

/** Resolves when the listener and all connections that it accepted are closed. */
function closeListener(
  listener: net.Server,
  { acceptForMs, deadlineMs }: { acceptForMs: number; deadlineMs: number },
  then: { stop(): void; giveUp(): void },
): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      if (!listener.listening) return;
      listener.close(() => {
        deadline.cancel();
        resolve();
      });
      then.stop();
    };
    const deadline = after(deadlineMs, () => {
      stop();
      then.giveUp();
    });
    if (!listener.listening) {
      deadline.cancel();
      resolve();
    } else if (acceptForMs === 0) {
      afterPendingReads(listener, stop);
    } else {
      after(acceptForMs, () => afterPendingReads(listener, stop));
    }
  });
}

/**
 * What has reached this machine is accepted and read before anything is judged idle. The event loop may accept one connection a
 * turn, so it goes on for as long as more of them come in, within reason.
 */
function afterPendingReads(listener: net.Server, then: () => void): void {
  let quietTurns = 0;
  let turns = 0;
  const accepted = () => {
    quietTurns = 0;
  };
  listener.on('connection', accepted);
  const turn = () => {
    if (++quietTurns <= quietTurnsMin && ++turns <= turnsMax) {
      setImmediate(turn);
      return;
    }
    listener.removeListener('connection', accepted);
    then();
  };
  setImmediate(turn);
}

const quietTurnsMin = 2;
const turnsMax = 20_000;
