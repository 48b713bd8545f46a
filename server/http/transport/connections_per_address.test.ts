import { Socket } from 'node:net';
import { describe, expect, test } from 'vitest';
import { becomes } from '../../test/eventually.ts';
import { behindProxy, dial, direct, echo, host, type Line, say, silentLog, type Target, viaProxy } from './harness.ts';
import { productionLimits } from './index.ts';
import { Peers } from './peers.ts';

const neighbour = '127.0.0.2';
const warning = 'warn an address has too many connections, closing new ones';
const limits = { connectionsPerAddressMax: 3, addressNoteMs: 60_000 };

function fill(target: Target, count: number): Promise<Line[]> {
  return Promise.all(Array.from({ length: count }, () => dial(target)));
}

/** What the server does with one more connection: nothing is sent on it. */
async function endOfOneMore(target: Target): Promise<string> {
  const line = await dial(target);
  const ended = await line.ended;
  expect(line.received()).toBe('');
  return ended;
}

/** A connection that has come from this address. */
function connectionFrom(remoteAddress: string): Socket {
  return Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress });
}

test.each([
  ['an IPv4 address', '192.0.2.1', '192.0.2.1', true],
  ['two IPv4 addresses', '192.0.2.1', '192.0.2.2', false],
  ['one IPv4 address in two notations', '192.0.2.1', '::ffff:192.0.2.1', true],
  ['two addresses of one IPv6 /64', '2001:db8:0:1::1', '2001:db8:0:1:ffff::2', true],
  ['two neighbouring /64', '2001:db8:0:1::1', '2001:db8:0:2::1', false],
])('%s: %s and %s share a limit: %s', (_what, first, second, shared) => {
  const peers = new Peers({ ...productionLimits, connectionsPerAddressMax: 1 }, [], silentLog);
  expect(peers.admit(connectionFrom(first))).toBe(true);
  expect(peers.admit(connectionFrom(second))).toBe(!shared);
});

describe('connections of one address', () => {
  test('are limited: further ones are closed immediately, counted, and logged once', async () => {
    const { port, transport, refusedConnections, logged } = await direct(echo, limits);
    const kept = await fill({ port }, 3);
    await becomes(() => transport.connections()).toBe(3);
    for (let extra = 0; extra < 4; extra++)
      expect(['end', 'closed', 'ECONNRESET']).toContain(await endOfOneMore({ port }));
    expect(refusedConnections).toEqual(['address', 'address', 'address', 'address']);
    expect(logged).toEqual([warning]);
    expect(transport.connections()).toBe(3);
    for (const line of kept) line.socket.destroy();
  });

  test('leave connections to every other address', async () => {
    const running = await direct(echo, limits);
    const { port, ca, transport, refusedConnections } = running;
    const kept = await fill({ port }, 3);
    await becomes(() => transport.connections()).toBe(3);
    const { text } = await say({ port, ca, from: neighbour }, `GET /b HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect(text).toContain('GET /b 0');
    expect(refusedConnections).toEqual([]);
    for (const line of kept) line.socket.destroy();
  });

  test('make way for others when they are closed', async () => {
    const { port, ca, transport } = await direct(echo, limits);
    const kept = await fill({ port }, 3);
    await becomes(() => transport.connections()).toBe(3);
    await endOfOneMore({ port });
    kept[0]!.socket.destroy();
    await becomes(() => transport.connections()).toBe(2);
    const { text } = await say({ port, ca }, `GET /c HTTP/1.1\r\n${host}Connection: close\r\n\r\n`);
    expect(text).toContain('GET /c 0');
    for (const line of kept) line.socket.destroy();
  });

  test('are logged again after a while', async () => {
    const { port, transport, logged } = await direct(echo, { ...limits, addressNoteMs: 1 });
    const kept = await fill({ port }, 3);
    await becomes(() => transport.connections()).toBe(3);
    await becomes(async () => {
      await endOfOneMore({ port });
      return logged.length;
    }).toBeGreaterThan(1);
    expect(new Set(logged)).toEqual(new Set([warning]));
    for (const line of kept) line.socket.destroy();
  });

  test('are not limited for a trusted proxy, whose connections are those of many clients', async () => {
    const { port, transport, refusedConnections } = await behindProxy(['127.0.0.1'], echo, limits);
    const kept = await fill({ port }, 8);
    await becomes(() => transport.connections()).toBe(8);
    const { text } = await say({ port }, `GET /d HTTP/1.1\r\n${viaProxy}Connection: close\r\n\r\n`);
    expect(text).toContain('GET /d 0');
    const others = await fill({ port, from: neighbour }, 3);
    await endOfOneMore({ port, from: neighbour });
    expect(refusedConnections).toEqual(['address']);
    for (const line of [...kept, ...others]) line.socket.destroy();
  });
});
