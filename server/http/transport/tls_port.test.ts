import { describe, expect, test } from 'vitest';
import { close, dial, direct, echo, eventually, host, refused, say, shortLimits, silentLog } from './harness.ts';
import { createTransport } from './index.ts';

describe('the TLS port', () => {
  test('serves HTTPS', async () => {
    const running = await direct();
    const { text, ended } = await say(running, `GET /a HTTP/1.1\r\n${host}${close}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(text).toMatch(/GET \/a 0$/);
    expect(ended).toBe('end');
    await eventually(() => running.transport.connections()).toBe(0);
  });

  test.each([
    ['a plain request', `GET /a HTTP/1.1\r\n${host}\r\n`],
    ['a plain request with a body', `POST /a HTTP/1.1\r\n${host}Content-Length: 3\r\n\r\nabc`],
    ['garbage', Buffer.from([0, 255, 1, 2, 3])],
    ['one byte', 'G'],
    ['an SSLv2 hello', Buffer.from([0x80, 0x2e, 1, 0, 2])],
  ])('answers %s with https_required and closes', async (_name, bytes) => {
    const { port, transport, handled, refusals } = await direct();
    const { text, ended } = await say({ port }, bytes);
    expect(text).toEqual(refused('https_required'));
    expect(ended).toBe('end');
    expect(refusals).toEqual([{ code: 'https_required', remoteAddress: '127.0.0.1' }]);
    await eventually(() => transport.connections()).toBe(0);
    expect(handled).toEqual([]);
  });

  test.each([
    ['sends nothing', Buffer.alloc(0)],
    ['stops after the first byte of its handshake', Buffer.from([22])],
    ['stops in the middle of its handshake', Buffer.from([22, 3, 1, 0, 200, 1, 0, 0, 196, 3, 3])],
  ])('closes a connection that %s', async (_name, bytes) => {
    const { port, transport } = await direct(echo, shortLimits);
    const line = await dial({ port });
    await eventually(() => transport.connections()).toBe(1);
    line.socket.write(bytes);
    await line.ended;
    expect(line.received()).toBe('');
    await eventually(() => transport.connections()).toBe(0);
  });

  test('closes a connection that its client ends before the first byte', async () => {
    const { port, transport } = await direct();
    const line = await dial({ port });
    await eventually(() => transport.connections()).toBe(1);
    line.socket.end();
    await eventually(() => transport.connections()).toBe(0);
  });

  test.each([
    ['TLSv1', 'refuses', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
    ['TLSv1.1', 'refuses', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'],
    ['TLSv1.2', 'serves', 'end'],
    ['TLSv1.3', 'serves', 'end'],
  ] as const)('%s: it %s', async (version, does, outcome) => {
    const running = await direct();
    // Clients refuse old versions by default.
    const ciphers = 'DEFAULT@SECLEVEL=0';
    const line = await dial(running, { minVersion: version, maxVersion: version, ciphers });
    if (does === 'serves') line.socket.write(`GET / HTTP/1.1\r\n${host}${close}\r\n`);
    expect(await line.ended).toBe(outcome);
    expect(line.received().includes('GET / 0')).toBe(does === 'serves');
    await eventually(() => running.transport.connections()).toBe(0);
  });

  test.each([
    [['h2', 'http/1.1'], 'http/1.1'],
    [['h2'], 'ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL'],
  ])('negotiates HTTP/1.1 only: %j', async (ALPNProtocols, outcome) => {
    const line = await dial(await direct(), { ALPNProtocols });
    const agreed = 'alpnProtocol' in line.socket && line.socket.alpnProtocol;
    line.socket.end();
    expect(agreed || (await line.ended)).toBe(outcome);
  });

  test('closes connections over the limit immediately, and logs that once', async () => {
    const running = await direct(echo, { connectionsMax: 2 });
    const { port, transport, logged, refusedConnections } = running;
    const kept = [await dial({ port }), await dial({ port })];
    await eventually(() => transport.connections()).toBe(2);
    for (let extra = 0; extra < 3; extra++) await (await dial({ port })).ended;
    expect(transport.connections()).toBe(2);
    expect(logged).toEqual(['warn too many connections, closing new ones']);
    expect(refusedConnections).toEqual(['instance', 'instance', 'instance']);
    for (const line of kept) line.socket.destroy();
    await eventually(() => transport.connections()).toBe(0);
    const { text } = await say(running, `GET / HTTP/1.1\r\n${host}${close}\r\n`);
    expect(text).toContain('GET / 0');
  });

  test('rejects when its port is in use', async () => {
    const { port } = await direct();
    const tls = { kind: 'proxy', trustedProxies: [] } as const;
    const second = createTransport({
      tls,
      handler: echo,
      refusal: () => '',
      connectionRefused: () => {},
      log: silentLog,
    });
    await expect(second.listen(port, '127.0.0.1')).rejects.toThrow('EADDRINUSE');
    await second.close({ acceptForMs: 0, deadlineMs: 0 });
  });
});
