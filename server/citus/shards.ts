import { query, type Sql } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { hashOf } from './hash.ts';

/** A server of the cluster, by the number of its group, which a promoted standby keeps. */
export type CitusNode = {
  group: number;
  host: string;
  port: number;
  isCoordinator: boolean;
  /** False while an operator has taken it out of the cluster. */
  isActive: boolean;
};

/** Where the tenants of a range of hashes are. The shard is that of `payments`; those of all other tables lie beside it. */
export type ShardRange = { shard: number; min: number; max: number; group: number };

/** What Citus knows of tenants and servers at a moment. */
export type Topology = {
  nodes: ReadonlyMap<number, CitusNode>;
  /** All of them together hold every hash once, in this order. */
  ranges: readonly ShardRange[];
  /** What is being moved to another group now. Only the coordinator knows it. */
  coming: readonly Pick<ShardRange, 'shard' | 'group'>[];
};

/** The table whose shards name the places: every tenant has payments. */
export const anchorTable = 'public.payments';

/** How Citus notes a shard that it is copying to a server: to be dropped there if that fails. */
const cleanUpOnFailure = 1;

/** Undefined where tables are not distributed: on a PostgreSQL without Citus, or on one that `places distribute` has not been run on. */
export async function readTopology(sql: Sql): Promise<Topology | undefined> {
  if (!(await isDistributed(sql))) return undefined;
  const [read] = await query<{ nodes: CitusNode[]; ranges: ShardRange[]; coming: ShardRange[] }>(
    sql,
    `select (select json_agg(json_build_object('group', groupid, 'host', nodename, 'port', nodeport,
                                               'isCoordinator', groupid = 0, 'isActive', isactive) order by groupid)
               from pg_catalog.pg_dist_node where noderole = 'primary') as nodes,
            (select json_agg(json_build_object('shard', s.shardid, 'min', s.shardminvalue::int4, 'max', s.shardmaxvalue::int4,
                                               'group', p.groupid) order by s.shardminvalue::int4)
               from pg_catalog.pg_dist_shard s join pg_catalog.pg_dist_placement p using (shardid)
              where s.logicalrelid = $1::text::regclass and p.shardstate = 1) as ranges,
            (select coalesce(json_agg(json_build_object('shard', s.shardid, 'group', c.node_group_id)), '[]')
               from pg_catalog.pg_dist_shard s join pg_catalog.pg_dist_cleanup c on c.object_name = $1::text || '_' || s.shardid
              where s.logicalrelid = $1::text::regclass and c.policy_type = ${cleanUpOnFailure}) as coming`,
    [anchorTable],
  );
  const { nodes, ranges, coming } = read!;
  return { nodes: new Map(nodes.map((node) => [node.group, node])), ranges: wholeOf(ranges), coming };
}

/** The servers of a cluster, also of one whose tables are not distributed yet. */
export async function readNodes(sql: Sql): Promise<CitusNode[]> {
  return query<CitusNode>(
    sql,
    `select groupid as "group", nodename as host, nodeport as port, groupid = 0 as "isCoordinator", isactive as "isActive"
       from pg_catalog.pg_dist_node where noderole = 'primary' order by groupid`,
    [],
  );
}

/** Those that have places, or may get some. */
export function workersOf(nodes: readonly CitusNode[]): CitusNode[] {
  return nodes.filter(({ isCoordinator, isActive }) => !isCoordinator && isActive);
}

/** Any node can be asked: workers have the metadata too, while the coordinator is away. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  if (!(await hasCitus(sql))) return false;
  const text = 'select from pg_catalog.pg_dist_partition where logicalrelid = to_regclass($1)';
  return (await query(sql, text, [anchorTable])).length > 0;
}

export async function hasCitus(sql: Sql): Promise<boolean> {
  const rows = await query(sql, `select from pg_catalog.pg_extension where extname = 'citus'`, []);
  return rows.length > 0;
}

const lowest = -2_147_483_648;
const highest = 2_147_483_647;

/** Metadata that are being copied to a server, or that somebody has changed by hand, must not send a tenant to nowhere. */
function wholeOf(ranges: readonly ShardRange[]): readonly ShardRange[] {
  const isWhole =
    ranges.length > 0 &&
    ranges.every(({ min }, at) => min === (at === 0 ? lowest : ranges[at - 1]!.max + 1)) &&
    ranges.at(-1)!.max === highest;
  if (!isWhole) throw new Error(`the ranges of the shards of ${anchorTable} do not hold every tenant once`);
  return ranges;
}

/** The range of a tenant: a search in a sorted list, without a question to a server. */
export function shardOf({ ranges }: Topology, tenant: Tenant): ShardRange {
  const hash = hashOf(tenant);
  let [low, high] = [0, ranges.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ranges[middle]!.max < hash) low = middle + 1;
    else high = middle;
  }
  return ranges[low]!;
}

/** For SQL: all shards that lie beside one of `payments`, which is `anchor`, as `s`; their tables as `p`. */
export const shardsBeside = `pg_catalog.pg_dist_shard anchor
  join pg_catalog.pg_dist_partition own on own.logicalrelid = anchor.logicalrelid
  join pg_catalog.pg_dist_partition p on p.colocationid = own.colocationid
  join pg_catalog.pg_dist_shard s on s.logicalrelid = p.logicalrelid and s.shardminvalue = anchor.shardminvalue`;

export const placePrefix = 'place_';

/** The schema of a place on its node. */
export function placeSchema(shard: number): string {
  return `${placePrefix}${shard}`;
}

/** The role of the connections of a place: it has rights on the views of the place, and on nothing else. */
export function placeRole(shard: number): string {
  return `tollgate_place_${shard}`;
}
