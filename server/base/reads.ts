import { Batcher } from './batcher.ts';
import type { Table } from './commit/index.ts';
import { FairShare } from './fair_share.ts';
import { getOrMake } from './get_or_make.ts';
import { type Pool, query, type Row } from './sql.ts';

/** One account in one mode. Every key of every table starts with the tenant, and every function that reads takes it first. */
export type Tenant = number & { readonly tenant: unique symbol };

export type Mode = 'test' | 'live';

const batchRowsMax = 500;

type RowKey = { tenant: Tenant; id: string };

/** What the reads of all tenants have in common. */
type SharedReads = { byTable: Map<string, Batcher<RowKey, Row | undefined>>; places: FairShare<Tenant> };

/**
 * Reads. Rows that are read by primary key at the same moment are read in one statement per table: one select per request would halve
 * the throughput. Everything else goes through `rows`.
 */
export class Reads {
  readonly #pool: Pool;
  readonly #shared: SharedReads;
  readonly #tenant: Tenant | undefined;

  constructor(pool: Pool, shared: SharedReads = sharedReads(), tenant?: Tenant) {
    this.#pool = pool;
    this.#shared = shared;
    this.#tenant = tenant;
  }

  /** Reads for the requests of a tenant, which get their share of the connections. */
  of(tenant: Tenant): Reads {
    return new Reads(this.#pool, this.#shared, tenant);
  }

  async one<T extends object>(table: Table<T>, tenant: Tenant, id: string): Promise<T | undefined> {
    const make = () => new Batcher({ itemsMax: batchRowsMax, run: (wanted: RowKey[]) => this.#many(table, wanted) });
    const batcher = getOrMake(this.#shared.byTable, table.name, make);
    return (await batcher.add({ tenant, id })) as T | undefined;
  }

  rows<T extends Row>(text: string, values: unknown[]): Promise<T[]> {
    const read = () => query<T>(this.#pool, text, values);
    return this.#tenant === undefined ? read() : this.#shared.places.run(this.#tenant, read);
  }

  async #many<T>(table: Table<T>, wanted: RowKey[]): Promise<(Row | undefined)[]> {
    // Several callers may want the same row.
    const different = [...new Map(wanted.map((row) => [`${row.tenant}/${row.id}`, row])).values()];
    const rows = await query(
      this.#pool,
      `select ${table.columns.map((column) => `t.${column}`).join(', ')}
         from unnest($1::int4[], $2::text[]) as x (tenant, id)
         join ${table.name} t on t.tenant = x.tenant and t.id = x.id`,
      [different.map((row) => row.tenant), different.map((row) => row.id)],
      `read_${table.name}`,
    );
    const found = new Map(rows.map((row) => [`${row.tenant}/${row.id}`, row]));
    return wanted.map((row) => found.get(`${row.tenant}/${row.id}`));
  }
}

/**
 * The slow reads of one tenant hold half of the connections at most, and those of all tenants leave one: for rows by primary key, the
 * clock and the health check.
 */
export function sharedReads(connections = Number.POSITIVE_INFINITY): SharedReads {
  const [places, each] = [Math.max(connections - 1, 1), Math.max(Math.floor(connections / 2), 1)];
  return { byTable: new Map(), places: new FairShare({ places, each }) };
}
