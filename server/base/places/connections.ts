import { type Connection, query, type Row, transaction } from '../sql.ts';
import type { Tenant } from '../tenant.ts';

/** A connection to a place. */
export type PlaceConnection = {
  readonly name: string;
  /** The server, where there are several. */
  readonly node: string;
  readonly sql: Connection;
  /** Whether the tenant lives here, as far as it is known. */
  has(tenant: Tenant): boolean;
  /** One transaction that changes rows of these tenants, who stay here until its end. */
  change<T>(tenants: readonly Tenant[], work: () => Promise<T>): Promise<T>;
};

/**
 * The connections of a command: one to each place, opened when it is used. What is given as `work` runs again, elsewhere, when tenants have
 * moved meanwhile.
 */
export type ConnectionsAt = {
  readonly directory: Connection;
  at<T>(tenant: Tenant, work: (place: PlaceConnection) => Promise<T>): Promise<T>;
  /** At all places at the same time, or at those of these tenants. Fails when one does not answer, and names it. */
  everywhere<T>(work: (place: PlaceConnection) => Promise<T>, tenants?: readonly Tenant[]): Promise<T[]>;
  /** The first that is found at any place. Places that do not answer matter only when it is nowhere else. */
  find<T>(work: (place: PlaceConnection) => Promise<T | undefined>): Promise<T | undefined>;
};

/** One database is the directory and the place of all tenants. */
export function oneConnection(sql: Connection): ConnectionsAt {
  const name = 'main';
  const only: PlaceConnection = { name, node: '', sql, has: () => true, change: (_, work) => transaction(sql, work) };
  return {
    directory: sql,
    at: (_, work) => work(only),
    everywhere: async (work) => [await work(only)],
    find: (work) => work(only),
  };
}

/** Gives a result for each item, in their order: `work` gets the items of one place, and gives theirs. */
export async function eachAt<Item, T>(
  at: ConnectionsAt,
  items: readonly Item[],
  tenantOf: (item: Item) => Tenant,
  work: (sql: Connection, items: readonly Item[]) => Promise<readonly T[]>,
): Promise<T[]> {
  const found = await at.everywhere(async ({ sql, has }) => {
    const own = items.filter((item) => has(tenantOf(item)));
    const results = await work(sql, own);
    return own.map((item, number): [Item, T] => [item, results[number]!]);
  }, items.map(tenantOf));
  const byItem = new Map(found.flat());
  return items.map((item) => byItem.get(item)!);
}

/** The rows that a statement finds at all places, or at those of these tenants. */
export async function rowsEverywhere<T extends Row>(
  at: ConnectionsAt,
  text: string,
  values: readonly unknown[],
  tenants?: readonly Tenant[],
): Promise<T[]> {
  return (await at.everywhere(({ sql }) => query<T>(sql, text, values), tenants)).flat();
}

/** The first rows of all places in an order, which is that of the statement, as one database would give them. */
export async function firstRowsEverywhere<T extends Row>(
  at: ConnectionsAt,
  text: string,
  values: readonly unknown[],
  { order, limit }: { order: (one: T, other: T) => number; limit: number },
): Promise<T[]> {
  const found = await at.everywhere(({ sql }) => query<T>(sql, `${text} limit ${limit}`, values));
  return found.length === 1 ? found[0]! : found.flat().sort(order).slice(0, limit);
}
