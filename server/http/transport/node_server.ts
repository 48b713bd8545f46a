import http from 'node:http';
import https from 'node:https';
import type { NodeServer, TransportOptions } from './contract.ts';
import type { Limits } from './limits.ts';

/** The server that parses HTTP. It never listens itself: it is given the sockets that the listener accepted. */
export function createNodeServer(tls: TransportOptions['tls'], limits: Limits): NodeServer {
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
