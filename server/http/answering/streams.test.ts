import { once } from 'node:events';
import http, { type IncomingMessage, type Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import type { Tenant } from '../../base/reads.ts';
import { shareOf } from '../../test/torture.ts';
import { type Pieces, Streams } from './streams.ts';

const piece = `${'x'.repeat(99_999)}\n`;
const pieces = shareOf(2_000, 400); // 40 MB: more than any buffer between a server and its client
const tenant = 1 as Tenant;

/** How many pieces were requested of a source, and whether it was asked to stop. */
type Source = { made: number; ended: boolean; stream: Pieces };

function sourceOf(make: (at: number) => string | Promise<string>, count: number): Source {
  const source: Source = { made: 0, ended: false, stream: undefined as never };
  source.stream = (async function* () {
    try {
      for (; source.made < count; source.made++) yield await make(source.made);
    } finally {
      source.ended = true;
    }
  })();
  return source;
}

/** Answers every request with the source, and notes how sending it ended. */
async function serve(source: Source): Promise<{ port: number; outcomes: unknown[] }> {
  const outcomes: unknown[] = [];
  const server: Server = http.createServer(async (request, response) => {
    if (request.url === '/slow') return; // never answered
    const { send } = await new Streams().begin(tenant, source.stream);
    response.writeHead(200);
    await send(response).then(
      () => outcomes.push('over'),
      (error) => outcomes.push(error.message),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, outcomes };
}

async function get(port: number): Promise<IncomingMessage> {
  const [response] = await once(http.get({ port, host: '127.0.0.1', agent: false }), 'response');
  return response;
}

const poll = <T>(current: () => T) => expect.poll(current, { interval: 10 });

/** Resolves with a value once it no longer changes. */
async function settled(current: () => number): Promise<number> {
  for (let before = -1, same = 0; same < 20; before = current()) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    same = current() === before ? same + 1 : 0;
  }
  return current();
}

describe('a stream', () => {
  test('arrives whole', async () => {
    const source = sourceOf((at) => `${at}\n`, 50);
    const { port, outcomes } = await serve(source);
    const chunks = await (await get(port)).toArray();
    expect(Buffer.concat(chunks).toString()).toBe(Array.from({ length: 50 }, (_, at) => `${at}\n`).join(''));
    await poll(() => outcomes).toEqual(['over']);
    expect(source.ended).toBe(true);
  });

  test('waits for a client that does not read, and goes on when it does', async () => {
    const source = sourceOf(() => piece, pieces);
    const { port, outcomes } = await serve(source);
    const response = await get(port);
    const waiting = await settled(() => source.made);
    expect(waiting).toBeGreaterThan(0);
    expect(waiting).toBeLessThan(pieces / 2);
    let bytes = 0;
    for await (const chunk of response) bytes += chunk.length;
    expect(bytes).toBe(pieces * piece.length);
    await poll(() => outcomes).toEqual(['over']);
  });

  test('ends when the client leaves', async () => {
    const source = sourceOf(() => piece, pieces);
    const { port, outcomes } = await serve(source);
    const response = await get(port);
    await settled(() => source.made);
    response.destroy();
    await poll(() => outcomes).toEqual(['over']);
    expect(source.ended).toBe(true);
    expect(source.made).toBeLessThan(pieces / 2);
  });

  test('ends when the client leaves while the stream waits behind an earlier response', async () => {
    const source = sourceOf(() => piece, pieces);
    const { port, outcomes } = await serve(source);
    const socket = net.connect(port, '127.0.0.1');
    const line = 'HTTP/1.1\r\nHost: localhost\r\n\r\n';
    socket.write(`GET /slow ${line}GET /stream ${line}`);
    await settled(() => source.made);
    expect(source.ended).toBe(false);
    socket.destroy();
    await poll(() => outcomes).toEqual(['over']);
    expect([source.ended, source.made]).toEqual([true, 0]);
  });

  test('that fails in the middle is cut off without its last chunk', async () => {
    const arrived = Promise.withResolvers<string>();
    const source = sourceOf((at) => (at < 3 ? 'line\n' : arrived.promise), 10);
    const { port, outcomes } = await serve(source);
    const response = await get(port);
    arrived.reject(new Error('no more'));
    await expect(response.toArray()).rejects.toThrow('aborted');
    expect(response.complete).toBe(false);
    await poll(() => outcomes).toEqual(['no more']);
  });

  test('that fails before its first piece is never begun', async () => {
    const source = sourceOf(() => Promise.reject(new Error('nothing')), 1);
    await expect(new Streams().begin(tenant, source.stream)).rejects.toThrow('nothing');
  });
});

describe('the pieces', () => {
  let gate = Promise.withResolvers<void>();
  afterEach(() => {
    gate = Promise.withResolvers<void>();
  });

  const table: [what: string, tenants: [number, number], atOnce: number][] = [
    ['of one tenant are made one after the other', [1, 1], 1],
    ['of two tenants side by side', [1, 2], 2],
  ];
  test.each(table)('%s', async (_what, tenants, atOnce) => {
    let [now, most] = [0, 0];
    const source = () =>
      sourceOf(async () => {
        most = Math.max(most, ++now);
        await gate.promise;
        now--;
        return 'x';
      }, 1);
    const streams = new Streams();
    const begun = tenants.map((one) => streams.begin(one as Tenant, source().stream));
    for (let turns = 0; turns < 10; turns++) await turn();
    expect(most).toBe(atOnce);
    gate.resolve();
    await Promise.all(begun);
    expect(most).toBe(atOnce);
  });

  test('of one tenant come from eight streams at most; a stream that ends makes way for another, and other tenants have their own eight', async () => {
    const streams = new Streams();
    const source = () => sourceOf(async () => 'x', 1).stream;
    const begun = await Promise.all(Array.from({ length: 8 }, () => streams.begin(tenant, source())));
    await expect(streams.begin(tenant, source())).rejects.toMatchObject({ code: 'too_many_exports', status: 429 });
    await (await streams.begin(999 as Tenant, source())).abandon();
    await begun[0]!.abandon();
    await begun.push(await streams.begin(tenant, source()));
    await expect(streams.begin(tenant, source())).rejects.toMatchObject({ code: 'too_many_exports' });
    const failing = sourceOf(async () => {
      throw new Error('nothing');
    }, 1).stream;
    await begun[1]!.abandon();
    await expect(streams.begin(tenant, failing)).rejects.toThrow('nothing');
    await (await streams.begin(tenant, source())).abandon(); // the stream that failed no longer counts
  });
});
