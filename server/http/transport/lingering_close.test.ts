import { describe, expect, test } from 'vitest';
import { behindProxy, dial, direct, echo, eventually, host, type Line, refused, shortLimits } from './harness.ts';
import type { Handler } from './index.ts';

const upload = `POST / HTTP/1.1\r\n${host}Content-Length: 900000\r\n\r\n`;
const early: Handler = (_req, res) => res.writeHead(400, { connection: 'close' }).end('too much');

/** Sends one piece after the other, each handed to the network before the next. */
async function sendOn({ socket }: Line, pieces: number): Promise<void> {
  for (let piece = 0; piece < pieces && !socket.destroyed; piece++) {
    await new Promise<void>((resolve) => socket.write('x'.repeat(20_000), () => resolve()));
  }
}

describe('the last response reaches a client that keeps sending before it reads', () => {
  const plain = async () => ({ ...(await direct()), ca: undefined });
  test.each([
    ['plain HTTP on the TLS port', plain, upload, refused('https_required')],
    ['plain HTTP past the proxy', () => behindProxy([]), upload, refused('https_required')],
    [
      'an expectation',
      direct,
      upload.replace('Content', 'Expect: foo\r\nContent'),
      refused('request_malformed', 'Expect'),
    ],
    ['CONNECT', direct, upload.replace('POST', 'CONNECT'), refused('request_malformed')],
    ['a parse error', direct, 'GARBAGE\r\n\r\n', refused('request_malformed')],
    ['an early answer that closes', () => direct(early), upload, expect.stringContaining('too much')],
  ])('%s', async (_name, open, bytes, expected) => {
    const running = await open();
    const line = await dial(running);
    line.socket.pause();
    line.socket.write(bytes);
    await eventually(() => running.refusals.length + running.handled.length).toBe(1);
    await sendOn(line, 40);
    line.socket.resume();
    expect(await line.ended).toBe('end');
    expect(line.received()).toEqual(expected);
    await eventually(() => running.transport.connections()).toBe(0);
  });
});

describe('a lingering close', () => {
  test('ends when the client never stops sending', async () => {
    const { port, transport } = await direct(echo, { lingerBytesMax: 100_000, lingerMs: 60_000 });
    const { socket } = await dial({ port });
    const more = () => {
      while (socket.writable && socket.write('x'.repeat(65_536)));
    };
    socket.on('drain', more);
    more();
    await eventually(() => socket.destroyed).toBe(true);
    expect(transport.connections()).toBe(0);
  });

  test('ends when the client keeps the connection open', async () => {
    const { port, transport } = await direct(echo, shortLimits);
    const line = await dial({ port });
    line.socket.removeAllListeners('end').write('GET / HTTP/1.1\r\n\r\n');
    await eventually(() => line.received()).toEqual(refused('https_required'));
    await eventually(() => transport.connections()).toBe(0);
  });
});
