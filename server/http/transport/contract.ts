import type http from 'node:http';
import type https from 'node:https';
import type { Log } from '../../base/log.ts';
import type { Limits } from './limits.ts';

export type TransportRefusal = {
  code: 'https_required' | 'request_malformed' | 'headers_too_large' | 'request_timeout';
  /** The header at fault. */
  param?: string;
  /** What is wrong, for the message. Never the client's own bytes. */
  detail?: string;
  /** The client's address if it is known, else that of the other end of the connection; IPv4 in IPv4 notation. */
  remoteAddress: string | undefined;
};

/** The limit that a connection would exceed: that of its address, or that of the instance. */
export type RefusedConnection = 'address' | 'instance';

/** `address` is the client's, also behind a trusted proxy; IPv4 in IPv4 notation. */
export type Handler = (req: http.IncomingMessage, res: http.ServerResponse, address: string) => void;

export type TransportOptions = {
  /** Trusted proxies are addresses or networks (`10.0.0.0/8`). */
  tls: { kind: 'direct'; cert: string; key: string } | { kind: 'proxy'; trustedProxies: readonly string[] };
  handler: Handler;
  /**
   * Returns the complete HTTP/1.1 response (status line, headers with `Connection: close` and `Content-Length`, body) for a request that
   * the transport refuses itself, so that it looks like every other refusal.
   */
  refusal: (refusal: TransportRefusal) => string;
  /** Called for each connection that is closed immediately. */
  connectionRefused: (why: RefusedConnection) => void;
  log: Log;
  limits?: Partial<Limits>;
};

export type NodeServer = http.Server | https.Server;

export type CloseBounds = { acceptForMs: number; deadlineMs: number };
