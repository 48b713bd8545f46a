import { isoTime } from '../iso_time.ts';
import { arrayLiteral } from './array_literal.ts';
import type { AnyWrite, ColumnType } from './unit.ts';

/**
 * Many rows as parameters of one statement: an array for each column, joined by `unnest`. Bytes and JSON are sent as one binary
 * parameter with the offset and size of each value: in an array they would have to be escaped, which costs more than sending them.
 * A column that is the same in all rows is one parameter.
 */
export type RowSource = {
  /** The text after `from`: the rows, under the name x. */
  from: string;
  /** A column of x. */
  expression(column: string): string;
  /** The parameters, in the order in which `from` and `expression` number them. */
  values(rows: readonly AnyWrite[]): unknown[];
  /** The number of the last parameter. */
  last: number;
};

export function rowSource(
  columns: readonly string[],
  types: Readonly<Record<string, ColumnType>>,
  firstParameter: number,
  same: readonly string[] = [],
): RowSource {
  let last = firstParameter - 1;
  const arrays: string[] = [];
  const names: string[] = [];
  const blobs = new Map<string, number>();
  const singles = new Map<string, number>();
  for (const column of columns) {
    const type = types[column];
    if (same.includes(column)) singles.set(column, ++last);
    else if (type === 'bytea' || type === 'json') {
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
      const single = singles.get(column);
      if (single !== undefined) return `$${single}::${types[column]}`;
      const blob = blobs.get(column);
      if (blob === undefined) return `x.${column}`;
      const bytes = `substring($${blob}::bytea from x.${column}_at for x.${column}_size)`;
      return types[column] === 'json' ? `convert_from(${bytes}, 'UTF8')::json` : bytes;
    },
    values(rows) {
      const values: unknown[] = [];
      for (const column of columns) {
        if (singles.has(column)) {
          values.push(singleValue(types[column]!, rows[0]!.row[column] ?? null));
          continue;
        }
        const cells = rows.map((write) => write.row[column] ?? null);
        // unnest fills shorter arrays up with nulls, so a column without any value is sent as null.
        if (cells.every((cell) => cell === null)) values.push(...(blobs.has(column) ? [null, null, null] : [null]));
        else if (!blobs.has(column)) values.push(arrayLiteral(types[column]!, cells));
        else values.push(...blobValues(types[column] === 'json' ? cells.map(jsonBytes) : (cells as (Buffer | null)[])));
      }
      return values;
    },
    last,
  };
}

function singleValue(type: ColumnType, cell: unknown): unknown {
  if (cell === null) return null;
  if (type === 'json') return JSON.stringify(cell);
  return type === 'timestamptz' ? isoTime((cell as Date).getTime()) : cell;
}

function jsonBytes(cell: unknown): Buffer | null {
  return cell === null ? null : Buffer.from(JSON.stringify(cell));
}

/** The concatenated values, and the start (SQL counts from one) and size of each; the size of null is null. */
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
