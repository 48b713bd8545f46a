// Whether the server of this container answers: `node healthcheck.mjs <TLS> <PORT>`. The certificate is for the public name, so it is not
// verified. Behind a proxy a refusal is an answer too: loopback need not be a trusted proxy.
import { request as plain } from 'node:http';
import { request as secure } from 'node:https';

const [tls, port] = process.argv.slice(2);
const isBehindProxy = tls === 'proxy';
const ask = isBehindProxy ? plain : secure;
const headers = { 'X-Forwarded-Proto': 'https' };
const options = { host: '127.0.0.1', port, path: '/healthz', headers, timeout: 4_000, rejectUnauthorized: false };

ask(options, ({ statusCode }) => process.exit(statusCode === 200 || (isBehindProxy && statusCode === 400) ? 0 : 1))
  .on('timeout', () => process.exit(1))
  .on('error', () => process.exit(1))
  .end();
