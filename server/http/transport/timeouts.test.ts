import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { every } from '../../base/timers.ts';
import { close, dial, direct, echo, eventually, host, refused, say, shortLimits } from './harness.ts';

/** For a client that sends immediately, on a machine that is busy with something else. */
const amplyShort = { ...shortLimits, firstByteMs: 2_000, headersMs: 2_000, requestMs: 2_000 };

describe('time-outs', () => {
  const slow: [string, string, number, string[]][] = [
    ['slow headers', `GET / HTTP/1.1\r\n${host}X-Slow: `, 1_000, []],
    ['a slow body', `POST /a HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\nabc`, 1_200, ['POST /a']],
    ['a slow chunk', `POST /a HTTP/1.1\r\n${host}Transfer-Encoding: chunked\r\n\r\n5\r\nab`, 1_200, ['POST /a']],
  ];

  test.each(slow)('%s: 400 request_timeout', async (_name, bytes, ms, handled) => {
    // Long enough for a busy machine to read what was sent immediately.
    const running = await direct(echo, { ...shortLimits, headersMs: 1_000, requestMs: 1_200, lingerMs: 2_000 });
    const line = await dial(running);
    const from = performance.now();
    line.socket.write(bytes);
    expect(await line.ended).toBe('end');
    // The server's clock may have started slightly earlier.
    expect(performance.now() - from).toBeGreaterThan(ms - 50);
    expect(line.received()).toEqual(refused('request_timeout'));
    expect(running.handled).toEqual(handled);
    await eventually(() => running.transport.connections()).toBe(0);
  });

  test('without a byte of a request the connection is closed, and nothing is said', async () => {
    const running = await direct(echo, shortLimits);
    const line = await dial(running);
    expect(await line.ended).toBe('end');
    expect(line.received()).toBe('');
    await eventually(() => running.transport.connections()).toBe(0);
  });

  test('bytes that trickle in do not extend the time-out for headers', async () => {
    const line = await dial(await direct(echo, shortLimits));
    line.socket.write(`GET / HTTP/1.1\r\n${host}X-Slow: `);
    const trickle = every(20, () => line.socket.write('x'));
    expect(await line.ended).toBe('end');
    trickle.cancel();
    expect(line.received()).toEqual(refused('request_timeout'));
  });

  test('a slow body gets no second response when its request was already answered', async () => {
    const running = await direct((_req, res) => res.end('early'), amplyShort);
    const line = await dial(running);
    line.socket.write(`POST /a HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\nabc`);
    expect(await line.ended).toBe('end');
    expect(line.received()).toMatch(/early$/);
    await eventually(() => running.transport.connections()).toBe(0);
  });

  test('a whole request that the handler takes long to answer is not timed out', async () => {
    let held: ServerResponse | undefined;
    const running = await direct((_req, res) => {
      held ??= res;
    }, amplyShort);
    const patient = await dial(running);
    patient.socket.write(`GET / HTTP/1.1\r\n${host}${close}\r\n`);
    await eventually(() => held).toBeDefined();
    // This request began later and timed out, so the complete one would have timed out too.
    const { text } = await say(running, `POST / HTTP/1.1\r\n${host}Content-Length: 10\r\n\r\nabc`);
    expect(text).toEqual(refused('request_timeout'));
    held?.end('late');
    expect(await patient.ended).toBe('end');
    expect(patient.received()).toMatch(/late$/);
  });

  test('an idle connection is closed after the keep-alive time', async () => {
    const running = await direct(echo, { ...shortLimits, keepAliveMs: 100 });
    const { text, ended } = await say(running, `GET / HTTP/1.1\r\n${host}\r\n`);
    expect(ended).toBe('end');
    expect(text).toContain('GET / 0');
    await eventually(() => running.transport.connections()).toBe(0);
  });

  test('a client that does not read its response is disconnected', async () => {
    const running = await direct((_req, res) => res.end('x'.repeat(30_000_000)), { stallMs: 300 });
    const line = await dial(running);
    line.socket.write(`GET / HTTP/1.1\r\n${host}\r\n`);
    await eventually(() => line.received().length).toBeGreaterThan(0);
    line.socket.pause();
    await eventually(() => running.transport.connections()).toBe(0);
    line.socket.destroy();
  });
});
