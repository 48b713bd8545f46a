import { type Patience, usualPatience } from '../base/patient_client.ts';
import { type Connection, connect, query, type Sql } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { pause } from '../base/timers.ts';
import { isArrived } from './arrive.ts';
import { nodeAddress } from './nodes.ts';
import { nameOf } from './places.ts';
import {
  type CitusNode,
  placeSchema,
  readTopology,
  type ShardRange,
  shardOf,
  shardsBeside,
  type Topology,
} from './shards.ts';

/** serving: its server answers, and servers find it as they need it. */
export type PlaceState = 'serving' | 'moving' | 'down' | 'not prepared';

export type PlaceStatus = {
  place: string;
  /** Its server, as Citus calls it. */
  node: string;
  /** Of all tables; unknown while its server is down, as is what follows from them. */
  shards: number | null;
  tenants: number;
  /** With indexes. */
  bytes: number | null;
  /** Events that were stored in a second: every commit that changes an object stores one, or several. */
  events_per_second: number | null;
  state: PlaceState;
};

const lookPatience: Patience = { connectMs: 3_000, statementMs: 60_000 };
/** Servers report their counters once a second at the most. */
const windowMs = 2_000;

/** What each place has and does, by its own server. Takes as long as it counts. */
export async function lookAtPlaces(
  coordinator: Connection,
  address: { connectionString: string },
  tenants: readonly Tenant[],
): Promise<PlaceStatus[]> {
  const topology = (await readTopology(coordinator))!;
  const moving = await movingShards(coordinator);
  const found = await Promise.all(
    [...topology.nodes.values()].map(async (node) => {
      const ranges = topology.ranges.filter(({ group }) => group === node.group);
      return ranges.length === 0 ? [] : lookAtNode(address, node, ranges);
    }),
  );
  const counts = countByShard(topology, tenants);
  return found.flat().map(({ shard, shards, ...place }) => {
    const isMoving = place.state === 'serving' && shards.some((one) => moving.has(one));
    const state = isMoving ? 'moving' : place.state;
    return { ...place, shards: state === 'down' ? null : shards.length, tenants: counts.get(shard) ?? 0, state };
  });
}

type LookedPlace = Omit<PlaceStatus, 'tenants' | 'shards'> & { shard: number; shards: readonly number[] };

async function lookAtNode(
  address: { connectionString: string },
  node: CitusNode,
  ranges: readonly ShardRange[],
): Promise<LookedPlace[]> {
  const named = (shard: number) => ({ shard, place: placeSchema(shard), node: nameOf(node) });
  let sql: Connection | undefined;
  try {
    sql = await connect(nodeAddress(address, node), 'places', { ...usualPatience, ...lookPatience });
    const rates = await ratesOf(() => eventsOf(sql!, ranges));
    const looked: LookedPlace[] = [];
    for (const [at, { shard }] of ranges.entries()) {
      const state = (await isArrived(sql, shard)) ? 'serving' : 'not prepared';
      looked.push({ ...named(shard), ...(await sizeOf(sql, shard)), events_per_second: rates[at]!, state });
    }
    return looked;
  } catch {
    const unknown = { shards: [], bytes: null, events_per_second: null, state: 'down' as const };
    return ranges.map(({ shard }) => ({ ...named(shard), ...unknown }));
  } finally {
    await sql?.end().catch(() => {});
  }
}

/** One PostgreSQL, which is the place of all tenants. */
export async function lookAtOne(sql: Sql): Promise<Pick<PlaceStatus, 'bytes' | 'events_per_second'>> {
  const [rate] = await ratesOf(() =>
    query<EventCount>(sql, `select pg_stat_get_tuples_inserted('events'::regclass) as stored, ${millis}`, []),
  );
  const [size] = await query<{ bytes: number }>(sql, 'select pg_database_size(current_database()) as bytes', []);
  return { bytes: size!.bytes, events_per_second: rate! };
}

type EventCount = { stored: number; ms: number };
const millis = 'extract(epoch from clock_timestamp())::float8 * 1000 as ms';

/** By two looks at counters. */
async function ratesOf(look: () => Promise<EventCount[]>): Promise<number[]> {
  const before = await look();
  await pause(windowMs);
  const after = await look();
  return after.map(({ stored, ms }, at) =>
    Math.max(0, Math.round(((stored - before[at]!.stored) / (ms - before[at]!.ms)) * 1_000)),
  );
}

async function sizeOf(sql: Sql, shard: number): Promise<{ shards: number[]; bytes: number }> {
  const [found] = await query<{ shards: number[]; bytes: number }>(
    sql,
    `select array_agg(s.shardid::int4) as shards,
            coalesce(sum(pg_total_relation_size(to_regclass(shard_name(s.logicalrelid, s.shardid)))), 0)::int8 as bytes
       from ${shardsBeside} where anchor.shardid = $1`,
    [shard],
  );
  return found!;
}

async function eventsOf(sql: Sql, ranges: readonly ShardRange[]): Promise<EventCount[]> {
  return query<EventCount>(
    sql,
    `select coalesce((select sum(pg_stat_get_tuples_inserted(to_regclass(shard_name(s.logicalrelid, s.shardid))))
                        from ${shardsBeside} where anchor.shardid = a.shard and s.logicalrelid = 'public.events'::regclass), 0)::int8 as stored, ${millis}
       from unnest($1::int8[]) with ordinality a (shard, at) order by a.at`,
    [ranges.map(({ shard }) => shard)],
  );
}

async function movingShards(coordinator: Sql): Promise<Set<number>> {
  const rows = await query<{ shard: number }>(
    coordinator,
    'select shardid as shard from pg_catalog.get_rebalance_progress() where progress < 2',
    [],
  );
  return new Set(rows.map(({ shard }) => shard));
}

function countByShard(topology: Topology, tenants: readonly Tenant[]): Map<number, number> {
  const groups = Map.groupBy(tenants, (tenant) => shardOf(topology, tenant).shard);
  return new Map([...groups].map(([shard, members]) => [shard, members.length]));
}
