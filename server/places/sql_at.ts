import type { Home } from '../base/commit/index.ts';
import { everyPlace } from '../base/places/places.ts';
import { onePool, type RunsAt, type SqlAt } from '../base/places/sql_at.ts';
import { inTransaction, type Pool, type Sql } from '../base/sql.ts';
import type { Tenant } from '../base/tenant.ts';
import type { OpenPlaces } from './open_places.ts';
import { hasHome, type Place } from './place.ts';
import type { PoolName } from './pools.ts';

/** The connections of one pool at each place. */
export function sqlAt(places: OpenPlaces, pool: PoolName): SqlAt {
  if (!places.isCluster) return onePool(places.directory[pool]);
  const transactionAt = <T>(place: Place, tenants: readonly Tenant[], work: Transacting<T>) =>
    inTransaction(place[pool], work, place === places.directory ? 'begin' : beginHolding(tenants));
  return {
    ...runsAt<Pool>(places, (place, _, work) => work(place[pool])),
    held: runsAt<Sql | Pool>(places, (place, tenants, work) =>
      transactionAt(place, tenants, async (client) => ({ isKept: true, result: await work(client) })),
    ),
    transaction: (tenant, work) => places.at(tenant, (place) => transactionAt(place, [tenant], work)),
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

type Transacting<T> = (client: Sql) => Promise<{ isKept: boolean; result: T }>;

/** Until the transaction ends, the tenants stay; those that have left already are refused. */
function beginHolding(tenants: readonly Tenant[]): string {
  return `begin; select hold('{${tenants.join()}}'::int4[])`;
}

type WorkAt<On> = <T>(place: Place, tenants: readonly Tenant[], work: (sql: On) => Promise<T>) => Promise<T>;

function runsAt<On>(places: OpenPlaces, workAt: WorkAt<On>): RunsAt<On> {
  /** Some of the items may have moved away from the others while they waited: their shard was split. */
  const each: RunsAt<On>['each'] = async (items, tenantOf, work) => {
    type Item = (typeof items)[number];
    const results = new Map<Item, Awaited<ReturnType<typeof work>>[number]>();
    const groups = [...Map.groupBy(items, (item) => places.of(tenantOf(item)).name).values()];
    const workOn = (place: Place, group: readonly Item[]) => {
      const tenants = [...new Set(group.map(tenantOf))];
      return tenants.every((tenant) => places.of(tenant) === place)
        ? workAt(place, tenants, (sql) => work(sql, group))
        : each(group, tenantOf, work);
    };
    const run = async (group: readonly Item[]) => {
      const found = await places.at(tenantOf(group[0]!), (place) => workOn(place, group));
      for (const [at, item] of group.entries()) results.set(item, found[at]!);
    };
    await Promise.all(groups.map(run));
    return items.map((item) => results.get(item)!);
  };
  return { at: (tenant, work) => places.at(tenant, (place) => workAt(place, [tenant], work)), each };
}
