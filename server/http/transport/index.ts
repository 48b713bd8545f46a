import type https from 'node:https';
import type { Socket } from 'node:net';
import { parseRanges } from '../../base/ip_range.ts';
import { peerAddress } from './client_address.ts';
import type { CloseBounds, TransportOptions } from './contract.ts';
import { dispatchRequests, refusalFor } from './dispatch.ts';
import { createFirstByte } from './first_byte.ts';
import { HttpConnections } from './http_connections.ts';
import { productionLimits } from './limits.ts';
import { lingeringClose } from './lingering_close.ts';
import { Listener } from './listener.ts';
import { createNodeServer, secureContextOf } from './node_server.ts';
import { Peers } from './peers.ts';

export type { CloseBounds, Handler, RefusedConnection, TransportOptions, TransportRefusal } from './contract.ts';
export { type Limits, productionLimits } from './limits.ts';

export type Transport = ReturnType<typeof createTransport>;

/** One port that serves HTTPS only. TLS is done by this process, or by a trusted proxy in front of it. */
export function createTransport(options: TransportOptions) {
  const limits = { ...productionLimits, ...options.limits };
  const trusted = options.tls.kind === 'proxy' ? parseRanges(options.tls.trustedProxies) : undefined;
  const connections = new HttpConnections(limits);

  const server = createNodeServer(options.tls, limits);
  dispatchRequests(server, options, connections, trusted);
  // From this event on HTTP is spoken on the socket: TLS is established, or the proxy does it.
  server.prependListener(trusted ? 'connection' : 'secureConnection', (socket: Socket) => connections.begin(socket));
  // Node starts the checks for header, request and idle time-outs on this event, and this server never listens itself.
  server.emit('listening');

  const firstByte = createFirstByte(limits, {
    tls: (socket) => server.emit('connection', socket),
    other: (socket) => {
      const refusal = refusalFor(options, peerAddress(socket), { code: 'https_required' });
      lingeringClose(socket, limits, refusal);
    },
  });
  const listener = new Listener(limits, options, new Peers(limits, trusted ?? [], options.log), (socket) => {
    if (trusted) server.emit('connection', socket);
    else firstByte.wait(socket);
  });

  let closing: Promise<void> | undefined;
  async function close(bounds: CloseBounds): Promise<void> {
    connections.drain();
    await listener.close(bounds, () => {
      firstByte.stop();
      connections.stop();
    });
    // Ends the interval that checks for time-outs. No connection is left that this could cut off.
    server.close();
  }

  return {
    /** Open connections. */
    connections: () => listener.connections,
    listen: (port: number, host: string) => listener.listen(port, host),
    /** For connections from now on. Those that are open keep the certificate that they were opened with. */
    useCertificate(pair: { cert: string; key: string }): void {
      (server as https.Server).setSecureContext(secureContextOf(pair));
    },
    /**
     * Closes without cutting off a client. From this call on every response says `Connection: close`. New connections are accepted for
     * `acceptForMs`, until load balancers have noticed. Then idle connections are ended, and the others are ended with their last
     * response. Connections still open `deadlineMs` after the call are destroyed. Resolves when no connection is left.
     */
    close(bounds: CloseBounds): Promise<void> {
      closing ??= close(bounds);
      return closing;
    },
  };
}
