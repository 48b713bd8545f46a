import { hash } from 'node:crypto';
import { Batcher } from './batcher.ts';
import { arrayLiteral, type ColumnType, type Table } from './commit/index.ts';
import { Unavailable } from './errors.ts';
import { FairShare } from './fair_share.ts';
import { getOrMake } from './get_or_make.ts';
import { gravestOf, whileMoving } from './places/moved.ts';
import { everyPlace, onePlace, type Places } from './places/places.ts';
import type { Numbering } from './position.ts';
import { query, type Row, type Sql } from './sql.ts';
import type { Tenant } from './tenant.ts';

export type { Tenant };

export type Mode = 'test' | 'live';

const batchRowsMax = 500;
const constantsMax = 20_000;

/**
 * A read that finds one row at most, by keys that are texts, and quickly. Its statement serves many callers: it gets an array of tenants and
 * one of each key, and its rows have the tenant and the keys.
 */
export type KeyedRead = { name: string; keys: readonly string[]; text: string };

type WantedRow = { tenant: Tenant; keys: readonly string[] };

const batchPagesMax = 16;
const batchPageRowsMax = 200; // of all pages together: rows may be large
/** Each prepared statement is kept by each connection. Clients choose which filters occur: what comes later than so many is not prepared. */
const preparedPagesMax = 128;

/**
 * A page that an index has, newest or oldest first. `text` selects it by the tenant, which is $1, by `x.row_limit` and by the values
 * `x.v1`, `x.v2` … of these types; it contains no value itself.
 */
export type PageRead = { text: string; types: readonly ColumnType[] };

/** A page of a list: at most `limit` rows. */
type WantedPage = { limit: number; values: readonly unknown[] };

/** The state that the reads of all tenants of a place share. */
export type SharedReads = {
  byName: Map<string, Batcher<WantedRow, Row | undefined>>;
  /** By the tenant and the text. Entries without a waiting caller are removed. */
  pages: Map<string, Batcher<WantedPage, Row[]>>;
  /** The names of the page statements that are prepared, by their texts. */
  pageNames: Map<string, string>;
  /** Of the connections. */
  shares: FairShare<Tenant | string>;
  /** Visitors have a part of the connections together, and share it by network. */
  visitors: FairShare<string>;
  /** Rows that never change, by the statement and its values. */
  constants: Map<string, Row>;
};

/** The owner of a read, for the share of the connections: a tenant, a person outside of any account, or a visitor by its network. */
export type ReadOwner = Tenant | { person: string } | { visitor: string };

const visitorsName = 'visitors';

/** The values of a statement on tables of tenants. $1 is the tenant: it says where the statement runs. */
export type TenantValues = readonly [Tenant, ...unknown[]];

export type RowReads = Pick<DirectoryReads, 'rows'>;

/** Reads of the rows of tenants whose place is not known, or of many tenants: at all places. */
export type EverywhereReads = RowReads & {
  /** A row from whichever place has one. It fails where none has, but one of them does not answer. */
  find: <T extends Row>(text: string, values: readonly unknown[]) => Promise<T | undefined>;
};

/** Reads of the tables that all tenants share. */
export type DirectoryReads = Pick<Reads, 'page'> & {
  rows: <T extends Row>(text: string, values: readonly unknown[]) => Promise<T[]>;
  /** A row that never changes. Who has read it once knows it while the directory is down, too. */
  constant: <T extends Row>(text: string, values: readonly unknown[]) => Promise<T | undefined>;
};

/** What reads need of a place. */
export type ReadingPlace = {
  readonly reads: Sql;
  readonly sharedReads: SharedReads;
  /** Default: own. */
  readonly numbering?: Numbering;
};

/**
 * Reads. Rows that are read by their keys at the same moment are read in one statement per table and place, and pages in one per list and
 * tenant: one select per request would halve the throughput. Everything else goes through `rows`.
 */
export class Reads {
  readonly #places: Places<ReadingPlace>;
  readonly #owner: ReadOwner | undefined;

  constructor(from: Sql | Places<ReadingPlace>, owner?: ReadOwner) {
    this.#places = 'at' in from ? from : onePlace({ reads: from, sharedReads: sharedReads() });
    this.#owner = owner;
  }

  /** Reads for the requests of one owner, which get their share of the connections. */
  of(owner: ReadOwner): Reads {
    return new Reads(this.#places, owner);
  }

  get directory(): DirectoryReads {
    const { directory } = this.#places;
    return {
      rows: (text, values) => this.#rowsAt(directory, text, values),
      page: (read, tenant, wanted) => this.#pageAt(directory, read, tenant, wanted),
      constant: (text, values) => this.#constantAt(directory, text, values),
    };
  }

  async #constantAt<T extends Row>(place: ReadingPlace, text: string, values: readonly unknown[]) {
    const { constants } = place.sharedReads;
    const name = JSON.stringify([text, values]);
    const known = constants.get(name) as T | undefined;
    if (known !== undefined) return known;
    const [row] = await this.#rowsAt<T>(place, text, values);
    if (row === undefined) return undefined;
    if (constants.size === constantsMax) constants.delete(constants.keys().next().value!);
    constants.set(name, row);
    return row;
  }

  /**
   * Reads tables that are in both homes: in the directory, and for each of these tenants where it lives. Two of one place give the same rows
   * twice. The tenants are asked for only where there are several places.
   */
  async inBoth<T>(tenants: () => Promise<readonly Tenant[]>, read: (at: RowReads) => Promise<T>): Promise<T[]> {
    const { directory } = this.#places;
    const readAt = (place: ReadingPlace) => read({ rows: (text, values) => this.#rowsAt(place, text, values) });
    if (!this.#isCluster) return [await readAt(directory)];
    const others = (await tenants()).map((tenant) => this.#places.at(tenant, readAt));
    return Promise.all([readAt(directory), ...others]);
  }

  get #isCluster(): boolean {
    return everyPlace(this.#places).length > 1;
  }

  get everywhere(): EverywhereReads {
    const repeated = <T>(read: () => Promise<T>) => (this.#isCluster ? whileMoving(read) : read());
    return {
      rows: (text, values) => repeated(() => this.#rowsOfAll(text, values)),
      find: (text, values) => repeated(() => this.#findInAll(text, values)),
    };
  }

  async one<T extends object>(table: Table<T>, tenant: Tenant, id: string): Promise<T | undefined> {
    const wanted = { tenant, keys: [id] };
    const read = (place: ReadingPlace) => this.#batched(place, table.name, () => byPrimaryKey(table)).add(wanted);
    return (await this.#places.at(tenant, read)) as T | undefined;
  }

  async keyed<T extends Row>(read: KeyedRead, tenant: Tenant, ...keys: string[]): Promise<T | undefined> {
    const readAt = (place: ReadingPlace) => this.#batched(place, read.name, () => read).add({ tenant, keys });
    return (await this.#places.at(tenant, readAt)) as T | undefined;
  }

  rows<T extends Row>(text: string, values: TenantValues): Promise<T[]> {
    return this.#places.at(values[0], (place) => this.#rowsAt<T>(place, text, values));
  }

  /** As `rows`, with a statement about positions: they depend on where the rows were numbered. */
  numberedRows<T extends Row>(texts: Readonly<Record<Numbering, string>>, values: TenantValues): Promise<T[]> {
    return this.#places.at(values[0], (place) => this.#rowsAt<T>(place, texts[place.numbering ?? 'own'], values));
  }

  /**
   * Pages that a tenant wants at the same moment with one text are read in one statement. A row has the number of its page beside what is
   * selected.
   */
  page<T extends Row>(read: PageRead, tenant: Tenant, wanted: WantedPage): Promise<T[]> {
    return this.#places.at(tenant, (place) => this.#pageAt<T>(place, read, tenant, wanted));
  }

  async #rowsOfAll<T extends Row>(text: string, values: readonly unknown[]): Promise<T[]> {
    return (await Promise.all(this.#places.all().map((place) => this.#rowsAt<T>(place, text, values)))).flat();
  }

  async #findInAll<T extends Row>(text: string, values: readonly unknown[]): Promise<T | undefined> {
    const found = Promise.withResolvers<T>();
    const look = async (place: ReadingPlace) => {
      for (const row of await this.#rowsAt<T>(place, text, values)) found.resolve(row);
    };
    const nowhere = Promise.allSettled(this.#places.all().map(look)).then((all) => {
      const failures = all.filter((one) => one.status === 'rejected').map(({ reason }) => reason);
      if (failures.length > 0) throw gravestOf(failures);
      return undefined;
    });
    return Promise.race([found.promise, nowhere]);
  }

  #rowsAt<T extends Row>(place: ReadingPlace, text: string, values: readonly unknown[]): Promise<T[]> {
    const read = () => this.run<T>(place.reads, text, values);
    return this.#owner === undefined ? read() : inTurn(place.sharedReads, this.#owner, read);
  }

  async #pageAt<T extends Row>(place: ReadingPlace, read: PageRead, tenant: Tenant, wanted: WantedPage): Promise<T[]> {
    const { pages, shares } = place.sharedReads;
    const key = `${tenant}/${read.text}`;
    const batcher = getOrMake(pages, key, () => {
      const run = (batch: WantedPage[]) => shares.run(tenant, () => this.#pages(place, read, tenant, batch));
      const weight = { of: ({ limit }: WantedPage) => limit, max: batchPageRowsMax };
      return new Batcher({ itemsMax: batchPagesMax, weight, run });
    });
    try {
      return (await batcher.add(wanted)) as T[];
    } finally {
      if (batcher.isIdle && pages.get(key) === batcher) pages.delete(key);
    }
  }

  async #pages(place: ReadingPlace, { text, types }: PageRead, tenant: Tenant, wanted: WantedPage[]): Promise<Row[][]> {
    const values = [
      tenant,
      columnOf('int4', wanted, ({ limit }) => limit),
      ...types.map((type, at) => columnOf(type, wanted, (page) => page.values[at])),
    ];
    const pages: Row[][] = wanted.map(() => []);
    const name = pageNameIn(place.sharedReads, text);
    for (const row of await this.run(place.reads, pageStatement({ text, types }), values, name))
      pages[(row.page_number as number) - 1]!.push(row);
    return pages;
  }

  protected run<T extends Row>(sql: Sql, text: string, values: readonly unknown[], name?: string): Promise<T[]> {
    return query<T>(sql, text, values, name);
  }

  #batched(place: ReadingPlace, name: string, read: () => KeyedRead): Batcher<WantedRow, Row | undefined> {
    const make = () => {
      const made = read();
      return new Batcher({
        itemsMax: batchRowsMax,
        run: (wanted: WantedRow[]) => this.#many(place.reads, made, wanted),
      });
    };
    return getOrMake(place.sharedReads.byName, name, make);
  }

  async #many(sql: Sql, { name, keys, text }: KeyedRead, wanted: WantedRow[]): Promise<(Row | undefined)[]> {
    // Several callers may want the same row.
    const different = [...new Map(wanted.map((one) => [nameOf(one.tenant, one.keys), one])).values()];
    const values = [
      columnOf('int4', different, ({ tenant }) => tenant),
      ...keys.map((_, at) => columnOf('text', different, (one) => one.keys[at])),
    ];
    const rows = await this.run(sql, text, values, `read_${name}`);
    const keysIn = (row: Row) => keys.map((key) => row[key]);
    const found = new Map(rows.map((row) => [nameOf(row.tenant, keysIn(row)), row]));
    return wanted.map((one) => found.get(nameOf(one.tenant, one.keys)));
  }
}

/** Reads on one connection, one after the other: those of a transaction. */
export class ConnectionReads extends Reads {
  #last: Promise<unknown> = Promise.resolve();

  constructor(sql: Sql) {
    super(sql);
  }

  protected override run<T extends Row>(
    sql: Sql,
    text: string,
    values: readonly unknown[],
    name?: string,
  ): Promise<T[]> {
    const read = this.#last.then(() => super.run<T>(sql, text, values, name));
    this.#last = read.catch(() => {});
    return read;
  }
}

function inTurn<T>({ shares, visitors }: SharedReads, owner: ReadOwner, read: () => Promise<T>): Promise<T> {
  if (typeof owner === 'number') return shares.run(owner, read);
  if ('person' in owner) return shares.run(owner.person, read);
  return visitors.run(owner.visitor, () => shares.run(visitorsName, read));
}

function pageNameIn({ pageNames }: SharedReads, text: string): string | undefined {
  if (pageNames.size >= preparedPagesMax && !pageNames.has(text)) return undefined;
  return getOrMake(pageNames, text, () => `page_${hash('sha256', text).slice(0, 16)}`);
}

/** One parameter for all that are wanted. The driver's own arrays cost more. */
function columnOf<Item>(type: ColumnType, items: readonly Item[], cell: (item: Item) => unknown): string {
  return arrayLiteral(type, items.map(cell));
}

/** A lateral join reads the pages one after the other, so the rows of each are in its order. */
function pageStatement({ text, types }: PageRead): string {
  const arrays = types.map((type, at) => `, $${at + 3}::${type}[]`).join('');
  const names = types.map((_, at) => `, v${at + 1}`).join('');
  return `select x.page_number::int4, t.*
            from unnest($2::int4[]${arrays}) with ordinality as x (row_limit${names}, page_number)
           cross join lateral (${text}) as t`;
}

function nameOf(tenant: unknown, keys: readonly unknown[]): string {
  return `${tenant}/${keys.join('/')}`;
}

function byPrimaryKey<T>({ name, columns }: Table<T>): KeyedRead {
  // The limit keeps the planner from joining the whole table, which it would do as long as the table is small.
  const text = `select t.* from unnest($1::int4[], $2::text[]) as x (tenant, id)
         cross join lateral (select ${columns.join(', ')} from ${name} where tenant = x.tenant and id = x.id limit 1) t`;
  return { name, keys: ['id'], text };
}

/**
 * The slow reads of one tenant hold half of the connections at most, and those of all tenants leave one: for rows by primary key, the
 * clock and the health check. All visitors together have as many as a tenant, and those of one network half of them.
 */
export function sharedReads(connections = Number.POSITIVE_INFINITY): SharedReads {
  const [places, each] = [Math.max(connections - 1, 1), Math.max(Math.floor(connections / 2), 1)];
  const refuse = () => new Unavailable('too many reads of the same account, person or network are waiting');
  const visitors = new FairShare<string>({ places: each, each: Math.max(Math.floor(each / 2), 1), refuse });
  return {
    byName: new Map(),
    pages: new Map(),
    pageNames: new Map(),
    shares: new FairShare({ places, each, refuse }),
    visitors,
    constants: new Map(),
  };
}
