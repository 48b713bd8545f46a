import { query, type Sql } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
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
 * Splits a tenant's place, so that the tenant has one of its own on the same server. Writes wait meanwhile: by logical replication, under
 * load, the split did not end. Its subscription failed again and again at an update of `rate_windows` ("publisher did not send replica
 * identity column"), presumably because the new shards had no key yet when the row was changed.
 */
export async function isolateTenant(coordinator: Sql, tenant: Tenant): Promise<void> {
  await query(
    coordinator,
    `select isolate_tenant_to_new_shard('${anchorTable}', $1::int4, 'CASCADE', shard_transfer_mode => 'block_writes')`,
    [tenant],
  );
}
