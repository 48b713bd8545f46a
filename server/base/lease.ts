import { Batcher } from './batcher.ts';
import type { Home, Table } from './commit/index.ts';
import type { Tenant } from './reads.ts';
import { type Pool, query, type Row, type Sql } from './sql.ts';

/** A row that the worker leases when it is due. */
export type Leasable = { tenant: Tenant; id: string; version: number; due_at: Date | null; lease_until: Date | null };

/**
 * Rows leased by a killed instance must be leased by another one within 15 s. The lease may have been renewed just before, and the other
 * instance polls, so a lease is shorter than that.
 */
export const leaseSeconds = 12;
export const renewLeaseEveryMs = 4_000;

const looksMax = 50;

type Look = { table: string; aheadMs: number };

/**
 * Looks whether tables have rows to lease. Every instance does so twice a second for each job, so an idle one would mostly be busy with
 * that: jobs look at the same moment, and share a statement. It asks for every table that was looked for before as well, so that it is
 * the same statement each time, which PostgreSQL plans once.
 */
class DueLooks {
  readonly #pool: Pool;
  readonly #tables = new Set<string>();
  readonly #batcher = new Batcher<Look, boolean>({ itemsMax: looksMax, run: (wanted) => this.#look(wanted) });

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  hasDue(look: Look): Promise<boolean> {
    return this.#batcher.add(look);
  }

  async #look(wanted: readonly Look[]): Promise<boolean[]> {
    for (const { table } of wanted) this.#tables.add(table);
    const parts = Array.from(this.#tables, (table) => `${firstDue(table)} is not null as ${table}`);
    const aheadMs = Math.max(...wanted.map((look) => look.aheadMs));
    const [row] = await query<Record<string, boolean>>(
      this.#pool,
      `select ${parts.join(', ')}`,
      [aheadMs / 1_000],
      `due_in_${parts.length}`,
    );
    return wanted.map(({ table }) => row![table]!);
  }
}

const looks = new WeakMap<Pool, DueLooks>();

export function looksOn(pool: Pool): DueLooks {
  const known = looks.get(pool) ?? new DueLooks(pool);
  looks.set(pool, known);
  return known;
}

/**
 * `order by` makes the planner use the index. With `exists` it expects to find a row soon, and reads a whole table in which nothing is due,
 * until that table is analyzed.
 */
function firstDue(table: string): string {
  return `(select due_at from ${table} where ${isDue('$1')} order by due_at limit 1)`;
}

/** SQL: whether a row is due and not leased. */
export function isDue(ahead: string): string {
  return `due_at <= now() + make_interval(secs => ${ahead}) and (lease_until is null or lease_until <= now())`;
}

/** SQL: what a lease changes in the row `t`. */
export const leaseChange = `lease_until = now() + interval '${leaseSeconds} seconds', version = t.version + 1`;

/**
 * Leases rows that are due, by the database's clock. A lease changes the version of the row: a decision on the previous version, or under
 * an earlier lease, can no longer commit. `aheadMs` is how far a test's clock is ahead of the database's.
 */
export async function leaseDue<T extends Leasable>(
  pool: Pool,
  table: Table<T, Home>,
  limit: number,
  aheadMs: number,
): Promise<T[]> {
  const { name, columns } = table;
  if (!(await looksOn(pool).hasDue({ table: name, aheadMs }))) return [];
  return query<T & Row>(
    pool,
    `update ${name} t set ${leaseChange}
       from (select tenant, id from ${name}
              where ${isDue('$2')}
              order by due_at limit $1 for update skip locked) due
      where t.tenant = due.tenant and t.id = due.id
      returning ${columns.map((column) => `t.${column}`).join(', ')}`,
    [limit, aheadMs / 1_000],
    `lease_${name}`,
  );
}

/** Renews a lease if the caller still holds it. Gives whether it does. */
export async function renewLease(pool: Pool, table: Table<never, Home>, row: Leasable): Promise<boolean> {
  const rows = await query(
    pool,
    `update ${table.name} set lease_until = now() + interval '${leaseSeconds} seconds'
      where tenant = $1 and id = $2 and version = $3 returning id`,
    [row.tenant, row.id, row.version],
  );
  return rows.length > 0;
}

const putOffSeconds = 86_400;
const resumedMax = 1_000; // in one statement

/**
 * Puts a due row off by a day, if the caller still holds its lease: a row that stayed due would be leased again and again, in front of
 * everybody else's. Rows that are put off are leased for as long, which no others are; so they can be resumed.
 */
export async function putOff(pool: Pool, table: Table<never, Home>, row: Leasable, aheadMs: number): Promise<void> {
  await query(
    pool,
    `update ${table.name} set due_at = x.later, lease_until = x.later
       from (select now() + make_interval(secs => $4) as later) x where tenant = $1 and id = $2 and version = $3`,
    [row.tenant, row.id, row.version, putOffSeconds + aheadMs / 1_000],
  );
}

/** Makes due now what was put off. In steps; what is left after an interruption is due within a day. */
export async function resumePutOff(
  sql: Pool | Sql,
  { name }: Pick<Table, 'name'>,
  tenant: Tenant,
  aheadMs: number,
): Promise<void> {
  for (let resumed = resumedMax; resumed === resumedMax; ) {
    const rows = await query(
      sql,
      `update ${name} t set due_at = now() + make_interval(secs => $3), lease_until = null
        where t.ctid = any (array(
          select y.ctid from ${name} y where y.tenant = $1 and y.due_at > now() and y.lease_until = y.due_at
           order by y.due_at limit $2 for update skip locked)) returning t.id`,
      [tenant, resumedMax, aheadMs / 1_000],
    );
    resumed = rows.length;
  }
}
