import { once } from 'node:events';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { onTestFinished } from 'vitest';

export type Receiver = {
  port: number;
  /** The number of connections so far. */
  connections: number;
  open: Set<Socket>;
  /** All bytes of every connection, in order of arrival. */
  received: () => string;
};

/** What a receiver does once it has read a whole request. */
export type Behaviour = (socket: Socket, head: string) => void;

/** A receiver with the given behaviour, on one loopback address. */
export async function startReceiver(behave: Behaviour, tls?: TlsOptions, host = '127.0.0.1'): Promise<Receiver> {
  const chunks: Buffer[] = [];
  const receiver: Receiver = {
    port: 0,
    connections: 0,
    open: new Set(),
    received: () => Buffer.concat(chunks).toString(),
  };
  const talk = (socket: Socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      chunks.push(chunk);
      text += chunk.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end === -1) return;
      const head = text.slice(0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (text.length < end + 4 + length) return;
      text = text.slice(end + 4 + length);
      behave(socket, head);
    });
  };
  const server: Server = tls === undefined ? createTcpServer(talk) : createTlsServer(tls, talk);
  server.on('tlsClientError', () => {});
  server.on('connection', (socket: Socket) => {
    receiver.connections++;
    receiver.open.add(socket);
    socket.on('error', () => {}).on('close', () => receiver.open.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');
  receiver.port = (server.address() as AddressInfo).port;
  onTestFinished(() => {
    for (const socket of receiver.open) socket.destroy();
    server.close();
  });
  return receiver;
}

/** An ordinary answer. */
export function answer(status: string, body = '', headers = ''): Behaviour {
  return (socket) => socket.write(`HTTP/1.1 ${status}\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
}
