import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type VirtualClock, virtualClock } from '../../base/clock.fixture.ts';
import { type Connection, connect, openPool, type Pool } from '../../base/sql.ts';
import { eventually } from '../../test/eventually.ts';
import { createDatabase } from '../../test/harness.ts';
import { healthPages, Readiness } from './health.ts';

let database: Awaited<ReturnType<typeof createDatabase>>;
let reads: Pool;
let sql: Connection;
let clock: VirtualClock;
let trouble: string | undefined;
let isSure: boolean;
let isDraining: boolean;
let readiness: Readiness;
let ready: () => Promise<number>;

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
  reads = openPool(database.address, { use: 'reads', connectionsMax: 2, onError: () => {} });
});
afterAll(async () => {
  await reads.end();
  await sql.end();
  await database.drop();
});
beforeEach(() => {
  vi.restoreAllMocks();
  [clock, trouble, isSure] = [virtualClock(0), undefined, true];
  const watch = { trouble: () => trouble, isSure: () => isSure, decided: async () => {} };
  isDraining = false;
  const place = { name: 'main', reads, watch };
  readiness = new Readiness({ places: { directory: place, all: () => [place] }, clock, isDraining: () => isDraining });
  const page = healthPages('1', readiness).find(({ path }) => path === '/readyz')!;
  ready = async () => (await page.render({} as never)).status;
});

describe('/readyz', () => {
  test('asks the database once for all callers within 250 ms', async () => {
    const asked = vi.spyOn(reads, 'query');
    expect(new Set(await Promise.all(Array.from({ length: 50 }, ready)))).toEqual(new Set([200]));
    clock.advance(249);
    expect(await ready()).toBe(200);
    expect(asked).toHaveBeenCalledTimes(1);
    clock.advance(1);
    expect(await ready()).toBe(200);
    expect(asked).toHaveBeenCalledTimes(2);
  });

  test('asks again while a connection may have broken, with one query in flight', async () => {
    expect(await ready()).toBe(200);
    isSure = false;
    const asked = vi.spyOn(reads, 'query');
    expect(await Promise.all([ready(), ready(), ready()])).toEqual([200, 200, 200]);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('answers 500 immediately while the database cannot be used, without asking it', async () => {
    trouble = 'the disk of the database is full';
    const asked = vi.spyOn(reads, 'query');
    expect(await ready()).toBe(500);
    expect(asked).not.toHaveBeenCalled();
    trouble = undefined;
    expect(await ready()).toBe(200);
  });

  test('never has two queries in flight, even if the first is slow', async () => {
    const asked = vi.spyOn(reads, 'query');
    const holders = await Promise.all([reads.connect(), reads.connect()]);
    const first = ready();
    await eventually(() => expect(asked).toHaveBeenCalledTimes(1));
    clock.advance(10_000);
    const second = ready();
    for (const holder of holders) holder.release();
    expect([await first, await second]).toEqual([200, 200]);
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('has the same answer for the metrics, which ask the database no more often', async () => {
    const asked = vi.spyOn(reads, 'query');
    expect(await Promise.all([ready(), readiness.isReady(), readiness.isReady()])).toEqual([200, true, true]);
    expect(asked).toHaveBeenCalledTimes(1);
    trouble = 'the disk of the database is full';
    expect([await ready(), await readiness.isReady()]).toEqual([500, false]);
    [trouble, isDraining] = [undefined, true];
    expect([await ready(), await readiness.isReady()]).toEqual([500, false]);
    isDraining = false;
    expect([await ready(), await readiness.isReady()]).toEqual([200, true]);
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

describe('/readyz of a cluster', () => {
  const answer = async (troubles: Record<string, string | undefined>) => {
    const [directory, ...others] = ['directory', 'place_1', 'place_2'].map((name) => {
      const watch = { trouble: () => troubles[name], isSure: () => true, decided: async () => {} };
      return { name, reads, watch };
    });
    const places = { directory: directory!, all: () => others };
    const { status, body } = await new Readiness({ places, clock, isDraining: () => false }).render();
    return [status, JSON.parse(String(body))];
  };
  const reason = 'database unreachable';

  test('is ready while the directory and one place of tenants serve, and names those that do not', async () => {
    expect(await answer({})).toEqual([200, { status: 'ready' }]);
    const down = { place_1: reason };
    expect(await answer(down)).toEqual([200, { status: 'ready', unavailable_places: down }]);
  });

  test.each([{ directory: reason }, { place_1: reason, place_2: reason }])('is not ready: %j', async (troubles) => {
    expect(await answer(troubles)).toEqual([500, { status: 'unavailable', reason }]);
  });
});
