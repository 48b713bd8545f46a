import type { Socket } from 'node:net';
import { parseTrustedProxies, peerAddress } from './client_address.ts';
import type { Transport, TransportOptions } from './contract.ts';
import { answerErrors, dispatchRequests, refusalFor } from './dispatch.ts';
import { createFirstByte } from './first_byte.ts';
import { HttpConnections } from './http_connections.ts';
import { productionLimits } from './limits.ts';
import { lingeringClose } from './lingering_close.ts';
import { Listener } from './listener.ts';
import { createNodeServer } from './node_server.ts';

export { clientAddress, parseTrustedProxies, type TrustedProxies } from './client_address.ts';
export type { Handler, Transport, TransportLog, TransportOptions, TransportRefusal } from './contract.ts';
export { type Limits, productionLimits } from './limits.ts';

/** One port, on which only HTTPS is served, by us or by a trusted proxy in front of us. */
export function createTransport(options: TransportOptions): Transport {
  const limits = { ...productionLimits, ...options.limits };
  const trusted = options.tls.kind === 'proxy' ? parseTrustedProxies(options.tls.trustedProxies) : undefined;
  const connections = new HttpConnections(limits);

  const server = createNodeServer(options.tls, limits);
  dispatchRequests(server, options, connections, trusted);
  // TLS is done, or was never ours to do: from here on HTTP is spoken on the socket. Asking for the peer's address makes
  // the socket remember it, so that it is still known when the client leaves before it is answered.
  server.prependListener(trusted ? 'connection' : 'secureConnection', (socket: Socket) => {
    void socket.remoteAddress;
    connections.begin(socket);
  });
  // Header, request and idle time-outs start with this event, and this server is never told to listen.
  server.emit('listening');

  const firstByte = createFirstByte(limits, {
    tls: (socket) => server.emit('connection', socket),
    other: (socket) => {
      const refusal = refusalFor(options, peerAddress(socket), { code: 'https_required' });
      lingeringClose(socket, limits, refusal);
    },
  });
  const listener = new Listener(limits, options.log, (socket) => {
    if (trusted) server.emit('connection', socket);
    else firstByte.wait(socket);
  });

  let closing: Promise<void> | undefined;
  async function close(bounds: { acceptForMs: number; deadlineMs: number }): Promise<void> {
    connections.drain();
    await listener.close(bounds, () => {
      firstByte.stop();
      connections.stop();
    });
    // Ends the server's own interval; there is no connection left that this could cut off.
    server.close();
  }

  return {
    server,
    connections: () => listener.connections,
    listen(port, host) {
      // Not before: whoever was given the server may have added listeners of its own to it.
      answerErrors(server, options, connections);
      return listener.listen(port, host);
    },
    close(bounds) {
      closing ??= close(bounds);
      return closing;
    },
  };
}
