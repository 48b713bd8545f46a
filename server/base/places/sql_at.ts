import type { Home } from '../commit/index.ts';
import { inTransaction, type Pool, type Sql } from '../sql.ts';
import type { Tenant } from '../tenant.ts';

/** A place by its name, and connections to it. The name is a key to group by. */
export type PlaceSql = { name: string; sql: Pool };

/**
 * Connections by where the rows of a tenant are, for statements beside the committer. Tenant 0, the installation, is at the directory. What is
 * given as `work` is repeated at another place if the tenant has moved meanwhile: it is one statement or one transaction, and nothing else.
 * What it writes is not lost then: the pools of a cluster hold the place until it is committed.
 */
export type SqlAt = {
  at<T>(tenant: Tenant, work: (sql: Pool) => Promise<T>): Promise<T>;
  /** `work` gets the items of one place, and gives a result for each, in their order. */
  each<Item, T>(
    items: readonly Item[],
    tenantOf: (item: Item) => Tenant,
    work: (sql: Pool, items: readonly Item[]) => Promise<readonly T[]>,
  ): Promise<readonly T[]>;
  /** Several statements: rolled back unless `work` keeps them. */
  transaction<T>(tenant: Tenant, work: (client: Sql) => Promise<{ isKept: boolean; result: T }>): Promise<T>;
  /** The name of the place as far as it is known. Those who collect items for one statement do so for each place, so that they wait for no other. */
  placeOf(tenant: Tenant): string;
  readonly directory: Pool;
  /** All that have tables of this home, each once: for leases and sweeps. One that is down must not keep the caller from the others. */
  places(home: Home): readonly PlaceSql[];
};

/** One database is the directory and the place of all tenants. */
export function onePool(pool: Pool): SqlAt {
  const name = 'main';
  const only = [{ name, sql: pool }];
  return {
    at: (_, work) => work(pool),
    each: (items, _, work) => work(pool, items),
    transaction: (_, work) => inTransaction(pool, work),
    placeOf: () => name,
    directory: pool,
    places: () => only,
  };
}
