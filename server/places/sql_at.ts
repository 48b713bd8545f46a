import type { Home } from '../base/commit/index.ts';
import { everyPlace } from '../base/places/places.ts';
import { onePool, type SqlAt } from '../base/places/sql_at.ts';
import { inTransaction } from '../base/sql.ts';
import type { OpenPlaces } from './open_places.ts';
import { hasHome, type Place } from './place.ts';
import type { PoolName } from './pools.ts';

/** The connections of one pool at each place. */
export function sqlAt(places: OpenPlaces, pool: PoolName): SqlAt {
  if (!places.isCluster) return onePool(places.directory[pool]);
  return {
    at: (tenant, work) => places.at(tenant, (place) => work(place[pool])),
    each: eachAt(places, pool),
    transaction: (tenant, work) => places.at(tenant, (place) => inTransaction(place[pool], work)),
    placeOf: (tenant) => places.of(tenant).name,
    get directory() {
      return places.directory[pool];
    },
    places: (home: Home) =>
      everyPlace(places)
        .filter((place) => hasHome(place, home))
        .map((place) => ({ name: place.name, sql: place[pool] })),
  };
}

function eachAt(places: OpenPlaces, pool: PoolName): SqlAt['each'] {
  /** Some of the items may have moved away from the others while they waited: their shard was split. */
  const each: SqlAt['each'] = async (items, tenantOf, work) => {
    type Item = (typeof items)[number];
    const results = new Map<Item, Awaited<ReturnType<typeof work>>[number]>();
    const groups = [...Map.groupBy(items, (item) => places.of(tenantOf(item)).name).values()];
    const workOn = (place: Place, group: readonly Item[]) =>
      group.every((item) => places.of(tenantOf(item)) === place)
        ? work(place[pool], group)
        : each(group, tenantOf, work);
    const run = async (group: readonly Item[]) => {
      const found = await places.at(tenantOf(group[0]!), (place) => workOn(place, group));
      for (const [at, item] of group.entries()) results.set(item, found[at]!);
    };
    await Promise.all(groups.map(run));
    return items.map((item) => results.get(item)!);
  };
  return each;
}
