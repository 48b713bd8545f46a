import https from 'node:https';
import type { SecureContextOptions } from 'node:tls';
import { http } from '../../base/node_http.ts';
import type { NodeServer, TransportOptions } from './contract.ts';
import type { Limits } from './limits.ts';

/**
 * Suites with forward secrecy and authenticated encryption. The default of Node also has suites of TLS 1.2 with CBC, which attacks on
 * padding and timing have broken in several implementations.
 */
const ciphers = [
  'TLS_AES_128_GCM_SHA256',
  'TLS_AES_256_GCM_SHA384',
  'TLS_CHACHA20_POLY1305_SHA256',
  'ECDHE-ECDSA-AES128-GCM-SHA256',
  'ECDHE-RSA-AES128-GCM-SHA256',
  'ECDHE-ECDSA-AES256-GCM-SHA384',
  'ECDHE-RSA-AES256-GCM-SHA384',
  'ECDHE-ECDSA-CHACHA20-POLY1305',
  'ECDHE-RSA-CHACHA20-POLY1305',
].join(':');

/** What a server presents to its clients: given at the start, and again when the certificate is renewed. */
export function secureContextOf({ cert, key }: { cert: string; key: string }): SecureContextOptions {
  return { cert, key, minVersion: 'TLSv1.2', ciphers };
}

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
          ...secureContextOf(tls),
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
