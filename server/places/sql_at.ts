import type { Home } from '../base/commit/index.ts';
import { everyPlace } from '../base/places/places.ts';
import { onePool, type SqlAt } from '../base/places/sql_at.ts';
import type { Pool } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import type { OpenPlaces } from './open_places.ts';
import { hasHome, type Place } from './place.ts';
import type { PoolName } from './pools.ts';

/** The connections of one pool at each place. */
export function sqlAt(places: OpenPlaces, pool: PoolName): SqlAt {
  if (!places.isCluster) return onePool(places.directory[pool]);
  const placeOf = (tenant: Tenant) => places.of(tenant).name;
  /** Some of the items may have moved away from the others while they waited: their shard was split. */
  const eachAt = async <Item, T>(
    items: readonly Item[],
    tenantOf: (item: Item) => Tenant,
    work: (sql: Pool, items: readonly Item[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]> => {
    const results = new Map<Item, T>();
    const groups = [...Map.groupBy(items, (item) => placeOf(tenantOf(item))).values()];
    const workAt = (place: Place, group: readonly Item[]) =>
      group.every((item) => places.of(tenantOf(item)) === place)
        ? work(place[pool], group)
        : eachAt(group, tenantOf, work);
    const run = async (group: readonly Item[]) => {
      const found = await places.at(tenantOf(group[0]!), (place) => workAt(place, group));
      for (const [at, item] of group.entries()) results.set(item, found[at]!);
    };
    await Promise.all(groups.map(run));
    return items.map((item) => results.get(item)!);
  };
  return {
    at: (tenant, work) => places.at(tenant, (place) => work(place[pool])),
    placeOf,
    each: eachAt,
    get directory() {
      return places.directory[pool];
    },
    places: (home: Home) =>
      everyPlace(places)
        .filter((place) => hasHome(place, home))
        .map((place) => ({ name: place.name, sql: place[pool] })),
  };
}
