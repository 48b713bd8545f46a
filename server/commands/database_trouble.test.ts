import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { TLSSocket } from 'node:tls';
import { expect, inject, onTestFinished, test } from 'vitest';
import { connect, isUnavailable } from '../base/sql.ts';
import { databaseTrouble } from './database_trouble.ts';

const certificates = inject('certificateDir');
const pem = (name: string) => readFileSync(join(certificates, name));
const authority = `sslrootcert=${encodeURIComponent(join(certificates, 'ca.pem'))}`;

/** Goes as far as TLS, to which PostgreSQL says S or N. */
async function startServer(answer: 'S' | 'N'): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('error', () => {}));
    socket.once('data', () => {
      socket.write(answer);
      if (answer === 'N') return;
      const secured = new TLSSocket(socket, { isServer: true, cert: pem('server.pem'), key: pem('server-key.pem') });
      sockets.add(secured.on('error', () => {}));
    });
  });
  await once(server.listen(0), 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

test.each([
  ['an authority that nobody named', 'S', '127.0.0.1', '', /sslrootcert=/],
  ['another address', 'S', '127.0.0.2', `&${authority}`, /a certificate that names its address/],
  ['no TLS', 'N', '127.0.0.1', '', /ssl = on/],
] as const)(
  'a server with %s is unavailable, and a sentence says what to do',
  async (_, answer, host, more, remedy) => {
    const port = await startServer(answer);
    const connectionString = `postgres://user@${host}:${port}/tollgate?sslmode=verify-full${more}`;
    const error = await connect({ connectionString }, 'test').catch((failure) => failure);
    expect(isUnavailable(error)).toBe(true);
    expect(databaseTrouble(error)).toMatch(remedy);
  },
);
