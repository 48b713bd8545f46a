import type { Home, Table } from './commit/index.ts';
import { isDue, type Leasable, leaseChange, looksOn } from './lease.ts';
import type { Tenant } from './reads.ts';
import { type Pool, query, type Row } from './sql.ts';

/** How the places for rows of one job are shared. */
export type Shares = {
  /** How many rows of one tenant can be running. */
  each: number;
  /** How many each tenant has now; those that have none may be missing. */
  running: ReadonlyMap<Tenant, number>;
};

/** A tenant that has due rows, and how many; at most one more than its share. */
type DueTenant = { tenant: Tenant; due: number };

/** A statement visits so many tenants, and a lease needs so many statements. What is beyond is visited first by the next lease. */
const visitedMax = 256;
const statementsMax = 4;
const firstTenant = -2_147_483_648;
const lastTenant = 2_147_483_647;

/**
 * Leases due rows so that no tenant has more than its share of the places. Usually that is one statement for the oldest due rows. When more
 * rows are due than it reads, the rows of one tenant could hide all others: then tenants are visited one after the other by the index on
 * (tenant, due_at), which costs the same however many rows of a tenant are due, and those with the fewest rows under way are served first.
 *
 * The statements are not prepared: a plan that PostgreSQL has kept since a table was small would read all of it. Planning is nothing beside
 * the work on the rows.
 */
export class FairLeases<T extends Leasable> {
  readonly #pool: Pool;
  readonly #table: Table<T, Home>;
  /** Whether more rows were due than the last lease read. */
  #isBacklog = false;
  /** The tenant that was visited last. */
  #cursor = firstTenant;

  constructor(pool: Pool, table: Table<T, Home>) {
    this.#pool = pool;
    this.#table = table;
  }

  async lease(limit: number, shares: Shares, aheadMs: number): Promise<T[]> {
    if (this.#isBacklog) return this.#leaseByTenant(limit, shares, aheadMs);
    if (!(await looksOn(this.#pool).hasDue({ table: this.#table.name, aheadMs }))) return [];
    const oldest = await this.#leaseOldest(limit, shares, aheadMs);
    if (!this.#isBacklog || oldest.length === limit) return oldest;
    const running = countRunning(shares.running, oldest);
    return [...oldest, ...(await this.#leaseByTenant(limit - oldest.length, { ...shares, running }, aheadMs))];
  }

  /** Rows that are read and not leased stay locked until the end of the statement, so that another instance reads the next ones. */
  async #leaseOldest(limit: number, { each, running }: Shares, aheadMs: number): Promise<T[]> {
    const { name, columns } = this.#table;
    const [first, ...rows] = await query<T & Row>(
      this.#pool,
      `with oldest as (
         select ctid, tenant, due_at from ${name} where ${isDue('$2')} order by due_at limit $1 for update skip locked),
       placed as (
         select o.ctid as row, coalesce(r.running, 0) + row_number() over (partition by o.tenant order by o.due_at) as place
           from oldest o left join unnest($3::int4[], $4::int4[]) as r (tenant, running) on r.tenant = o.tenant),
       leased as (
         update ${name} t set ${leaseChange} where t.ctid = any (array(select row from placed where place <= $5))
         returning ${columns.map((column) => `t.${column}`).join(', ')})
       select (select count(*) from oldest)::int4 as due, leased.* from (values (1)) as one left join leased on true`,
      [limit, aheadMs / 1_000, [...running.keys()], [...running.values()], each],
    );
    this.#isBacklog = (first as { due?: number }).due === limit;
    return [first!, ...rows].filter(({ id }) => id !== null).map(({ due: _, ...row }) => row as unknown as T);
  }

  async #leaseByTenant(limit: number, shares: Shares, aheadMs: number): Promise<T[]> {
    const { found, isComplete } = await this.#visitTenants(limit, shares, aheadMs);
    const places = sharePlaces(found, limit, shares);
    this.#isBacklog = !isComplete || found.some(({ tenant, due }) => due > (places.get(tenant) ?? 0));
    if (places.size === 0) return [];
    const { name, columns } = this.#table;
    return query<T & Row>(
      this.#pool,
      // By ctid: a planner that cannot know how few rows there are would read the whole table to join them.
      `update ${name} t set ${leaseChange}
        where t.ctid = any (array(
          select due.ctid from unnest($1::int4[], $2::int4[]) as x (tenant, places)
           cross join lateral (
             select y.ctid from ${name} y where y.tenant = x.tenant and ${isDue('$3')}
              order by y.due_at limit x.places for update skip locked) due))
        returning ${columns.map((column) => `t.${column}`).join(', ')}`,
      [[...places.keys()], [...places.values()], aheadMs / 1_000],
    );
  }

  /** Tenants with due rows, from the cursor on, until there is work for all places or every tenant was visited. */
  async #visitTenants(limit: number, shares: Shares, aheadMs: number) {
    const found: DueTenant[] = [];
    const start = this.#cursor;
    let range = { after: start, upTo: lastTenant };
    for (let statement = 0; statement < statementsMax; statement++) {
      const visited = await this.#visit(range, shares.each, aheadMs);
      found.push(...visited.filter(({ due }) => due > 0));
      this.#cursor = visited.at(-1)?.tenant ?? this.#cursor;
      const isEnd = visited.length < visitedMax;
      const isWrapped = range.upTo !== lastTenant;
      if (isEnd && (isWrapped || start === firstTenant)) {
        this.#cursor = firstTenant;
        return { found, isComplete: true };
      }
      const wanted = found.reduce((sum, one) => sum + Math.min(one.due, freeOf(shares, one.tenant)), 0);
      if (wanted >= limit) break;
      range = isEnd ? { after: firstTenant, upTo: start } : { ...range, after: this.#cursor };
    }
    return { found, isComplete: false };
  }

  #visit({ after, upTo }: { after: number; upTo: number }, each: number, aheadMs: number): Promise<DueTenant[]> {
    const { name } = this.#table;
    const next = (last: string) =>
      `select y.tenant from ${name} y where y.due_at is not null and y.tenant > ${last} and y.tenant <= $2
        order by y.tenant, y.due_at limit 1`;
    return query<DueTenant>(
      this.#pool,
      `with recursive visited as (
         select 1 as number, first.tenant from (${next('$1')}) first
         union all
         select v.number + 1, n.tenant from visited v cross join lateral (${next('v.tenant')}) n where v.number < ${visitedMax})
       select v.tenant, due.due from visited v
        cross join lateral (
          select count(*)::int4 as due from (
            select from ${name} y where y.tenant = v.tenant and ${isDue('$3')} order by y.due_at limit $4) x) due
        order by v.number`,
      [after, upTo, aheadMs / 1_000, each + 1],
    );
  }
}

export function freeOf({ each, running }: Shares, tenant: Tenant): number {
  return Math.max(each - (running.get(tenant) ?? 0), 0);
}

/** The running rows of each tenant, with those that were just leased. */
export function countRunning(running: Shares['running'], leased: readonly { tenant: Tenant }[]): Map<Tenant, number> {
  const counts = new Map(running);
  for (const { tenant } of leased) counts.set(tenant, (counts.get(tenant) ?? 0) + 1);
  return counts;
}

/** A place goes to the tenant with the fewest running rows that has more due, and is below its share. */
export function sharePlaces(found: readonly DueTenant[], limit: number, shares: Shares): Map<Tenant, number> {
  const places = new Map<Tenant, number>();
  const runningOf = (tenant: Tenant) => (shares.running.get(tenant) ?? 0) + (places.get(tenant) ?? 0);
  for (let left = limit; left > 0; left--) {
    let next: DueTenant | undefined;
    for (const one of found) {
      const running = runningOf(one.tenant);
      const isServed = (places.get(one.tenant) ?? 0) >= one.due || running >= shares.each;
      if (!isServed && (next === undefined || running < runningOf(next.tenant))) next = one;
    }
    if (next === undefined) break;
    places.set(next.tenant, (places.get(next.tenant) ?? 0) + 1);
  }
  return places;
}
