import { query, type Sql } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import { hashOf } from './hash.ts';
import { nameOf } from './places.ts';
import { anchorTable, placeSchema, readTopology, shardOf } from './shards.ts';

export type TenantHome = { tenant: Tenant; place: string; node: string; isAlone: boolean };

/** Where tenants live now. */
export async function homesOf(coordinator: Sql, tenants: readonly Tenant[]): Promise<TenantHome[]> {
  const topology = (await readTopology(coordinator))!;
  return tenants.map((tenant) => {
    const { shard, group, min, max } = shardOf(topology, tenant);
    return { tenant, place: placeSchema(shard), node: nameOf(topology.nodes.get(group)!), isAlone: min === max };
  });
}

/**
 * Splits a tenant's place while it is used, so that the tenant has one of its own. All parts go to another worker. A part that stays gets the
 * keys of its tables only when changes are being recorded already, and one change before that keeps Citus 13 busy for ever: it cannot tell
 * which row was meant. Where there is no other worker, writes wait until the split is done.
 */
export async function isolateTenant(coordinator: Sql, tenant: Tenant): Promise<void> {
  const { shard, group, min, max } = shardOf((await readTopology(coordinator))!, tenant);
  const hash = hashOf(tenant);
  const lastOfParts = [hash - 1, hash].filter((last) => last >= min && last < max);
  const [other, own] = await workersFor(coordinator, group);
  const target = other ?? own!;
  await query(
    coordinator,
    'select citus_split_shard_by_split_points($1::int8, $2::text[], $3::int4[], $4::citus.shard_transfer_mode)',
    [
      shard,
      lastOfParts,
      Array(lastOfParts.length + 1).fill(target),
      other === undefined ? 'block_writes' : 'force_logical',
    ],
  );
}

/** The ids of the worker with the fewest places beside that of a group, if there is one, and of the group's own. */
async function workersFor(coordinator: Sql, group: number): Promise<[number | undefined, number | undefined]> {
  const rows = await query<{ id: number; isOwn: boolean }>(
    coordinator,
    `select n.nodeid as id, n.groupid = $2 as "isOwn" from pg_catalog.pg_dist_node n
      where n.noderole = 'primary' and n.isactive and (n.shouldhaveshards or n.groupid = $2)
      order by (select count(*) from pg_catalog.pg_dist_placement p join pg_catalog.pg_dist_shard s using (shardid)
                 where p.groupid = n.groupid and s.logicalrelid = $1::regclass), n.nodeid`,
    [anchorTable, group],
  );
  return [rows.find(({ isOwn }) => !isOwn)?.id, rows.find(({ isOwn }) => isOwn)?.id];
}
