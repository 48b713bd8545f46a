import { Batcher } from './batcher.ts';
import type { Table } from './commit/index.ts';
import { FairShare } from './fair_share.ts';
import { getOrMake } from './get_or_make.ts';
import { type Pool, query, type Row } from './sql.ts';

/** One account in one mode. Every key of every table starts with the tenant, and every function that reads takes it first. */
export type Tenant = number & { readonly tenant: unique symbol };

export type Mode = 'test' | 'live';

const batchRowsMax = 500;

/**
 * A read that finds one row at most, by keys that are texts, and quickly. Its statement serves many callers: it gets an array of tenants and
 * one of each key, and its rows have the tenant and the keys.
 */
export type KeyedRead = { name: string; keys: readonly string[]; text: string };

type WantedRow = { tenant: Tenant; keys: readonly string[] };

/** What the reads of all tenants have in common. */
type SharedReads = { byName: Map<string, Batcher<WantedRow, Row | undefined>>; places: FairShare<Tenant> };

/**
 * Reads. Rows that are read by their keys at the same moment are read in one statement per table: one select per request would halve
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
    return (await this.#batched(table.name, () => byPrimaryKey(table)).add({ tenant, keys: [id] })) as T | undefined;
  }

  async keyed<T extends Row>(read: KeyedRead, tenant: Tenant, ...keys: string[]): Promise<T | undefined> {
    return (await this.#batched(read.name, () => read).add({ tenant, keys })) as T | undefined;
  }

  rows<T extends Row>(text: string, values: unknown[]): Promise<T[]> {
    const read = () => query<T>(this.#pool, text, values);
    return this.#tenant === undefined ? read() : this.#shared.places.run(this.#tenant, read);
  }

  #batched(name: string, read: () => KeyedRead): Batcher<WantedRow, Row | undefined> {
    const make = () => {
      const made = read();
      return new Batcher({ itemsMax: batchRowsMax, run: (wanted: WantedRow[]) => this.#many(made, wanted) });
    };
    return getOrMake(this.#shared.byName, name, make);
  }

  async #many({ name, keys, text }: KeyedRead, wanted: WantedRow[]): Promise<(Row | undefined)[]> {
    // Several callers may want the same row.
    const different = [...new Map(wanted.map((one) => [nameOf(one.tenant, one.keys), one])).values()];
    const values = [
      different.map(({ tenant }) => tenant),
      ...keys.map((_, at) => different.map((one) => one.keys[at])),
    ];
    const rows = await query(this.#pool, text, values, `read_${name}`);
    const keysIn = (row: Row) => keys.map((key) => row[key]);
    const found = new Map(rows.map((row) => [nameOf(row.tenant, keysIn(row)), row]));
    return wanted.map((one) => found.get(nameOf(one.tenant, one.keys)));
  }
}

function nameOf(tenant: unknown, keys: readonly unknown[]): string {
  return `${tenant}/${keys.join('/')}`;
}

function byPrimaryKey<T>({ name, columns }: Table<T>): KeyedRead {
  const text = `select ${columns.map((column) => `t.${column}`).join(', ')}
         from unnest($1::int4[], $2::text[]) as x (tenant, id)
         join ${name} t on t.tenant = x.tenant and t.id = x.id`;
  return { name, keys: ['id'], text };
}

/**
 * The slow reads of one tenant hold half of the connections at most, and those of all tenants leave one: for rows by primary key, the
 * clock and the health check.
 */
export function sharedReads(connections = Number.POSITIVE_INFINITY): SharedReads {
  const [places, each] = [Math.max(connections - 1, 1), Math.max(Math.floor(connections / 2), 1)];
  return { byName: new Map(), places: new FairShare({ places, each }) };
}
