import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import net, { type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tls from 'node:tls';
import pino from 'pino';
import { expect, onTestFinished } from 'vitest';
import { ensureLocalCertificate, type LocalCertificate } from '../../base/certificates/index.ts';
import {
  createTransport,
  type Handler,
  type Limits,
  type RefusedConnection,
  type Transport,
  type TransportOptions,
  type TransportRefusal,
} from './index.ts';

export const host = 'Host: localhost\r\n';
export const close = 'Connection: close\r\n';
export const silentLog = pino({ level: 'silent' });
/** The headers that a request needs behind a proxy. */
export const viaProxy = `${host}X-Forwarded-Proto: https\r\n`;

/** Time-outs that a test can wait for. */
export const shortLimits: Partial<Limits> = {
  firstByteMs: 200,
  handshakeMs: 200,
  headersMs: 200,
  requestMs: 400,
  checkEveryMs: 20,
  lingerMs: 500,
  graceMs: 100,
};

/** Where a client connects to; with TLS when it knows whom to trust. */
export type Target = { port: number; ca?: string | undefined /** The client's own address. */; from?: string };

export type Running = Target & {
  transport: Transport;
  /** The targets of the requests that reached the handler. */
  handled: string[];
  refusals: TransportRefusal[];
  logged: string[];
  /** Why connections were closed immediately. */
  refusedConnections: RefusedConnection[];
};

let made: Promise<LocalCertificate> | undefined;

/** One certificate for all tests of a file. */
function certificate(): Promise<LocalCertificate> {
  made ??= mkdtemp(join(tmpdir(), 'tollgate-transport-')).then(async (dir) => {
    const local = await ensureLocalCertificate(dir, new Date());
    await rm(dir, { recursive: true });
    return local;
  });
  return made;
}

/** Answers with the method, the target and the number of body bytes. */
export const echo: Handler = async (req: IncomingMessage, res: ServerResponse) => {
  let bytes = 0;
  try {
    for await (const chunk of req) bytes += (chunk as Buffer).length;
  } catch {
    return;
  }
  res.end(`${req.method} ${req.url} ${bytes}`);
};

/** A transport that speaks TLS itself. */
export async function direct(handler: Handler = echo, limits: Partial<Limits> = {}): Promise<Running> {
  const { cert, key, ca } = await certificate();
  return { ...(await start({ kind: 'direct', cert, key }, handler, limits)), ca };
}

/** A transport behind a proxy, whose part the test plays. */
export function behindProxy(
  trustedProxies: string[] = ['127.0.0.1'],
  handler: Handler = echo,
  limits: Partial<Limits> = {},
): Promise<Running> {
  return start({ kind: 'proxy', trustedProxies }, handler, limits);
}

async function start(security: TransportOptions['tls'], handler: Handler, limits: Partial<Limits>): Promise<Running> {
  const noted = {
    handled: [] as string[],
    refusals: [] as TransportRefusal[],
    logged: [] as string[],
    refusedConnections: [] as RefusedConnection[],
  };
  const note = (line: string) => {
    const { level, msg } = JSON.parse(line);
    noted.logged.push(`${level} ${msg}`);
  };
  const transport = createTransport({
    tls: security,
    handler(req, res, address) {
      noted.handled.push(`${req.method} ${req.url}`);
      handler(req, res, address);
    },
    refusal(refusal) {
      noted.refusals.push(refusal);
      const body = JSON.stringify({ error: { code: refusal.code, param: refusal.param } });
      return `HTTP/1.1 400 Bad Request\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
    },
    connectionRefused: (why) => void noted.refusedConnections.push(why),
    log: pino({ level: 'debug', formatters: { level: (level) => ({ level }) } }, { write: note }),
    limits,
  });
  const { port } = await transport.listen(0, '127.0.0.1');
  onTestFinished(() => transport.close({ acceptForMs: 0, deadlineMs: 0 }));
  return { ...noted, transport, port };
}

/** A response that is exactly this refusal. */
export function refused(code: string, param?: string): unknown {
  const end = param ? `"code":"${code}","param":"${param}"}}` : `"code":"${code}"}}`;
  return expect.stringMatching(new RegExp(`^HTTP/1.1 400 (?!.*HTTP/1.1)[^{]*{"error":{${end}$`, 's'));
}

export type Line = {
  /** What the bytes are written to, and the TCP connection below it. */
  socket: Socket;
  tcp: Socket;
  /** Everything received until now. */
  received(): string;
  /** How it ended: with the end of the stream, or with an error's code. */
  ended: Promise<string>;
};

/** A client that shows the bytes. */
export async function dial({ port, ca, from }: Target, options: tls.ConnectionOptions = {}): Promise<Line> {
  // Half-open, so that the client decides alone when it stops sending.
  const local = from === undefined ? {} : { localAddress: from };
  const tcp = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true, ...local });
  const socket = ca ? tls.connect({ socket: tcp, ca, servername: 'localhost', ...options }) : tcp;
  let text = '';
  socket.on('data', (chunk: Buffer) => {
    text += chunk.toString('latin1');
  });
  const ended = new Promise<string>((resolve) => {
    socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    socket.once('end', () => {
      resolve('end');
      socket.end();
    });
    socket.once('close', () => resolve('closed'));
  });
  await Promise.race([once(socket, ca ? 'secureConnect' : 'connect'), ended]);
  return { socket, tcp, received: () => text, ended };
}

/** Sends the bytes, and waits until the server ends the connection. */
export async function say(target: Target, bytes: string | Buffer): Promise<{ text: string; ended: string }> {
  const line = await dial(target);
  line.socket.write(bytes);
  const ended = await line.ended;
  return { text: line.received(), ended };
}

/** Waits until what the function returns is as expected. */
export function eventually<Value>(current: () => Value) {
  return expect.poll(current, { interval: 5 });
}
