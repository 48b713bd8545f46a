import type http from 'node:http';
import type https from 'node:https';
import type { Limits } from './limits.ts';

export type TransportRefusal = {
  code: 'https_required' | 'request_malformed' | 'headers_too_large' | 'request_timeout';
  /** The header at fault. */
  param?: string;
  /** What the parser disliked, for the message. Never the client's own bytes. */
  detail?: string;
  /** The client's as far as it is known, else that of the other end of the connection; IPv4 written as IPv4. */
  remoteAddress: string | undefined;
};

export type Handler = (req: http.IncomingMessage, res: http.ServerResponse) => void;

export type TransportLog = (
  level: 'debug' | 'info' | 'warn' | 'error',
  fields: Record<string, unknown>,
  message: string,
) => void;

export type TransportOptions = {
  /** Trusted proxies are addresses or networks (`10.0.0.0/8`). */
  tls: { kind: 'direct'; cert: string; key: string } | { kind: 'proxy'; trustedProxies: readonly string[] };
  handler: Handler;
  /**
   * Returns the complete HTTP/1.1 response (status line, headers with `Connection: close` and `Content-Length`, body) for
   * what the transport refuses itself, so that it looks like every other refusal.
   */
  refusal: (refusal: TransportRefusal) => string;
  log: TransportLog;
  limits?: Partial<Limits>;
};

export type NodeServer = http.Server | https.Server;

export type Transport = {
  /**
   * For a framework that wants to be given its server. It never listens itself, and `clientError` listeners that were added
   * to it are removed by `listen`, because the transport answers parse errors and time-outs alone.
   */
  server: NodeServer;
  listen(port: number, host: string): Promise<{ port: number; host: string }>;
  /** Open connections. */
  connections(): number;
  /**
   * Closes without cutting anybody off. From the call on every response says `Connection: close`. New connections are
   * accepted for `acceptForMs`, until balancers have noticed; then idle ones are ended and the others finish what they
   * are being answered. What is left `deadlineMs` after the call is destroyed. Resolves when no connection is left.
   */
  close(bounds: { acceptForMs: number; deadlineMs: number }): Promise<void>;
};
