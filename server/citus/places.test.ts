import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Hosts } from '../base/hosts.ts';
import { silentLog } from '../base/log.ts';
import { type Connection, connect, query } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { createDatabase } from '../test/harness.ts';
import { CitusPlaces } from './places.ts';
import { type CitusNode, type ShardRange, shardOf, type Topology } from './shards.ts';

const [lowest, highest] = [-2_147_483_648, 2_147_483_647];
const node = (group: number): CitusNode => ({
  group,
  host: `node${group}`,
  port: 5432,
  isCoordinator: group === 0,
  isActive: true,
});
const nodes = new Map([0, 1, 2].map((group) => [group, node(group)]));
/** Two shards, halves of all hashes, on the nodes of these groups. */
const halves = (...groups: [number, number]): readonly ShardRange[] => [
  { shard: 101, min: lowest, max: -1, group: groups[0] },
  { shard: 102, min: 0, max: highest, group: groups[1] },
];
const low = tenantIn(101);
const high = tenantIn(102);

function tenantIn(shard: number): Tenant {
  const topology = { nodes, ranges: halves(1, 2), coming: [] };
  for (let tenant = 1; ; tenant++) if (shardOf(topology, tenant as Tenant).shard === shard) return tenant as Tenant;
}

/** What a connection of a place does: it is on the node that it was opened to until it is given up. */
class FakePlace {
  readonly name: string;
  readonly hosts: Hosts;
  isOpen = true;
  #host: string | undefined;

  constructor(shard: number, hosts: Hosts) {
    this.name = `place_${shard}`;
    this.hosts = hosts;
  }

  dropIdle() {
    this.#host = undefined;
  }

  async host(): Promise<string> {
    this.#host ??= (await this.hosts.choose()).host;
    return this.#host;
  }
}

let database: Awaited<ReturnType<typeof createDatabase>>;
let sql: Connection;
let ranges: readonly ShardRange[];
let coming: Topology['coming'];
let prepared: string[];
let asked: number;
let arrivals: string[];
let unreachable: Set<string>;
let directory: FakePlace;
let places: CitusPlaces<FakePlace>;
/** An arrival at this server ends when the promise does. */
let arriving: Map<string, Promise<void>>;
/** Whether anybody can say where tenants live. */
let isKnown: boolean;

beforeAll(async () => {
  database = await createDatabase();
  sql = await connect(database.address, 'test');
});
afterAll(async () => {
  await sql.end();
  await database.drop();
});
beforeEach(async () => {
  [coming, prepared] = [[], []];
  [ranges, asked, arrivals, unreachable, arriving, isKnown] = [halves(1, 2), 0, [], new Set(), new Map(), true];
  directory = new FakePlace(0, { choose: async () => ({ host: 'node0', port: '5432' }), forget() {}, check() {} });
  places = await CitusPlaces.open<FakePlace>({
    directory,
    log: silentLog,
    async ask(): Promise<Topology> {
      asked++;
      if (!isKnown) throw new Error('connect ECONNREFUSED');
      return { nodes, ranges, coming };
    },
    async arrive(shard, { host }) {
      if (unreachable.has(host)) throw new Error('connect ECONNREFUSED');
      await arriving.get(host);
      arrivals.push(`${shard} at ${host}`);
    },
    async prepareArrival(shard, { host }) {
      prepared.push(`${shard} at ${host}`);
      if (unreachable.has(host)) throw new Error('connect ECONNREFUSED');
    },
    open: (shard, hosts) => new FakePlace(shard, hosts),
    async close(place) {
      place.isOpen = false;
    },
  });
});
afterEach(() => {
  places.stop();
  vi.useRealTimers();
});

/** A statement at a place: the database refuses it where the tenant does not live any more, as a place does. */
async function statement(tenant: Tenant, place: FakePlace): Promise<string> {
  const host = await place.host();
  const { shard, group } = shardOf({ nodes, ranges, coming }, tenant);
  if (place.name === `place_${shard}` && host === nodes.get(group)!.host) return `${place.name} at ${host}`;
  await query(sql, `do $$ begin raise exception 'moved' using errcode = 'TG001'; end $$`, []);
  throw new Error('unreachable');
}
const run = (tenant: Tenant) => places.at(tenant, (place) => statement(tenant, place));

describe('the work of a tenant', () => {
  test('runs at its place, and nobody is asked where that is', async () => {
    const before = asked;
    expect(await Promise.all([run(low), run(high), run(low)])).toEqual([
      'place_101 at node1',
      'place_102 at node2',
      'place_101 at node1',
    ]);
    expect(asked).toBe(before);
    expect(arrivals).toEqual(['101 at node1', '102 at node2']);
  });

  test('runs again where the tenant is now, after the place has moved and its schema is prepared there', async () => {
    await run(low);
    ranges = halves(2, 2);
    expect(await Promise.all([run(low), run(low), run(high)])).toEqual([
      'place_101 at node2',
      'place_101 at node2',
      'place_102 at node2',
    ]);
    expect(arrivals.slice(2)).toEqual(['101 at node2']);
  });

  test('finds a place prepared that was seen coming, which is looked after until it is there', async () => {
    vi.useFakeTimers();
    unreachable.add('node2');
    coming = [{ shard: 101, group: 2 }];
    await places.look();
    await vi.advanceTimersByTimeAsync(2_500);
    expect(prepared).toEqual(['101 at node2', '101 at node2', '101 at node2']);
    expect(arrivals).toEqual(['101 at node1', '102 at node2']);
    coming = [];
    const before = asked;
    await vi.advanceTimersByTimeAsync(2_500);
    expect([prepared.length, asked - before]).toEqual([3, 1]);
  });

  test('goes on when a place moves back and forth', async () => {
    for (const group of [2, 1, 2, 1]) {
      ranges = halves(group, 2);
      expect(await run(low)).toBe(`place_101 at node${group}`);
    }
  });

  test('runs at a new place after a split, and the old one is closed when nobody waits there any more', async () => {
    await run(low);
    const old = places.of(low);
    const [first, second] = halves(1, 2);
    const middle = shardOf({ nodes, ranges, coming }, low).min + 1_000_000_000;
    ranges = [{ ...first!, shard: 103, max: middle }, { ...first!, shard: 104, min: middle + 1, group: 2 }, second!];
    const { shard, group } = shardOf({ nodes, ranges, coming }, low);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    await places.look();
    expect(places.all().map(({ name }) => name)).toEqual(['place_102', 'place_103', 'place_104']);
    await vi.advanceTimersByTimeAsync(29_000);
    expect(old.isOpen).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(old.isOpen).toBe(false);
    vi.useRealTimers();
    expect(await run(low)).toBe(`place_${shard} at node${group}`);
    expect(places.stop().map(({ name }) => name)).toEqual(['place_102', 'place_103', 'place_104']);
  });

  test('leaves what was split to be closed with the rest, when all is stopped before', async () => {
    const [first, second] = halves(1, 2);
    ranges = [{ ...first!, shard: 103 }, second!];
    await places.look();
    expect(places.stop().map(({ name }) => name)).toEqual(['place_102', 'place_103', 'place_101']);
  });

  test('does not wait for another place that cannot be prepared on its new server yet', async () => {
    arriving.set('node2', new Promise(() => {}));
    ranges = halves(2, 1);
    expect(await run(high)).toBe('place_102 at node1');
  });

  test('waits for the server where its place is, and not for the one where it was', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    arriving.set('node2', promise);
    ranges = halves(2, 2);
    const looking = places.look();
    await looking;
    ranges = halves(1, 2);
    await places.look();
    resolve();
    expect(await run(low)).toBe('place_101 at node1');
    expect(arrivals.filter((arrival) => arrival === '101 at node1')).toHaveLength(2);
  });

  test.each([
    ['a defect', true, 'relation "nowhere" does not exist'],
    ['unavailable where nobody can say where it is', false, 'the account is being moved to another server'],
  ])('of which a table is missing is %s', async (_, canBeAsked, message) => {
    isKnown = canBeAsked;
    await expect(places.at(low, () => query(sql, 'select from nowhere', []))).rejects.toThrow(message);
  });

  test('is refused as unavailable while the tenant is on its way for longer than two seconds', async () => {
    const moving = () => query(sql, `do $$ begin raise exception 'moved' using errcode = 'TG001'; end $$`, []);
    const started = performance.now();
    await expect(places.at(low, moving)).rejects.toThrow('the account is being moved to another server');
    expect(performance.now() - started).toBeGreaterThan(2_000);
  });

  test('fails with its own error, once, when that is of another kind', async () => {
    const work = vi.fn(() => query(sql, 'select 1 / 0', []));
    await expect(places.at(low, work)).rejects.toThrow('division by zero');
    expect(work).toHaveBeenCalledTimes(1);
  });
});

test('the installation is at home in the directory', async () => {
  expect(await places.at(0 as Tenant, async (place) => place === directory)).toBe(true);
});

test('a server that cannot be reached keeps nobody else, and its tenants come back with it', async () => {
  unreachable.add('node2');
  ranges = halves(2, 1);
  await places.look();
  expect(await run(high)).toBe('place_102 at node1');
  await expect(run(low)).rejects.toThrow('ECONNREFUSED');
  unreachable.clear();
  expect(await run(low)).toBe('place_101 at node2');
});
