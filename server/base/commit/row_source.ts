import { arrayLiteral } from './array_literal.ts';
import type { ColumnType, Write } from './unit.ts';

/**
 * Many rows as parameters of one statement: an array for each column, joined again by `unnest`. Bytes and JSON come as one binary
 * parameter with the place of each value in it: in an array they would have to be escaped, which costs more than writing them.
 */
export type RowSource = {
  /** What goes after `from`: the rows, under the name x. */
  from: string;
  /** A column of x. */
  expression(column: string): string;
  /** The parameters, in the order in which `from` and `expression` number them. */
  values(rows: readonly Write[]): unknown[];
  /** The number of the last parameter. */
  last: number;
};

export function rowSource(
  columns: readonly string[],
  typeOf: (column: string) => ColumnType,
  firstParameter: number,
): RowSource {
  let last = firstParameter - 1;
  const arrays: string[] = [];
  const names: string[] = [];
  const blobs = new Map<string, number>();
  for (const column of columns) {
    const type = typeOf(column);
    if (type === 'bytea' || type === 'json') {
      blobs.set(column, ++last);
      arrays.push(`$${++last}::int4[]`, `$${++last}::int4[]`);
      names.push(`${column}_at`, `${column}_size`);
    } else {
      arrays.push(`$${++last}::${type}[]`);
      names.push(column);
    }
  }
  return {
    from: `unnest(${arrays.join(', ')}) as x (${names.join(', ')})`,
    expression(column) {
      const blob = blobs.get(column);
      if (blob === undefined) return `x.${column}`;
      const bytes = `substring($${blob}::bytea from x.${column}_at for x.${column}_size)`;
      return typeOf(column) === 'json' ? `convert_from(${bytes}, 'UTF8')::json` : bytes;
    },
    values(rows) {
      const values: unknown[] = [];
      for (const column of columns) {
        const cells = rows.map((write) => write.row[column] ?? null);
        // Shorter arrays are filled up with nulls by unnest: for a column without any value, none is enough.
        if (cells.every(isNull)) values.push(...(blobs.has(column) ? [null, null, null] : [null]));
        else if (!blobs.has(column)) values.push(arrayLiteral(typeOf(column), cells));
        else
          values.push(...blobValues(typeOf(column) === 'json' ? cells.map(jsonBytes) : (cells as (Buffer | null)[])));
      }
      return values;
    },
    last,
  };
}

function jsonBytes(cell: unknown): Buffer | null {
  return cell === null ? null : Buffer.from(JSON.stringify(cell));
}

function isNull(cell: unknown): boolean {
  return cell === null;
}

/** The bytes one after the other, where each begins (SQL counts from one), and how long it is; null stays null. */
function blobValues(cells: readonly (Buffer | null)[]): [Buffer, string, string] {
  const starts: number[] = [];
  let at = 1;
  for (const cell of cells) {
    starts.push(at);
    at += cell?.length ?? 0;
  }
  const present = cells.filter((cell) => cell !== null);
  const sizes = cells.map((cell) => cell?.length ?? null);
  return [Buffer.concat(present, at - 1), arrayLiteral('int4', starts), arrayLiteral('int4', sizes)];
}
