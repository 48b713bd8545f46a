import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { virtualClock } from '../../base/clock.fixture.ts';
import type { Tenant } from '../../base/reads.ts';
import type { Feed, FeedReader } from '../../operations/feed.ts';
import { becomes } from '../../test/eventually.ts';
import { LiveStreams } from './live.ts';

afterEach(() => void vi.useRealTimers());

type World = {
  port: number;
  streams: LiveStreams;
  /** Of the streams that were begun, in order. */
  readers: FeedReader[];
  left: number;
  clock: ReturnType<typeof virtualClock>;
  isAdmitted: () => Promise<boolean>;
};

/** A server that answers every request with a stream whose messages the test makes. */
async function serve(): Promise<World> {
  const clock = virtualClock(0);
  const streams = new LiveStreams(clock);
  const world: World = { port: 0, streams, readers: [], left: 0, clock, isAdmitted: async () => true };
  const feed = (): Feed => ({
    position: '7-0',
    follow: async (reader) => void world.readers.push(reader),
    leave: () => void world.left++,
  });
  const server = http.createServer(async (_request, response) => {
    const owner = {
      tenant: 1 as Tenant,
      holder: 'usr_1',
      streams: 'streams of yours',
      isStillAdmitted: () => world.isAdmitted(),
    };
    const begun = await streams.begin(owner, async () => feed());
    response.writeHead(200);
    begun.send(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  world.port = (server.address() as AddressInfo).port;
  return world;
}

async function get({ port }: World): Promise<IncomingMessage> {
  const [response] = await once(http.get({ port, host: '127.0.0.1', agent: false }), 'response');
  return response.setEncoding('utf8').on('error', () => {});
}

const message = { id: '8-evt', data: `"${'x'.repeat(10_000)}"` };

test('a client that does not read is disconnected, and holds up nobody', async () => {
  const world = await serve();
  const slow = await get(world);
  const quick = await get(world);
  let text = '';
  quick.on('data', (chunk) => {
    text += chunk;
  });
  await becomes(() => world.readers.length).toBe(2);
  let told = 0;
  // More than the buffers of the kernel hold; the quick client is given time to read.
  for (; world.streams.size === 2 && told < 5_000; told++) {
    for (const reader of world.readers) reader.take([message]);
    await world.readers[1]!.drained();
  }
  expect([world.streams.size, world.left]).toEqual([1, 1]);
  await becomes(() => text.split('data:').length - 1).toBe(told);
  slow.destroy();
});

test('begins with a position, and shows every 15 seconds that it lives', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const world = await serve();
  const response = await get(world);
  let text = '';
  response.on('data', (chunk) => {
    text += chunk;
  });
  await becomes(() => text).toBe('retry: 1000\nid: 7-0\n\n');
  world.clock.advance(14_000);
  await vi.advanceTimersByTimeAsync(1_000);
  world.clock.advance(1_000);
  await vi.advanceTimersByTimeAsync(1_000);
  await becomes(() => text).toBe('retry: 1000\nid: 7-0\n\n: \nid: 7-0\n\n');
});

test.each([
  ['who may no longer have it', async () => false],
  ['who cannot be checked', () => Promise.reject(new Error('no database'))],
])('of somebody %s ends', async (_who, isAdmitted) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const world = await serve();
  const response = await get(world);
  world.isAdmitted = isAdmitted;
  await vi.advanceTimersByTimeAsync(1_000);
  await response.resume().toArray();
  expect(response.complete).toBe(true);
  await becomes(() => [world.streams.size, world.left]).toEqual([0, 1]);
});

test('of a client that leaves ends immediately, although nothing is sent', async () => {
  const world = await serve();
  const response = await get(world);
  expect(world.streams.size).toBe(1);
  response.destroy();
  await becomes(() => [world.streams.size, world.left]).toEqual([0, 1]);
});

test('closing ends all, and begins no more', async () => {
  const world = await serve();
  const response = await get(world);
  world.streams.close();
  await response.resume().toArray();
  expect(response.complete).toBe(true);
  const owner = {
    tenant: 1 as Tenant,
    holder: 'usr_1',
    streams: 'streams of yours',
    isStillAdmitted: async () => true,
  };
  await expect(world.streams.begin(owner, () => Promise.reject(new Error('not asked for')))).rejects.toThrow(
    'stopping',
  );
});

test('a person has ten places, an account a hundred; a stream that could not begin gives its place back', async () => {
  const streams = new LiveStreams(virtualClock(0));
  const begin = (user: string, feed = Promise.resolve({} as Feed)) =>
    streams.begin(
      { tenant: 1 as Tenant, holder: user, streams: 'streams of yours', isStillAdmitted: async () => true },
      () => feed,
    );
  const full = { code: 'too_many_exports', status: 429 };
  await expect(begin('usr_0', Promise.reject(new Error('no position')))).rejects.toThrow('no position');
  const begun = await Promise.all(Array.from({ length: 10 }, () => begin('usr_0')));
  await expect(begin('usr_0')).rejects.toMatchObject(full);
  await Promise.all(Array.from({ length: 90 }, (_, at) => begin(`usr_${1 + (at % 9)}`)));
  await expect(begin('usr_new')).rejects.toMatchObject(full);
  begun[0]!.abandon();
  begun[0]!.abandon();
  await begin('usr_0');
  await expect(begin('usr_0')).rejects.toMatchObject(full);
});
