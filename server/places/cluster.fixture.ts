import { silentLog } from '../base/log.ts';
import type { Tenant } from '../base/tenant.ts';
import type { DistributedWorld } from '../citus/distributed.fixture.ts';
import { shardOf } from '../citus/shards.ts';
import { openPlaces } from './index.ts';
import type { OpenPlaces } from './open_places.ts';

/** The places of a distributed database, as a server opens them. */
export function openWorld(world: DistributedWorld): Promise<OpenPlaces> {
  return openPlaces(world.address, { log: silentLog, committer: {} });
}

/** Tenants on different servers, in the order of the shards. */
export async function apartTenants(world: DistributedWorld): Promise<[Tenant, Tenant]> {
  const topology = await world.topology();
  const groupOf = (tenant: Tenant) => shardOf(topology, tenant).group;
  const first = 1 as Tenant;
  let second = first;
  while (groupOf(second) === groupOf(first)) second++;
  return [first, second];
}
