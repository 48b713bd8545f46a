import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { clientAddress, isTrusted, peerAddress, type TrustedProxies } from './client_address.ts';
import type { NodeServer, TransportOptions, TransportRefusal } from './contract.ts';
import type { Conversations } from './conversations.ts';

/** Hands over the requests that may be served, and refuses the others before the framework sees them. */
export function answerRequests(
  server: NodeServer,
  options: TransportOptions,
  conversations: Conversations,
  trusted: TrustedProxies | undefined,
): void {
  const { handler } = options;

  /** Whether the framework may have the request. */
  function admit(req: IncomingMessage, res: ServerResponse, fault = faultOf(req, trusted)): boolean {
    const conversation = conversations.take(req, res);
    if (!conversation) return false;
    if (!fault) return true;
    req.resume();
    const response = refusalFor(options, clientAddress(req, trusted), fault);
    conversations.refuseLatest(conversation, req.method === 'HEAD' ? headOf(response) : response);
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
    const conversation = conversations.of(socket);
    const fault = { code: 'request_malformed', detail: 'CONNECT is not supported' } as const;
    if (!conversation) return void socket.destroy();
    const response = refusalFor(options, peerAddress(socket), fault);
    conversations.refuse(conversation, () => response);
  });
}

type Fault = Omit<TransportRefusal, 'remoteAddress'>;

/** The bytes to answer with. */
export function refusalFor(options: TransportOptions, remoteAddress: string | undefined, fault: Fault): string {
  const refusal = { ...fault, remoteAddress };
  options.log('info', refusal, 'request refused');
  return options.refusal(refusal);
}

function faultOf(req: IncomingMessage, trusted: TrustedProxies | undefined): Fault | undefined {
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
 * Parse errors and time-outs. The status is 400 like everywhere below the framework, whatever Node would answer. Nobody
 * else may listen: Fastify does, answers in its own words and cuts the connection, even while a response is on its way.
 */
export function answerErrors(server: NodeServer, options: TransportOptions, conversations: Conversations): void {
  server.removeAllListeners('clientError');
  server.on('clientError', (error: Error & { code?: string; reason?: string }, stream) => {
    const socket = stream as Socket;
    const conversation = conversations.of(socket);
    const remoteAddress = peerAddress(socket);
    const code = refusalCode(error.code);
    // A handshake that failed, a connection that broke.
    if (!conversation || !code) {
      options.log('debug', { code: error.code, remoteAddress }, 'connection lost');
      socket.destroy();
      return;
    }
    // The parser complains once more about every chunk that we read while lingering.
    if (conversation.state !== 'open') return;
    const detail = code === 'request_malformed' ? error.reason : undefined;
    const response = refusalFor(options, remoteAddress, detail === undefined ? { code } : { code, detail });
    // The error is about the request that we know, while its body is incomplete; else about one that follows it.
    if (conversation.latest?.req.complete === false) conversations.refuseLatest(conversation, response);
    else conversations.refuse(conversation, () => response);
  });
}

/** Only what the HTTP parser or a time-out says can be answered. */
function refusalCode(code: string | undefined): TransportRefusal['code'] | undefined {
  if (code === 'HPE_HEADER_OVERFLOW') return 'headers_too_large';
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 'request_timeout';
  return code?.startsWith('HPE_') ? 'request_malformed' : undefined;
}
