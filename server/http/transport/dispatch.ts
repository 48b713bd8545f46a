import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress, isTrusted, peerAddress, type TrustedProxies } from './client_address.ts';
import type { NodeServer, TransportOptions, TransportRefusal } from './contract.ts';
import type { HttpConnections } from './http_connections.ts';

/** Gives the handler the requests that may be served, and refuses the others before it sees them. */
export function dispatchRequests(
  server: NodeServer,
  options: TransportOptions,
  connections: HttpConnections,
  trusted: TrustedProxies | undefined,
): void {
  const { handler } = options;

  /** Whether the handler may have the request. */
  function admit(req: IncomingMessage, res: ServerResponse, fault = faultOf(req, trusted)): boolean {
    const connection = connections.take(req, res);
    if (!connection) return false;
    if (!fault) return true;
    req.resume();
    const response = refusalFor(options, clientAddress(req, trusted), fault);
    connections.refuseLatest(connection, req.method === 'HEAD' ? headOf(response) : response);
    return false;
  }

  server.on('request', (req, res) => {
    if (admit(req, res)) handler(req, res);
  });
  server.on('checkContinue', (req, res) => {
    if (!admit(req, res)) return;
    res.writeContinue();
    handler(req, res);
  });
  server.on('checkExpectation', (req, res) => {
    admit(req, res, faultOf(req, trusted) ?? { code: 'request_malformed', param: 'Expect' });
  });
  // For a tunnel there is no response object, only the socket. Upgrade has no listener and is thereby ignored.
  server.on('connect', (_req, socket: Socket) => {
    const connection = connections.of(socket);
    const fault = { code: 'request_malformed', detail: 'CONNECT is not supported' } as const;
    if (!connection) return void socket.destroy();
    const response = refusalFor(options, peerAddress(socket), fault);
    connections.refuse(connection, () => response);
  });
}

type TransportFault = Omit<TransportRefusal, 'remoteAddress'>;

/** The bytes to answer with. */
export function refusalFor(
  options: TransportOptions,
  remoteAddress: string | undefined,
  fault: TransportFault,
): string {
  const refusal = { ...fault, remoteAddress };
  options.log('info', refusal, 'request refused');
  return options.refusal(refusal);
}

function faultOf(req: IncomingMessage, trusted: TrustedProxies | undefined): TransportFault | undefined {
  if (trusted && !cameOverHttps(req, trusted)) return { code: 'https_required' };
  if (req.httpVersion === '1.1' && req.headers.host === undefined) return { code: 'request_malformed', param: 'Host' };
  // The parser refuses other codings too, but only after it has handed the request over.
  const coding = req.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return { code: 'request_malformed', param: 'Transfer-Encoding' };
  }
  return undefined;
}

/** The proxy vouches for it with exactly one value: of several, we could not tell which one is the proxy's. */
function cameOverHttps(req: IncomingMessage, trusted: TrustedProxies): boolean {
  const scheme = req.headersDistinct['x-forwarded-proto'];
  return scheme?.length === 1 && scheme[0]?.toLowerCase() === 'https' && isTrusted(req.socket.remoteAddress, trusted);
}

/** An answer to HEAD ends with its headers. */
function headOf(response: string): string {
  const end = response.indexOf('\r\n\r\n');
  return end === -1 ? response : response.slice(0, end + 4);
}

/**
 * Parse errors and time-outs. The status is 400, like that of all refusals of the transport, whatever Node would answer.
 * Nobody else may listen: a framework would answer in its own words, and cut the connection while a response is on its way.
 */
export function answerErrors(server: NodeServer, options: TransportOptions, connections: HttpConnections): void {
  server.removeAllListeners('clientError');
  server.on('clientError', (error: Error & { code?: string; reason?: string }, stream) => {
    const socket = stream as Socket;
    const connection = connections.of(socket);
    const remoteAddress = peerAddress(socket);
    const code = refusalCode(error.code);
    // A handshake that failed, a connection that broke.
    if (!connection || !code) {
      options.log('debug', { code: error.code, remoteAddress }, 'connection lost');
      socket.destroy();
      return;
    }
    // The parser complains once more about every chunk that we read while lingering.
    if (connection.state !== 'open') return;
    const detail = code === 'request_malformed' ? error.reason : undefined;
    const response = refusalFor(options, remoteAddress, detail === undefined ? { code } : { code, detail });
    // The error is about the request that we know, while its body is incomplete; else about one that follows it.
    if (connection.latest?.req.complete === false) connections.refuseLatest(connection, response);
    else connections.refuse(connection, () => response);
  });
}

/** Only what the HTTP parser or a time-out says can be answered. */
function refusalCode(code: string | undefined): TransportRefusal['code'] | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return code?.startsWith('HPE_') ? 'request_malformed' : undefined;
}
