import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress, isTrusted, peerAddress, type TrustedProxies, unspecified } from './client_address.ts';
import type { NodeServer, TransportOptions, TransportRefusal } from './contract.ts';
import type { HttpConnections } from './http_connections.ts';

/** Passes on the requests that may be served. Refuses all others, and answers parse errors and time-outs. */
export function dispatchRequests(
  server: NodeServer,
  options: TransportOptions,
  connections: HttpConnections,
  trusted: TrustedProxies | undefined,
): void {
  const { handler } = options;

  /** The client's address if the handler may have the request; undefined if it was refused. */
  function admit(req: IncomingMessage, res: ServerResponse, fault = faultOf(req, trusted)): string | undefined {
    const connection = connections.take(req, res);
    if (!connection) return undefined;
    const address = trusted ? clientAddress(req, trusted) : (connection.peer ?? unspecified);
    if (!fault) return address;
    req.resume();
    const response = refusalFor(options, address, fault);
    connections.refuseLatest(connection, req.method === 'HEAD' ? headOf(response) : response);
    return undefined;
  }

  server.on('request', (req, res) => {
    const address = admit(req, res);
    if (address !== undefined) handler(req, res, address);
  });
  server.on('checkContinue', (req, res) => {
    const address = admit(req, res);
    if (address === undefined) return;
    res.writeContinue();
    handler(req, res, address);
  });
  server.on('checkExpectation', (req, res) => {
    admit(req, res, faultOf(req, trusted) ?? malformed('Expect', 'Expect can only be 100-continue'));
  });
  // For CONNECT there is no response object, only the socket. Upgrade has no listener and is thereby ignored.
  server.on('connect', (_req, socket: Socket) => {
    const connection = connections.of(socket);
    if (!connection) return void socket.destroy();
    const fault = { code: 'request_malformed', detail: 'CONNECT is not supported' } as const;
    const response = refusalFor(options, connection.peer, fault);
    connections.refuse(connection, () => response);
  });
  server.on('clientError', (error: ClientError, socket) => answerError(error, socket as Socket, options, connections));
}

type TransportFault = Omit<TransportRefusal, 'remoteAddress'>;

/** Logs a refusal and returns the bytes to answer with. */
export function refusalFor(
  options: TransportOptions,
  remoteAddress: string | undefined,
  fault: TransportFault,
): string {
  const refusal = { ...fault, remoteAddress };
  options.log.info(refusal, 'request refused');
  return options.refusal(refusal);
}

function faultOf(req: IncomingMessage, trusted: TrustedProxies | undefined): TransportFault | undefined {
  if (trusted && !cameOverHttps(req, trusted)) return { code: 'https_required' };
  if (req.httpVersion === '1.1' && req.headers.host === undefined)
    return malformed('Host', 'the header Host is missing');
  // The parser refuses other codings too, but only after the request was emitted.
  const coding = req.headers['transfer-encoding'];
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') {
    return malformed('Transfer-Encoding', 'Transfer-Encoding can only be chunked');
  }
  return undefined;
}

function malformed(param: string, detail: string): TransportFault {
  return { code: 'request_malformed', param, detail };
}

/** A trusted proxy must send exactly one scheme: of several, it is unknown which one is the proxy's. */
function cameOverHttps(req: IncomingMessage, trusted: TrustedProxies): boolean {
  const scheme = req.headersDistinct['x-forwarded-proto'];
  return scheme?.length === 1 && scheme[0]?.toLowerCase() === 'https' && isTrusted(req.socket.remoteAddress, trusted);
}

/** The response to HEAD ends with its headers. */
function headOf(response: string): string {
  const end = response.indexOf('\r\n\r\n');
  return end === -1 ? response : response.slice(0, end + 4);
}

type ClientError = Error & { code?: string; reason?: string };

/** Every refusal of the transport has the status 400, whatever Node would answer. */
function answerError(
  error: ClientError,
  socket: Socket,
  options: TransportOptions,
  connections: HttpConnections,
): void {
  const connection = connections.of(socket);
  const code = refusalCode(error.code);
  // A failed handshake, or a broken connection.
  if (!connection || !code) {
    options.log.debug({ code: error.code, remoteAddress: peerAddress(socket) }, 'connection lost');
    socket.destroy();
    return;
  }
  // During a lingering close the parser reports the error again for every chunk.
  if (connection.state !== 'open') return;
  // Browsers open connections ahead of their requests, and would take an answer for that to the next one.
  if (code === 'request_timeout' && connections.isUnused(connection)) {
    connections.refuse(connection, () => undefined);
    return;
  }
  const detail = code === 'request_malformed' ? error.reason : undefined;
  const response = refusalFor(options, connection.peer, detail === undefined ? { code } : { code, detail });
  // While the body of the latest request is incomplete, the error is about that request, else about one that follows.
  if (connection.latest?.req.complete === false) connections.refuseLatest(connection, response);
  else connections.refuse(connection, () => response);
}

/** Only errors of the HTTP parser and time-outs can be answered. */
function refusalCode(code: string | undefined): TransportRefusal['code'] | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return code?.startsWith('HPE_') ? 'request_malformed' : undefined;
}
