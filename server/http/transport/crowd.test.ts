import { expect, test } from 'vitest';
import { becomes } from '../../test/eventually.ts';
import { fastest } from '../../test/fastest.ts';
import { shareOf } from '../../test/torture.ts';
import { behindProxy, dial, direct, echo, type Line, say, type Target } from './harness.ts';

const slow = shareOf(2_000, 500);
const good = 'GET /good HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n';

/** How long a good request may take on a test machine with two cores while others crowd the port. */
const answerMsMax = 1_000;

/** How long a good request takes. */
function goodMs(target: Target, headers = ''): Promise<number> {
  return fastest(answerMsMax, async () => {
    const from = performance.now();
    expect((await say(target, `${good}${headers}\r\n`)).text).toContain('GET /good 0');
    return performance.now() - from;
  });
}

async function crowd(count: number, target: Target, bytes: string | Buffer): Promise<Line[]> {
  const lines = await Promise.all(Array.from({ length: count }, () => dial(target)));
  for (const line of lines) line.socket.write(bytes);
  return lines;
}

test(`${slow} slow connections on the TLS port do not keep a good request waiting`, async () => {
  // No connection may time out, however long this machine takes to open so many.
  const connectionsPerAddressMax = 2 * slow;
  const limits = {
    connectionsPerAddressMax,
    firstByteMs: 60_000,
    handshakeMs: 60_000,
    headersMs: 60_000,
    requestMs: 60_000,
  };
  const { port, ca, transport } = await direct(echo, limits);
  const lines = [
    ...(await crowd(slow * 0.45, { port }, '')),
    ...(await crowd(slow * 0.45, { port }, Buffer.from([22, 3, 1]))),
    ...(await crowd(slow * 0.05, { port, ca }, 'GET / HTTP/1.1\r\nX-Slow: ')),
    ...(await crowd(slow * 0.05, { port, ca }, 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nabc')),
  ];
  await becomes(() => transport.connections()).toBe(slow);
  expect(await goodMs({ port, ca })).toBeLessThan(answerMsMax);
  expect(transport.connections()).toBeGreaterThanOrEqual(slow);
  await transport.close({ acceptForMs: 0, deadlineMs: 0 });
  expect(transport.connections()).toBe(0);
  for (const line of lines) line.socket.destroy();
});

test(`${slow} slow requests behind a proxy do not keep a good one waiting, and all are timed out`, async () => {
  const limits = { headersMs: 2_000, requestMs: 2_000, checkEveryMs: 50 };
  const { port, transport, refusals } = await behindProxy(['127.0.0.1'], echo, limits);
  const proto = 'X-Forwarded-Proto: https\r\n';
  const lines = [
    ...(await crowd(slow / 2, { port }, 'GET / HTTP/1.1\r\nX-Slow: ')),
    ...(await crowd(slow / 2, { port }, `POST / HTTP/1.1\r\nHost: a\r\n${proto}Content-Length: 9\r\n\r\nabc`)),
  ];
  expect(await goodMs({ port }, proto)).toBeLessThan(answerMsMax);
  const ends = await Promise.all(lines.map((line) => line.ended));
  expect(new Set(ends)).toEqual(new Set(['end']));
  expect(lines.every((line) => line.received().includes('request_timeout'))).toBe(true);
  expect(refusals).toHaveLength(slow);
  await becomes(() => transport.connections()).toBe(0);
  await transport.close({ acceptForMs: 0, deadlineMs: 0 });
});
