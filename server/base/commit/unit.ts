import type { Tenant } from '../tenant.ts';

export type ColumnType = 'int2' | 'int4' | 'int8' | 'text' | 'bytea' | 'json' | 'timestamptz' | 'date' | 'bool';

/**
 * Where the rows of a table are: in the directory, which is one for all tenants (accounts, keys, people), or at the place of their tenant.
 * The directory and each place have a table that is in both: a row is where the rest of its unit is.
 */
export type Home = 'directory' | 'tenant' | 'both';

/** The homes of the tables that a place of tenants has. */
type OfTenants = 'tenant' | 'both';

/** A table as the committer sees it. Column names and types are constants of the code, never input. */
export type Table<Row = Record<string, unknown>, In extends Home = OfTenants> = {
  name: string;
  home: In;
  columns: readonly (keyof Row & string)[];
  types: Readonly<Record<string, ColumnType>>;
  /** The primary key; the tenant comes first. */
  key: readonly (keyof Row & string)[];
  /**
   * The columns that prove that this unit wrote a stored row, when the reply to its commit was lost; empty where another unit could have
   * written the same values.
   */
  identity: readonly (keyof Row & string)[];
  /** The column with the expiry time of a claim: a row past it may be replaced. */
  expiry?: string;
  /** The columns that the database fills in, and fills in again when a claim replaces an expired row. */
  filled: readonly string[];
};

/** The names in a text, separated by white space, as a union. */
type Names<Text, Found = never> = Text extends `${infer Name} ${infer Rest}`
  ? Names<Rest, Found | WithoutBreak<Name>>
  : Exclude<Found | WithoutBreak<Text>, ''>;
type WithoutBreak<Text> = Text extends `${infer Name}\n` ? Name : Text;

/** Columns by their type, the names separated by white space. */
type Columns = Readonly<Partial<Record<ColumnType, string>>>;
type NamesIn<Groups> = { [Type in keyof Groups & ColumnType]: Names<Groups[Type]> }[keyof Groups & ColumnType];

/** `unknown` where the members of the row and the columns have the same names; otherwise the names that differ. */
type Fitting<Row, Name> = [Exclude<keyof Row, Name>, Exclude<Name, keyof Row>] extends [never, never]
  ? unknown
  : { missing: Exclude<keyof Row, Name>; unknown: Exclude<Name, keyof Row> };

type TableOptions<Row> = {
  /** Default: at the place of the tenant. */
  home?: Home;
  /** Default: the tenant and the id. */
  key?: readonly (keyof Row & string)[];
  identity?: readonly (keyof Row & string)[];
  expiry?: string;
  filled?: readonly string[];
};

type HomeIn<Definition> = Definition extends { home: infer In extends Home } ? In : 'tenant';

/** The compiler checks that every member of the row has a column, and every column is a member. */
export function table<Row, const Groups extends Columns & { home?: Home } = Columns>(
  name: string,
  definition: Groups & TableOptions<Row> & Fitting<Row, NamesIn<Groups>>,
): Table<Row, HomeIn<Groups>> {
  const {
    home = 'tenant',
    key = ['tenant', 'id'] as never,
    identity = key,
    expiry,
    filled,
    ...groups
  } = definition as TableOptions<Row>;
  const types = Object.fromEntries(
    Object.entries(groups as Columns).flatMap(([type, names]) =>
      names.split(/\s+/).map((column) => [column, type as ColumnType]),
    ),
  );
  return {
    name,
    home: home as HomeIn<Groups>,
    columns: Object.keys(types) as (keyof Row & string)[],
    types,
    key,
    identity,
    filled: filled ?? (expiry === undefined ? [] : [expiry]),
    ...(expiry === undefined ? {} : { expiry }),
  };
}

type AnyTable<In extends Home> = Table<never, In>;

/**
 * Further rows that follow from the rows inserted into a table. `statement` writes them in the same transaction and on the same snapshot;
 * it is given the name of a CTE with the inserted rows, all columns included. `rowsMax`: how many can follow from one row.
 */
export type Derived = { from: Pick<Table, 'name'>; statement: (inserted: string) => string; rowsMax: number };

type AnyRow = Readonly<Record<string, unknown>>;

/** A write to the place of a tenant, unless it says another home. */
export type Write<In extends Home = OfTenants> = { kind: WriteKind; table: AnyTable<In>; row: AnyRow };
export type DirectoryWrite = Write<'directory' | 'both'>;
export type WriteKind = 'insert' | 'claim' | 'update' | 'delete' | 'discard';

/**
 * The writes of one request: all of them are committed, or none. They are those of one tenant, or of the directory: the two can be on
 * different servers, and no transaction spans both.
 */
export type Unit = TenantUnit | DirectoryUnit;
export type TenantUnit = { tenant: Tenant; writes: Write[] };
export type DirectoryUnit = { tenant?: undefined; writes: DirectoryWrite[] };

/** A write, and a unit, wherever its rows are: for those who look at what is committed. */
export type AnyWrite = Write<Home>;
export type AnyUnit = { readonly tenant?: Tenant | undefined; readonly writes: readonly AnyWrite[] };

export type Versioned = { version: number };

export function insert<Row extends object, In extends Home>(table: Table<Row, In>, row: Row): Write<In> {
  return { kind: 'insert', table: table as unknown as AnyTable<In>, row: row as AnyRow };
}

/** An insert that decides the unit: when the key is taken and not expired, nothing of the unit is written. */
export function claim<Row extends object, In extends Home>(table: Table<Row, In>, row: Row): Write<In> {
  return { kind: 'claim', table: table as unknown as AnyTable<In>, row: row as AnyRow };
}

/** Replaces a whole row. `row.version` is the new version; the unit conflicts unless the stored version is the one before. */
export function update<Row extends Versioned, In extends Home>(table: Table<Row, In>, row: Row): Write<In> {
  return { kind: 'update', table: table as unknown as AnyTable<In>, row: row as unknown as AnyRow };
}

/** Inserts a row that is at its first version, and updates any other. */
export function save<Row extends Versioned, In extends Home>(table: Table<Row, In>, row: Row): Write<In> {
  return row.version === 1 ? insert(table, row) : update(table, row);
}

/** Deletes a row; the unit conflicts unless the row is still at `row.version`. */
export function remove<Row extends Versioned, In extends Home>(table: Table<Row, In>, row: Row): Write<In> {
  return { kind: 'delete', table: table as unknown as AnyTable<In>, row: row as unknown as AnyRow };
}

/** Deletes a row, whether or not it exists and whatever it contains. */
export function discard<Row extends object, In extends Home>(table: Table<Row, In>, key: Partial<Row>): Write<In> {
  return { kind: 'discard', table: table as unknown as AnyTable<In>, row: key as AnyRow };
}

export function isGuard(write: AnyWrite): boolean {
  return write.kind === 'update' || write.kind === 'delete';
}

/** The version that must be stored for a guarded write to hold. */
export function guardedVersion(write: AnyWrite): number {
  const version = write.row.version as number;
  return write.kind === 'update' ? version - 1 : version;
}

/** Whether this write decides if the unit commits: then no other unit of the same batch may touch the row. */
export function isDecisive(write: AnyWrite): boolean {
  return write.kind !== 'insert' && write.kind !== 'discard';
}

/** Names the row that a write touches, to keep two writes on one row out of the same batch. */
export function rowName(write: AnyWrite): string {
  let name = write.table.name;
  for (const column of write.table.key) name += `/${String(write.row[column])}`;
  return name;
}

/**
 * A write to another home than that of its unit: a bug, which would write the row to the wrong place. Those who commit what others have decided
 * do not know its type.
 */
export function findMisplaced({ tenant, writes }: AnyUnit): AnyWrite | undefined {
  return writes.find(({ table, row }) =>
    tenant === undefined ? table.home === 'tenant' : table.home === 'directory' || row.tenant !== tenant,
  );
}

/** How much a unit writes: the rows, with as many derived ones as there can be, and roughly the bytes. */
export type UnitSize = { rows: number; bytes: number };

export function unitSize({ writes }: AnyUnit, derived: readonly Derived[]): UnitSize {
  let [rows, bytes] = [writes.length, 0];
  for (const { kind, table, row } of writes) {
    if (kind === 'insert') for (const { from, rowsMax } of derived) if (from.name === table.name) rows += rowsMax;
    for (const column of table.columns) bytes += roughBytes(row[column]);
  }
  return { rows, bytes };
}

function roughBytes(value: unknown): number {
  if (typeof value === 'string' || value instanceof Uint8Array) return value.length;
  if (typeof value !== 'object' || value === null || value instanceof Date) return 8;
  let bytes = 0;
  for (const [name, member] of Object.entries(value)) bytes += name.length + roughBytes(member);
  return bytes;
}
