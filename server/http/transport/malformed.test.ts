import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import { behindProxy, close, dial, direct, eventually, host, refused, say, viaProxy } from './harness.ts';
import type { Handler } from './index.ts';

type Case = [what: string, head: string, rest: string, code: string, param?: string];

/** The headers of every good request are sent between `head` and `rest`. */
const bad: Case[] = [
  ['no request at all', 'hello\r\n', '\r\n', 'request_malformed'],
  ['an unknown method', 'BREW / HTTP/1.1\r\n', '\r\n', 'request_malformed'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n', '\r\nSM\r\n\r\n', 'request_malformed'],
  ['a version that does not exist', 'GET / HTTP/7.3\r\n', '\r\n', 'request_malformed'],
  ['a header of 20 kB', 'GET / HTTP/1.1\r\n', `X-Big: ${'x'.repeat(20_000)}\r\n\r\n`, 'headers_too_large'],
  ['a target of 20 kB', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\n`, '\r\n', 'headers_too_large'],
  ['an expectation', 'POST / HTTP/1.1\r\n', 'Expect: foo\r\nContent-Length: 1\r\n\r\na', 'request_malformed', 'Expect'],
  ['CONNECT', 'CONNECT example.com:443 HTTP/1.1\r\n', '\r\n', 'request_malformed'],
  ['bare line feeds', 'GET / HTTP/1.1\n', '\n', 'request_malformed'],
  ['a bare line feed in the headers', 'GET / HTTP/1.1\r\n', 'A: b\nC: d\r\n\r\n', 'request_malformed'],
  ['a bare carriage return in a value', 'GET / HTTP/1.1\r\n', 'A: b\rC: d\r\n\r\n', 'request_malformed'],
  ['a NUL in a value', 'GET / HTTP/1.1\r\n', 'A: b\0c\r\n\r\n', 'request_malformed'],
  ['a folded header', 'GET / HTTP/1.1\r\n', 'A: b\r\n c\r\n\r\n', 'request_malformed'],
  ['a header without a name', 'GET / HTTP/1.1\r\n', ': b\r\n\r\n', 'request_malformed'],
];

const smuggled: [what: string, headersAndBody: string, param?: string][] = [
  ['both lengths', 'Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nG'],
  ['both lengths, the other way round', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\nG'],
  ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
  ['two equal lengths', 'Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello'],
  ['a list of lengths', 'Content-Length: 5, 5\r\n\r\nhello'],
  ['a signed length', 'Content-Length: +5\r\n\r\nhello'],
  ['a hexadecimal length', 'Content-Length: 0x5\r\n\r\nhello'],
  ['a space before the colon', 'Content-Length : 5\r\n\r\nhello'],
  ['a tab before the colon', 'Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n'],
  ['a folded coding', 'Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n'],
  ['a coding after chunked', 'Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
  ['chunked twice', 'Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
  ['an unknown coding', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n', 'Transfer-Encoding'],
  ['a coding before chunked', 'Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n', 'Transfer-Encoding'],
];

/** Bodies whose fault is found after the request was passed to the handler. They never complete. */
const badBodies: [what: string, body: string][] = [
  ['a bad chunk size', 'xyz\r\nhello\r\n0\r\n\r\n'],
  ['a chunk that is longer than its size', '3\r\nhello\r\n0\r\n\r\n'],
  ['a chunk size that overflows', 'fffffffffffffffff\r\nhello\r\n0\r\n\r\n'],
  ['a bare line feed after a chunk size', '5\nhello\r\n0\r\n\r\n'],
  ['a bare line feed after a chunk', '5\r\nhello\n0\r\n\r\n'],
];

describe.each([
  ['over TLS', direct, host],
  ['behind a proxy', (handler?: Handler) => behindProxy(['127.0.0.1'], handler), viaProxy],
])('%s', (_name, open, goodHeaders) => {
  test.each(bad)('%s is refused and the connection closed', async (_what, head, rest, code, param) => {
    const running = await open();
    const { text, ended } = await say(running, head + goodHeaders + rest);
    expect(text).toEqual(refused(code, param));
    expect(ended).toBe('end');
    expect(running.handled).toEqual([]);
    await eventually(() => running.transport.connections()).toBe(0);
  });

  test.each(smuggled)('no request is smuggled by %s', async (_what, bytes, param) => {
    const running = await open();
    const next = `GET /smuggled HTTP/1.1\r\n${goodHeaders}\r\n`;
    const { text, ended } = await say(running, `POST / HTTP/1.1\r\n${goodHeaders}${bytes}${next}`);
    expect(text).toEqual(refused('request_malformed', param));
    expect(ended).toBe('end');
    expect(running.handled).toEqual([]);
    await eventually(() => running.transport.connections()).toBe(0);
  });

  test.each(badBodies)('%s is refused and the connection closed', async (_what, body) => {
    const running = await open();
    const head = `POST /a HTTP/1.1\r\n${goodHeaders}Transfer-Encoding: chunked\r\n\r\n`;
    const { text, ended } = await say(running, `${head}${body}GET /b HTTP/1.1\r\n${goodHeaders}\r\n`);
    expect(text).toEqual(refused('request_malformed'));
    expect(ended).toBe('end');
    expect(running.handled).toEqual(['POST /a']);
  });

  test('a missing Host is refused on HTTP/1.1 and fine on HTTP/1.0', async () => {
    const running = await open();
    const headers = goodHeaders.replace(host, '');
    const newer = await say(running, `GET /new HTTP/1.1\r\n${headers}\r\n`);
    expect(newer.text).toEqual(refused('request_malformed', 'Host'));
    const older = await say(running, `GET /old HTTP/1.0\r\n${headers}\r\n`);
    expect(older.text).toContain('GET /old 0');
    expect(running.handled).toEqual(['GET /old']);
  });

  test('a refusal of HEAD has no body', async () => {
    const { text } = await say(await open(), `HEAD / HTTP/1.1\r\n${goodHeaders.replace(host, '')}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 400 [^{]*\r\n\r\n$/);
  });

  test('Expect: 100-continue is answered, then the request', async () => {
    const line = await dial(await open());
    line.socket.write(`POST /a HTTP/1.1\r\n${goodHeaders}${close}Content-Length: 3\r\nExpect: 100-continue\r\n\r\n`);
    await eventually(() => line.received()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    line.socket.write('abc');
    expect(await line.ended).toBe('end');
    expect(line.received()).toContain('POST /a 3');
  });

  test('Upgrade is ignored', async () => {
    const upgrade = 'Connection: Upgrade, close\r\nUpgrade: websocket\r\n';
    const { text } = await say(await open(), `GET /a HTTP/1.1\r\n${goodHeaders}${upgrade}\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  });

  test('a client that stops sending after its request gets its answer', async () => {
    let held: ServerResponse | undefined;
    const running = await open((_req, res) => {
      held = res;
    });
    const line = await dial(running);
    line.socket.end(`GET /a HTTP/1.1\r\n${goodHeaders}\r\n`);
    await eventually(() => held?.req.socket.readableEnded).toBe(true);
    held?.end('answer');
    expect(await line.ended).toBe('end');
    expect(line.received()).toMatch(/answer$/);
  });

  test('a client that stops sending in the middle of its request is refused', async () => {
    const line = await dial(await open());
    line.socket.end(`POST /a HTTP/1.1\r\n${goodHeaders}Content-Length: 10\r\n\r\nabc`);
    expect(await line.ended).toBe('end');
    expect(line.received()).toEqual(refused('request_malformed'));
  });

  test('a client that resets its connection gets no response', async () => {
    const running = await open();
    const line = await dial(running);
    line.socket.write(`POST /a HTTP/1.1\r\n${goodHeaders}Content-Length: 10\r\n\r\nabc`);
    await eventually(() => running.handled.length).toBe(1);
    line.tcp.resetAndDestroy();
    await eventually(() => running.transport.connections()).toBe(0);
    expect(running.refusals).toEqual([]);
  });

  test('garbage after a request is refused after that request was answered', async () => {
    const running = await open();
    const bytes = `GET /a HTTP/1.1\r\n${goodHeaders}\r\nGARBAGE\r\n\r\nGET /b HTTP/1.1\r\n${goodHeaders}\r\n`;
    const { text } = await say(running, bytes);
    const [first, second] = text.split('GET /a 0');
    expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    expect(second).toEqual(refused('request_malformed'));
    expect(running.handled).toEqual(['GET /a']);
  });

  test.each([
    ['at fault', (good: string) => `GET /b HTTP/1.1\r\n${good.replace(host, '')}\r\n`],
    ['broken off', (good: string) => `POST /b HTTP/1.1\r\n${good}Transfer-Encoding: chunked\r\n\r\nxyz\r\n`],
  ])(
    'a request that is %s behind one that is still being answered is refused after that answer',
    async (_name, bad) => {
      const held: ServerResponse[] = [];
      const running = await open((_req, res) => void held.push(res));
      const line = await dial(running);
      line.socket.write(`GET /a HTTP/1.1\r\n${goodHeaders}\r\n${bad(goodHeaders)}`);
      await eventually(() => running.refusals.length).toBe(1);
      expect(line.received()).toBe('');
      held[0]?.end('answer');
      expect(await line.ended).toBe('end');
      const [first, second] = line.received().split('answer');
      expect(first).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
      expect(second).toEqual(expect.stringMatching(/^HTTP\/1\.1 400 .*request_malformed/s));
    },
  );

  test('a malformed body gets no second response when its request was already answered', async () => {
    const running = await open((_req, res) => void res.end('early'));
    const line = await dial(running);
    line.socket.write(`POST /a HTTP/1.1\r\n${goodHeaders}Transfer-Encoding: chunked\r\n\r\n`);
    await eventually(() => line.received()).toMatch(/early$/);
    line.socket.write('xyz\r\n');
    expect(await line.ended).toBe('end');
    expect(line.received()).toMatch(/early$/);
  });

  test('a request pipelined behind a refused one is not handled', async () => {
    const running = await open();
    const first = `POST /a HTTP/1.1\r\n${goodHeaders}Expect: foo\r\n\r\n`;
    const { text } = await say(running, `${first}GET /b HTTP/1.1\r\n${goodHeaders}\r\n`);
    expect(text).toEqual(refused('request_malformed', 'Expect'));
    expect(running.handled).toEqual([]);
  });

  test('thousands of small headers all arrive', async () => {
    const running = await open((req, res) => void res.end(`${req.rawHeaders.length / 2} headers`));
    const good = goodHeaders + close;
    const { text } = await say(running, `GET / HTTP/1.1\r\n${good}${'a:\r\n'.repeat(3_000)}\r\n`);
    expect(text).toContain(`\r\n\r\n${3_000 + good.split('\r\n').length - 1} headers`);
  });
});

test('a refusal names the client behind the proxy, with IPv4 in IPv4 notation', async () => {
  const running = await behindProxy(['127.0.0.0/8']);
  const forwarded = 'X-Forwarded-Proto: https\r\nX-Forwarded-For: ::ffff:192.0.2.1\r\n';
  await say(running, `GET / HTTP/1.1\r\n${forwarded}\r\n`);
  expect(running.refusals).toEqual([
    { code: 'request_malformed', param: 'Host', detail: 'the header Host is missing', remoteAddress: '192.0.2.1' },
  ]);
});
