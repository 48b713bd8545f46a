import http from 'node:http';
import https from 'node:https';
import type { NodeServer, TransportOptions } from './contract.ts';
import type { Limits } from './limits.ts';

/** The server that parses HTTP. It never listens itself: it is given the sockets that the listener accepts. */
export function createNodeServer(tls: TransportOptions['tls'], limits: Limits): NodeServer {
  const settings = {
    maxHeaderSize: limits.headerBytesMax,
    headersTimeout: limits.headersMs,
    requestTimeout: limits.requestMs,
    keepAliveTimeout: limits.keepAliveMs,
    connectionsCheckingInterval: limits.checkEveryMs,
    // By default Node answers a request without Host with an empty 400. `dispatch.ts` refuses it with a body.
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
  // By default Node silently drops all headers after the 2,000th. Their bytes are limited already.
  server.maxHeadersCount = 0;
  // A client that shuts down its sending side after its request still wants the response.
  return Object.assign(server, { httpAllowHalfOpen: true });
}
