import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { becomes } from '../../test/eventually.ts';
import { behindProxy, dial, direct, echo, host, type Line, type Running, say, silentLog, viaProxy } from './harness.ts';
import { createTransport, type Handler, type Limits } from './index.ts';

/** A handler that leaves its responses for the test to send. */
function holding() {
  const held: ServerResponse[] = [];
  const handler: Handler = (_req, res) => void held.push(res);
  return { held, handler };
}

const told = /^HTTP\/1\.1 200 OK\r\n[\s\S]*Connection: close\r\n/;

describe.each([
  ['over TLS', direct, host],
  ['behind a proxy', (...rest: [Handler?, Partial<Limits>?]) => behindProxy(['127.0.0.1'], ...rest), viaProxy],
])('closing %s', (_name, open, headers) => {
  const get = (target: string) => `GET ${target} HTTP/1.1\r\n${headers}\r\n`;

  /** An idle connection: one request was answered on it. */
  async function idleLine(running: Running): Promise<Line> {
    const line = await dial(running);
    line.socket.write(get('/first'));
    await becomes(() => line.received()).toContain('GET /first 0');
    return line;
  }

  test('finishes requests in flight with `Connection: close`, and accepts no new connection', async () => {
    const { held, handler } = holding();
    const running = await open(handler);
    const { port, transport } = running;
    const line = await dial(running);
    line.socket.write(get('/a'));
    await becomes(() => held.length).toBe(1);

    const closed = transport.close({ acceptForMs: 0, deadlineMs: 60_000 });
    await becomes(() => refusedNow(port)).toBe('ECONNREFUSED');
    expect(transport.connections()).toBe(1);
    held[0]?.end('done');
    expect(await line.ended).toBe('end');
    expect(line.received()).toMatch(told);
    expect(line.received()).toMatch(/done$/);
    await closed;
    expect(transport.connections()).toBe(0);
  });

  test('finishes a request whose body is still arriving', async () => {
    const running = await open();
    const { port, transport, handled } = running;
    const line = await dial(running);
    line.socket.write(`POST /a HTTP/1.1\r\n${headers}Content-Length: 6\r\n\r\nabc`);
    await becomes(() => handled.length).toBe(1);
    const closed = transport.close({ acceptForMs: 0, deadlineMs: 60_000 });
    await becomes(() => refusedNow(port)).toBe('ECONNREFUSED');
    line.socket.write('def');
    expect(await line.ended).toBe('end');
    expect(line.received()).toMatch(told);
    expect(line.received()).toContain('POST /a 6');
    await closed;
  });

  test('waits for a request that has begun to arrive, for a grace period', async () => {
    const running = await open();
    const { port, transport } = running;
    const fresh = await dial(running);
    const used = await idleLine(running);
    for (const line of [fresh, used]) line.socket.write(get('/next').slice(0, 20));
    // Its answer shows that what was sent before it has been read.
    await say(running, get('/x').replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    const closed = transport.close({ acceptForMs: 0, deadlineMs: 60_000 });
    await becomes(() => refusedNow(port)).toBe('ECONNREFUSED');
    for (const line of [fresh, used]) {
      line.socket.write(get('/next').slice(20));
      expect(await line.ended).toBe('end');
      expect(line.received()).toContain('Connection: close');
      expect(line.received()).toContain('GET /next 0');
    }
    await closed;
  });

  test('keeps accepting for a while, and tells every client to close', async () => {
    const running = await open();
    const { port, transport } = running;
    const idle = await idleLine(running);
    const closed = transport.close({ acceptForMs: 600, deadlineMs: 60_000 });
    const { text, ended } = await say(running, get('/new'));
    expect(text).toMatch(told);
    expect(text).toContain('GET /new 0');
    expect(ended).toBe('end');
    idle.socket.write(get('/again'));
    expect(await idle.ended).toBe('end');
    expect(idle.received()).toMatch(/Connection: keep-alive[\s\S]*Connection: close[\s\S]*GET \/again 0$/);
    await closed;
    expect(await refusedNow(port)).toBe('ECONNREFUSED');
  });

  test('ends 200 idle connections without a reset, whether used before or not', async () => {
    const running = await open(echo, { graceMs: 100 });
    const { transport } = running;
    const lines = await Promise.all([
      ...Array.from({ length: 150 }, () => idleLine(running)),
      ...Array.from({ length: 50 }, () => dial(running)),
    ]);
    await becomes(() => transport.connections()).toBe(200);
    await transport.close({ acceptForMs: 0, deadlineMs: 60_000 });
    const ends = await Promise.all(lines.map((line) => line.ended));
    expect(new Set(ends)).toEqual(new Set(['end']));
    expect(transport.connections()).toBe(0);
  });

  test('does not handle a request sent after a response with `Connection: close`', async () => {
    const running = await open();
    const { transport, handled } = running;
    const line = await idleLine(running);
    line.socket.removeAllListeners('end');
    const ended = new Promise((resolve) => line.socket.once('end', resolve));
    const closed = transport.close({ acceptForMs: 0, deadlineMs: 60_000 });
    await ended;
    line.socket.end(get('/late'));
    await closed;
    expect(await line.ended).toBe('closed');
    expect(handled).toEqual(['GET /first']);
  });

  test('answers all pipelined requests', async () => {
    const { held, handler } = holding();
    const running = await open(handler);
    const { transport } = running;
    const line = await dial(running);
    line.socket.write(get('/a') + get('/b') + get('/c'));
    await becomes(() => held.length).toBe(3);
    const closed = transport.close({ acceptForMs: 0, deadlineMs: 60_000 });
    for (const [index, res] of held.entries()) res.end(`answer ${index}`);
    expect(await line.ended).toBe('end');
    expect(line.received().match(/answer \d/g)).toEqual(['answer 0', 'answer 1', 'answer 2']);
    expect(line.received().match(/Connection: .*/g)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ]);
    await closed;
  });

  test('ends a connection whose response had begun before closing, without `Connection: close`', async () => {
    const { held, handler } = holding();
    const running = await open(handler);
    const { port, transport } = running;
    const line = await dial(running);
    line.socket.write(get('/a'));
    await becomes(() => held.length).toBe(1);
    held[0]?.write('begun ');
    await becomes(() => line.received()).toContain('begun');
    const closed = transport.close({ acceptForMs: 0, deadlineMs: 60_000 });
    await becomes(() => refusedNow(port)).toBe('ECONNREFUSED');
    held[0]?.end('done');
    expect(await line.ended).toBe('end');
    expect(line.received()).toContain('done');
    await closed;
  });

  test('destroys the connections that are left at the deadline', async () => {
    const { held, handler } = holding();
    const running = await open(handler);
    const { transport, logged } = running;
    const line = await dial(running);
    line.socket.write(get('/a'));
    await becomes(() => held.length).toBe(1);
    await transport.close({ acceptForMs: 60_000, deadlineMs: 100 });
    expect(transport.connections()).toBe(0);
    expect(logged).toContain('warn destroying connections left open');
    await line.ended;
  });

  test('under load no client that sent a request goes without its answer', async () => {
    const running = await open((_req, res) => setImmediate(() => res.end('done')));
    const { transport, handled } = running;
    const clients = Array.from({ length: 40 }, () => untilTold(running));
    await becomes(() => handled.length).toBeGreaterThan(400);
    const closed = transport.close({ acceptForMs: 200, deadlineMs: 60_000 });
    const outcomes = await Promise.all(clients);
    await closed;
    expect(outcomes.map(({ ended }) => ended)).toEqual(Array.from({ length: 40 }, () => 'end'));
    const answers = outcomes.reduce((sum, { answers }) => sum + answers, 0);
    expect(answers).toBe(handled.length);
  });

  /** Sends one request after the other until an answer says to close. */
  async function untilTold(running: Running): Promise<{ answers: number; ended: string }> {
    const line = await dial(running);
    const answers = () => line.received().match(/done/g)?.length ?? 0;
    line.socket.on('data', () => {
      if (line.received().endsWith('done') && !line.received().includes('Connection: close'))
        line.socket.write(get('/'));
    });
    line.socket.write(get('/'));
    const ended = await line.ended;
    return { answers: answers(), ended };
  }
});

/** The error of a new connection, or none. */
async function refusedNow(port: number): Promise<string> {
  const line = await dial({ port });
  if (line.socket.readyState === 'open') {
    line.socket.destroy();
    return 'open';
  }
  return await line.ended;
}

describe('closing', () => {
  test('ends connections that have sent nothing', async () => {
    const { transport, port } = await direct(echo, { graceMs: 50 });
    const silent = await dial({ port });
    await becomes(() => transport.connections()).toBe(1);
    await transport.close({ acceptForMs: 0, deadlineMs: 60_000 });
    expect(await silent.ended).toBe('end');
  });

  test('resolves immediately when the transport never listened, and a second call returns the first promise', async () => {
    const transport = createTransport({
      tls: { kind: 'proxy', trustedProxies: [] },
      handler: echo,
      refusal: () => '',
      connectionRefused: () => {},
      log: silentLog,
    });
    const first = transport.close({ acceptForMs: 60_000, deadlineMs: 60_000 });
    expect(transport.close({ acceptForMs: 0, deadlineMs: 0 })).toBe(first);
    await first;
  });
});
