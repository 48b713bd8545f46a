import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../base/clock.ts';
import { parseRanges } from '../base/ip_range.ts';
import { every } from '../base/timers.ts';
import { eventually } from '../test/eventually.ts';
import { onFreeMachine } from '../test/fastest.ts';
import { answer, type Behaviour, startReceiver } from './receiver.fixture.ts';
import { Sender, type SenderOptions, type Sent } from './send.ts';
import type { TargetRules } from './target.ts';

const rules: TargetRules = { httpAllowed: true, allowed: parseRanges(['127.0.0.0/8']) };
const deadlineMs = 20_000; // where an answer is expected
const lateMs = 500;
const body = Buffer.from('{"id":"evt_1","text":"é ✓"}');

function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = new Sender({
    rulesFor: () => rules,
    clock: systemClock,
    deadlineMs,
    lookup: async () => ['127.0.0.1'],
    ...options,
  });
  onTestFinished(() => made.close());
  return made;
}

function sendTo(url: string, options: Partial<SenderOptions> = {}): Promise<Sent> {
  return sender(options).send({ url, mode: 'test', headers: { 'webhook-id': 'evt_1' }, body });
}

/** Sends one webhook to a new receiver. */
async function sendWhere(behave: Behaviour, options: Partial<SenderOptions> = {}) {
  const receiver = await startReceiver(behave);
  const sent = await sendTo(`http://127.0.0.1:${receiver.port}/hook?a=b`, options);
  return { receiver, sent };
}

/** Expects that the receiver sees all connections end soon. */
const isDropped = (receiver: { open: Set<unknown> }) => eventually(() => expect(receiver.open.size).toBe(0));

test('the exact bytes arrive, with the headers given and our own', async () => {
  const { receiver, sent } = await sendWhere(answer('200 OK', 'thanks'));
  expect(sent).toMatchObject({ status: 200, error: null, response: Buffer.from('thanks') });
  expect(sent.retryAfterSeconds).toBeUndefined();
  expect(sent.durationMs).toBeLessThan(deadlineMs);
  const received = receiver.received();
  expect(received).toMatch(/^POST \/hook\?a=b HTTP\/1\.1\r\n/);
  expect(received).toMatch(/^host: 127\.0\.0\.1:\d+\r$/im);
  for (const line of ['Content-Type: application/json', 'User-Agent: Tollgate/1 (webhooks)', 'webhook-id: evt_1'])
    expect(received).toContain(`\r\n${line}\r\n`);
  expect(received).toContain(`content-length: ${body.length}\r\n`);
  expect(received.endsWith(`\r\n\r\n${body}`)).toBe(true);
});

describe('what a receiver may answer', () => {
  test.each([
    ['204 No Content', 204],
    ['400 Bad Request', 400],
    ['410 Gone', 410],
    ['500 Internal Server Error', 500],
    ['599 Odd', 599],
  ])('%s is a status and no error', async (line, status) =>
    expect((await sendWhere(answer(line))).sent).toMatchObject({ status, error: null }),
  );

  test('an interim response is not the result', async () => {
    const behave: Behaviour = (socket) =>
      socket.write('HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n');
    expect((await sendWhere(behave)).sent).toMatchObject({ status: 201, error: null });
  });

  test.each(['301', '302', '303', '307', '308'])('a redirect (%s) is not followed', async (status) => {
    const canary = await startReceiver(answer('200 OK'));
    const where = `Location: http://127.0.0.1:${canary.port}/\r\n`;
    const { sent } = await sendWhere(answer(`${status} Moved`, '', where));
    expect(sent).toMatchObject({ status: Number(status), error: null });
    expect(canary.connections).toBe(0);
  });

  const now = Date.parse('2026-03-01T12:00:00Z');
  test.each([
    ['120', 120],
    ['0', 0],
    ['999999999999', 86_400],
    ['Sun, 01 Mar 2026 12:00:30 GMT', 30],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['Sun, 01 Mar 2027 11:00:00 GMT', 86_400],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['Later, maybe', undefined],
    ['', undefined],
  ])('Retry-After: %s is %s seconds', async (text, seconds) => {
    const behave = answer('429 Too Many Requests', '', `Retry-After: ${text}\r\n`);
    const { sent } = await sendWhere(behave, { clock: { ...systemClock, now: () => now } });
    expect(sent).toMatchObject({ status: 429, error: null, retryAfterSeconds: seconds });
  });

  test('the first 4,096 bytes of a response are kept unchanged', async () => {
    const { sent } = await sendWhere(answer('200 OK', 'ab'.repeat(5_000)));
    expect(sent.response.toString()).toBe('ab'.repeat(2_048));
    expect(sent).toMatchObject({ status: 200, error: null });
  });
});

describe('a receiver that is slow', () => {
  const late = `no answer within ${lateMs / 1_000} s`;
  const unended = `the answer did not end within ${lateMs / 1_000} s`;

  async function expectLate(behave: Behaviour, expected: Partial<Sent>) {
    const { receiver, sent } = await sendWhere(behave, { deadlineMs: lateMs });
    expect(sent).toMatchObject(expected);
    expect(sent.durationMs).toBeGreaterThanOrEqual(lateMs - 5);
    expect(onFreeMachine(lateMs * 3, sent.durationMs)).toBeLessThan(lateMs * 3);
    await isDropped(receiver);
  }

  /** One byte now and then, until the connection ends. */
  const drip =
    (first: string, byte: string): Behaviour =>
    (socket) => {
      socket.write(first);
      const timer = every(20, () => socket.write(byte));
      socket.on('close', () => timer.cancel());
    };

  test('and says nothing', () => expectLate(() => {}, { status: null, error: late }));

  test('and stops within the headers', () =>
    expectLate((socket) => socket.write('HTTP/1.1 200 OK\r\nX-A'), { status: null, error: late }));

  test('and drips headers', () => expectLate(drip('HTTP/1.1 200 OK\r\nX-A: ', 'a'), { status: null, error: late }));

  test('and sends interim answers forever', () =>
    expectLate(drip('', 'HTTP/1.1 103 Early Hints\r\n\r\n'), { status: null, error: late }));

  test('and hangs after the headers', () =>
    expectLate((socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nab'), {
      status: 200,
      error: unended,
      response: Buffer.from('ab'),
    }));

  test('and drips its body', () =>
    expectLate(drip('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n', 'a'), {
      status: 200,
      error: unended,
    }));

  test('and never finishes its handshake', async () => {
    const silent = await startReceiver(() => {});
    expect(await sendTo(`https://127.0.0.1:${silent.port}/`, { deadlineMs: lateMs })).toMatchObject({
      status: null,
      error: late,
    });
    await isDropped(silent);
  });

  test('and whose name servers never answer', async () => {
    const sent = await sendTo('http://hooks.example.com/', { lookup: () => new Promise(() => {}), deadlineMs: lateMs });
    expect(sent).toMatchObject({ status: null, error: late });
  });

  test('and whose name servers answer after the deadline is not connected to', async () => {
    const receiver = await startReceiver(answer('200 OK'));
    let reply = (_: string[]) => {};
    const slow = new Promise<string[]>((resolve) => {
      reply = resolve;
    });
    const made = sender({ lookup: () => slow, deadlineMs: lateMs });
    const request = { url: `http://hooks.example.com:${receiver.port}/`, mode: 'test' as const, headers: {}, body };
    expect(await made.send(request)).toMatchObject({ error: late });
    reply(['127.0.0.1']);
    await made.close();
    expect(receiver.received()).toBe('');
  });
});

describe('a receiver that is broken', () => {
  test.each([
    { bytes: 65_535, error: 'the answer did not end within 1 s' },
    { bytes: 65_536, error: null },
  ])('after $bytes bytes of an answer that does not end: $error', async ({ bytes, error }) => {
    const behave: Behaviour = (socket) =>
      socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n${'x'.repeat(bytes)}`);
    expect((await sendWhere(behave, { deadlineMs: 1_000 })).sent).toMatchObject({ status: 200, error });
  });

  test('the default deadline is 15 seconds', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const receiver = await startReceiver(() => {});
    const made = new Sender({ rulesFor: () => rules, clock: systemClock, lookup: async () => [] });
    onTestFinished(() => made.close());
    let isOver = false;
    const url = `http://127.0.0.1:${receiver.port}/`;
    const sending = made.send({ url, mode: 'test', headers: {}, body }).finally(() => {
      isOver = true;
    });
    while (receiver.received() === '') await new Promise(setImmediate);
    vi.advanceTimersByTime(14_999);
    await new Promise(setImmediate);
    expect(isOver).toBe(false);
    vi.advanceTimersByTime(1);
    expect((await sending).error).toBe('no answer within 15 s');
  });

  test('an endless body is read to 65,536 bytes, then the connection is dropped', async () => {
    let written = 0;
    const flood: Behaviour = (socket) => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const more = () => {
        do written += 16_384;
        while (socket.write(`4000\r\n${'x'.repeat(16_384)}\r\n`));
      };
      socket.on('drain', more);
      more();
    };
    const { receiver, sent } = await sendWhere(flood);
    expect(sent).toMatchObject({ status: 200, error: null, response: Buffer.alloc(4_096, 'x') });
    expect(sent.durationMs).toBeLessThan(deadlineMs);
    await isDropped(receiver);
    expect(written).toBeLessThan(16_777_216); // the buffers of the system, and no more
  });

  test.each<[string, string, Behaviour]>([
    ['resets', 'the connection broke', (socket) => socket.resetAndDestroy()],
    ['closes without an answer', 'the connection broke', (socket) => socket.end()],
    ['speaks something else', 'the answer is not valid HTTP', (socket) => socket.end('220 smtp ready\r\n')],
    ['answers with a status of words', 'the answer is not valid HTTP', (socket) => socket.end('HTTP/1.1 abc\r\n\r\n')],
    [
      'sends a header of 20 kB',
      'the headers of the answer are too long',
      (socket) => socket.write(`HTTP/1.1 200 OK\r\nX-Long: ${'a'.repeat(20_480)}\r\nContent-Length: 0\r\n\r\n`),
    ],
    [
      'answers with another protocol',
      'the answer is not valid HTTP',
      (socket) => socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n'),
    ],
  ])('%s: %s', async (_, error, behave) => {
    const { receiver, sent } = await sendWhere(behave);
    expect(sent).toMatchObject({ status: null, error });
    expect(sent.durationMs).toBeLessThan(deadlineMs);
    await isDropped(receiver);
  });

  test.each<[string, string, Behaviour]>([
    [
      'sends chunked nonsense',
      'the answer is not valid HTTP',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n'),
    ],
    [
      'closes in the middle of its answer',
      'the connection broke',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello'),
    ],
  ])('%s: the result has both the status and an error', async (_, error, behave) => {
    const { receiver, sent } = await sendWhere(behave);
    expect(sent).toMatchObject({ status: 200, error });
    await isDropped(receiver);
  });

  test('bytes beyond the announced length do not become the next response', async () => {
    const receiver = await startReceiver((socket, head) =>
      socket.write(
        `HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n${head.includes('one') ? 'HTTP/1.1 500 Smuggled\r\n\r\n' : ''}`,
      ),
    );
    const made = sender();
    for (const name of ['one', 'two', 'two'])
      expect(
        await made.send({ url: `http://127.0.0.1:${receiver.port}/${name}`, mode: 'test', headers: {}, body }),
      ).not.toMatchObject({ status: 500 });
  });

  test('a response that comes before the request was read counts', async () => {
    const eager = await startReceiver(() => {});
    const made = sender();
    const large = Buffer.alloc(5_000_000, 'a');
    const sending = made.send({ url: `http://127.0.0.1:${eager.port}/`, mode: 'test', headers: {}, body: large });
    await eventually(() => expect(eager.received()).toContain('\r\n\r\n'));
    for (const socket of eager.open) socket.write('HTTP/1.1 413 Too Large\r\nContent-Length: 0\r\n\r\n');
    expect(await sending).toMatchObject({ status: 413, error: null });
  });

  test('a connection that is refused', async () => {
    const gone = await startReceiver(() => {});
    expect(await sendTo('http://127.0.0.1:1/')).toMatchObject({ status: null, error: 'the connection was refused' });
    expect(gone.connections).toBe(0);
  });

  test('a name that does not resolve', async () => {
    for (const lookup of [async () => [], () => Promise.reject(new Error('ENOTFOUND'))])
      expect((await sendTo('http://hooks.example.com/', { lookup })).error).toBe('the name could not be resolved');
  });

  test('headers that cannot be sent', async () => {
    const request = { url: 'http://127.0.0.1:1/', mode: 'test' as const, headers: { 'x-a': 'b\r\nc: d' }, body };
    expect(await sender().send(request)).toMatchObject({ status: null, error: 'the request could not be made' });
  });
});

describe('TLS', () => {
  const file = (name: string) => readFileSync(join(inject('certificateDir'), name), 'utf8');
  const ours = () => ({ cert: file('server.pem'), key: file('server-key.pem') });
  const trusted = () => ({ certificateAuthorities: file('ca.pem') });

  test('a certificate of a known authority is accepted, by name and by address', async () => {
    const receiver = await startReceiver(answer('200 OK'), ours());
    for (const host of ['127.0.0.1', 'localhost', 'localhost.']) {
      const sent = await sendTo(`https://${host}:${receiver.port}/`, trusted());
      expect(sent).toMatchObject({ status: 200, error: null });
    }
  });

  test('a certificate of an unknown authority is refused', async () => {
    const receiver = await startReceiver(answer('200 OK'), ours());
    const sent = await sendTo(`https://localhost:${receiver.port}/`);
    expect(sent.error).toMatch(/^the certificate is not valid: it was issued by an authority that is not known/);
    expect(receiver.received()).toBe('');
  });

  test('a certificate for another name is refused', async () => {
    const receiver = await startReceiver(answer('200 OK'), ours());
    const sent = await sendTo(`https://hooks.example.com:${receiver.port}/`, trusted());
    expect(sent).toMatchObject({
      status: null,
      error: 'the certificate is not valid: it was issued for another name',
    });
    expect(receiver.received()).toBe('');
  });

  test('a self-signed certificate is refused', async () => {
    const receiver = await startReceiver(answer('200 OK'), selfSigned());
    const sent = await sendTo(`https://localhost:${receiver.port}/`, trusted());
    expect(sent).toMatchObject({ status: null, error: 'the certificate is not valid: it is self-signed' });
    expect(receiver.received()).toBe('');
  });

  test('a receiver that does not speak TLS is a failure', async () => {
    const receiver = await startReceiver(() => {});
    const sending = sendTo(`https://localhost:${receiver.port}/`);
    await eventually(() => expect(receiver.received()).not.toBe(''));
    for (const socket of receiver.open) socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
    expect((await sending).error).toBe('a secure connection could not be agreed upon');
  });
});

function selfSigned(): { cert: string; key: string } {
  const dir = mkdtempSync(join(tmpdir(), 'tollgate-send-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const [cert, key] = [join(dir, 'cert.pem'), join(dir, 'key.pem')];
  const kind = ['-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync('openssl', ['req', ...kind, ...names, '-keyout', key, '-out', cert], { stdio: 'pipe' });
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

describe('connections', () => {
  const request = (port: number, mode: 'test' | 'live' = 'test') =>
    ({ url: `http://127.0.0.1:${port}/`, mode, headers: {}, body }) as const;

  test('are reused, but not between test and live', async () => {
    const receiver = await startReceiver(answer('200 OK'));
    const made = sender();
    for (let at = 0; at < 10; at++) await made.send(request(receiver.port));
    const before = receiver.connections;
    expect(before).toBeLessThanOrEqual(2); // the first may still be ending when the next request starts
    await made.send(request(receiver.port, 'live'));
    expect(receiver.connections).toBe(before + 1);
    await made.close();
    await isDropped(receiver);
  });

  test('100 concurrent requests all succeed, and at most about 16 connections stay open', async () => {
    const receiver = await startReceiver(answer('200 OK', 'ok'));
    const made = sender({ deadlineMs: 10_000 });
    const sent = await Promise.all(Array.from({ length: 100 }, () => made.send(request(receiver.port))));
    expect(sent.filter(({ status, error }) => status === 200 && error === null)).toHaveLength(100);
    await eventually(() => expect(receiver.open.size).toBeLessThanOrEqual(20));
  });

  test('100 requests to a receiver that hangs block neither each other nor a good receiver at the same host', async () => {
    const receiver = await startReceiver((socket, head) => {
      if (head.includes('/good')) answer('200 OK')(socket, head);
    });
    const made = sender({ deadlineMs: 2_000 });
    const stuck = Array.from({ length: 100 }, () => made.send(request(receiver.port)));
    const good = await made.send({ ...request(receiver.port), url: `http://127.0.0.1:${receiver.port}/good` });
    expect(good).toMatchObject({ status: 200, error: null });
    for (const sent of await Promise.all(stuck)) expect(sent).toMatchObject({ error: 'no answer within 2 s' });
    await eventually(() => expect(receiver.open.size).toBeLessThanOrEqual(1));
  });

  test('pools of hosts that hang are dropped after the idle time', async () => {
    const receiver = await startReceiver(() => {});
    const made = sender({ deadlineMs: lateMs });
    const urls = Array.from({ length: 20 }, (_, at) => `http://hooks-${at}.example.com:${receiver.port}/`);
    const sent = await Promise.all(urls.map((url) => made.send({ ...request(receiver.port), url })));
    expect(sent.every(({ error }) => error === `no answer within ${lateMs / 1_000} s`)).toBe(true);
    await eventually(() => expect(made.origins).toBe(0));
  });

  test('a closing sender waits for requests in flight, and fails later ones', async () => {
    let reply = () => {};
    const receiver = await startReceiver((socket, head) => {
      reply = () => answer('200 OK')(socket, head);
    });
    const made = sender({ deadlineMs: 5_000 });
    const sending = made.send(request(receiver.port));
    await eventually(() => expect(receiver.received()).toContain('evt_1'));
    const closing = made.close();
    reply();
    expect(await sending).toMatchObject({ status: 200, error: null });
    await closing;
    expect((await made.send(request(receiver.port))).error).toBe('the connection broke');
  });
});
