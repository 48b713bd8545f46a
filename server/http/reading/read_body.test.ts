import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import net, { type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { readBody } from './read_body.ts';

const bytesMax = 100_000;

/** A server that reads the body of each request once `ready` resolves, and a client. */
async function start(ready: (request: IncomingMessage) => Promise<unknown>) {
  const read: (string | number)[] = [];
  const server = http.createServer(async (request, response) => {
    await ready(request);
    try {
      read.push((await readBody(request, bytesMax)).length);
    } catch (error) {
      read.push((error as { code: string }).code);
    }
    response.end('answered');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  let received = '';
  client.on('data', (chunk) => {
    received += chunk;
  });
  client.on('error', () => {});
  onTestFinished(() => {
    client.destroy();
    server.closeAllConnections();
    server.close();
  });
  return { read, client, answers: () => received.split('answered').length - 1 };
}

const head = 'POST / HTTP/1.1\r\nHost: localhost\r\n';
const byLength = (bytes: number) => `${head}Content-Length: ${bytes}\r\n\r\n${'x'.repeat(bytes)}`;
function inChunks(bytes: number): string {
  const pieces = Array.from({ length: bytes / 1_000 }, () => `3e8\r\n${'x'.repeat(1_000)}\r\n`);
  return `${head}Transfer-Encoding: chunked\r\n\r\n${pieces.join('')}0\r\n\r\n`;
}

const atOnce = () => Promise.resolve();
/** As if admission took longer than the body. */
const whenComplete = (request: IncomingMessage) => poll(() => request.complete).toBe(true);
const poll = <T>(current: () => T) => expect.poll(current, { interval: 5 });

test.each([
  ['that is still to come, by length', atOnce, byLength(bytesMax), bytesMax],
  ['that is still to come, in chunks', atOnce, inChunks(bytesMax), bytesMax],
  ['that is there already, by length', whenComplete, byLength(2_000), 2_000],
  ['that is there already, in chunks', whenComplete, inChunks(2_000), 2_000],
  ['that is too large, by length', atOnce, byLength(bytesMax + 1), 'body_too_large'],
  ['that is too large, in chunks', atOnce, inChunks(bytesMax + 1_000), 'body_too_large'],
  ['that is empty', whenComplete, byLength(0), 0],
  ['that is empty, in chunks', whenComplete, `${head}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 0],
  ['that there is not', whenComplete, `${head}\r\n`, 0],
])('a body %s is read, and the connection serves the next request', async (_what, ready, bytes, expected) => {
  const { read, client, answers } = await start(ready);
  client.write(bytes);
  await poll(answers).toBe(1);
  client.write(byLength(7));
  await poll(answers).toBe(2);
  expect(read).toEqual([expected, 7]);
});

const whenClosed = (request: IncomingMessage) => poll(() => request.destroyed).toBe(true);
test.each([
  ['in the middle of its body', atOnce, byLength(1_000).slice(0, -10)],
  ['in the middle of its body, before that is read', whenClosed, byLength(1_000).slice(0, -10)],
  ['after its body, before that is read', whenClosed, byLength(1_000)],
])('a client that leaves %s ends the wait', async (_what, ready, bytes) => {
  const arrived = Promise.withResolvers<Socket>();
  const { read, client } = await start((request) => {
    arrived.resolve(request.socket);
    return ready(request);
  });
  client.write(bytes);
  await arrived.promise;
  client.resetAndDestroy();
  await poll(() => read).toEqual(['request_malformed']);
});
