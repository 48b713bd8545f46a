import { createServer } from 'node:http';
import { join } from 'node:path';
import Fastify from 'fastify';
import pino from 'pino';
import { ensureLocalCertificate } from '../server/base/certificates/index.ts';
import { createTransport, type Transport } from '../server/http/transport/index.ts';

/**
 * The baseline: the same Node and TLS port, and Fastify, which parses a JSON body and sends it back. The gateway does not use Fastify, but
 * the baseline never changes, so that ratios can be compared between versions.
 */
const dataDir = process.argv[2]!;
const certificate = await ensureLocalCertificate(join(dataDir, 'tls'), new Date());
let transport: Transport | undefined;
const app = Fastify({
  serverFactory(handler) {
    transport = createTransport({
      tls: { kind: 'direct', cert: certificate.cert, key: certificate.key },
      handler: (request, response) => handler(request, response),
      refusal: () => 'HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
      connectionRefused: () => {},
      log: pino({ level: 'silent' }),
    });
    return createServer() as never; // Fastify asks for a server; the requests come from the transport
  },
});
for (const path of ['/v1/customers', '/v1/payments']) app.post(path, async (request) => request.body);
await app.ready();
const { port } = await transport!.listen(0, '127.0.0.1');
console.log(JSON.stringify({ port }));
process.on('SIGTERM', () => process.exit(0));
