export type ColumnType = 'int2' | 'int4' | 'int8' | 'text' | 'bytea' | 'json' | 'timestamptz' | 'date' | 'bool';

/** A table as the committer sees it. Column names and types are constants of the code, never input. */
export type Table<Row = Record<string, unknown>> = {
  name: string;
  columns: readonly (keyof Row & string)[];
  types: readonly ColumnType[];
  /** The primary key; the tenant comes first. */
  key: readonly (keyof Row & string)[];
  /**
   * The columns that prove a stored row to be the very one this unit wrote, when the reply to its commit was lost; none where
   * another unit could have written the same.
   */
  identity: readonly (keyof Row & string)[];
  /** Set for tables whose rows are claims: a row past this time may be replaced. */
  expiry?: string;
  /** The columns that the database fills in by itself, and anew when a claim replaces an expired one. */
  filled: readonly string[];
};

export function table<Row>(
  name: string,
  columns: Record<keyof Row & string, ColumnType>,
  options: {
    key: readonly (keyof Row & string)[];
    identity?: readonly (keyof Row & string)[];
    expiry?: string;
    filled?: readonly string[];
  },
): Table<Row> {
  return {
    name,
    columns: Object.keys(columns) as (keyof Row & string)[],
    types: Object.values(columns),
    key: options.key,
    identity: options.identity ?? options.key,
    filled: options.filled ?? (options.expiry === undefined ? [] : [options.expiry]),
    ...(options.expiry === undefined ? {} : { expiry: options.expiry }),
  };
}

type AnyTable = Table<never>;

/**
 * Further rows that follow from the rows inserted into a table. `statement` writes them in the same transaction and on the same view of
 * the database; it is given the name under which it finds the inserted rows, whole.
 */
export type Derived = { from: Pick<Table, 'name'>; statement: (inserted: string) => string };

type AnyRow = Readonly<Record<string, unknown>>;

export type Write = { kind: WriteKind; table: AnyTable; row: AnyRow };
export type WriteKind = 'insert' | 'claim' | 'update' | 'delete' | 'discard';

/** What one request wants written: all of it or nothing. */
export type Unit = { writes: Write[] };

export type Versioned = { version: number };

export function insert<Row extends object>(table: Table<Row>, row: Row): Write {
  return { kind: 'insert', table: table as unknown as AnyTable, row: row as AnyRow };
}

/** An insert that decides the unit: when the key is taken (and not expired), nothing of the unit is written. */
export function claim<Row extends object>(table: Table<Row>, row: Row): Write {
  return { kind: 'claim', table: table as unknown as AnyTable, row: row as AnyRow };
}

/** Replaces a row whole. `row.version` is the new version; it holds only while the stored one is the version before it. */
export function update<Row extends Versioned>(table: Table<Row>, row: Row): Write {
  return { kind: 'update', table: table as unknown as AnyTable, row: row as unknown as AnyRow };
}

/** Adds a row that is at its first version, and replaces one that is not. */
export function save<Row extends Versioned>(table: Table<Row>, row: Row): Write {
  return row.version === 1 ? insert(table, row) : update(table, row);
}

/** Removes a row that is still at `row.version`. */
export function remove<Row extends Versioned>(table: Table<Row>, row: Row): Write {
  return { kind: 'delete', table: table as unknown as AnyTable, row: row as unknown as AnyRow };
}

/** Removes a row if it is there, whatever it holds: for what must be gone afterwards and need not have existed. */
export function discard<Row extends object>(table: Table<Row>, key: Partial<Row>): Write {
  return { kind: 'discard', table: table as unknown as AnyTable, row: key as AnyRow };
}

export function isGuard(write: Write): boolean {
  return write.kind === 'update' || write.kind === 'delete';
}

/** The version that must be stored for a guarded write to hold. */
export function guardedVersion(write: Write): number {
  const version = write.row.version as number;
  return write.kind === 'update' ? version - 1 : version;
}

/** Whether the fate of a unit hangs on this write: then no other of the same batch may touch the row. */
export function isDecisive(write: Write): boolean {
  return write.kind !== 'insert' && write.kind !== 'discard';
}

/** Names the row that a write touches, to keep two writes on one row out of the same batch. */
export function rowName(write: Write): string {
  let name = write.table.name;
  for (const column of write.table.key as readonly string[]) name += `/${String(write.row[column])}`;
  return name;
}

/** A rough size in bytes, to bound a batch. */
export function unitBytes(unit: Unit): number {
  let bytes = 0;
  for (const write of unit.writes) {
    for (const column of write.table.columns as readonly string[]) {
      const value = write.row[column];
      bytes += typeof value === 'string' || value instanceof Uint8Array ? value.length : 8;
    }
  }
  return bytes;
}
