import { arrayLiteral } from './array_literal.ts';
import type { ColumnType, Write } from './unit.ts';

/**
 * Many rows as parameters of one statement: an array for each column, joined again by `unnest`. Byte columns come as one binary
 * parameter with the place of each value in it: written as hexadecimal in an array they would be twice as long and escaped twice.
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
    if (type === 'bytea') {
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
      return blob === undefined ? `x.${column}` : `substring($${blob}::bytea from x.${column}_at for x.${column}_size)`;
    },
    values(rows) {
      const values: unknown[] = [];
      for (const column of columns) {
        const cells = rows.map((write) => write.row[column] ?? null);
        if (blobs.has(column)) values.push(...blobValues(cells as (Buffer | null)[]));
        else values.push(arrayLiteral(typeOf(column), cells));
      }
      return values;
    },
    last,
  };
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
