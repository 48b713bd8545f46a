import type { ColumnType } from './unit.ts';

/**
 * A column as a PostgreSQL array: `{1,2}`, `{"a","b",null}`. JSON quotes texts and writes null in the same way, and JSON.stringify is
 * native; the driver's own conversion was the largest allocator.
 */
export function arrayLiteral(type: ColumnType, cells: readonly unknown[]): string {
  if (type === 'bytea' || type === 'json') throw new Error(`${type} columns are sent as one binary parameter`);
  const json = JSON.stringify(type === 'timestamptz' ? cells.map(isoTime) : cells);
  // JSON escapes that PostgreSQL does not know (line breaks and the like) are avoided by quoting by hand.
  if (type === 'text' && foreignEscape.test(json)) return `{${cells.map(quoted).join(',')}}`;
  return `{${json.slice(1, -1)}}`;
}

const foreignEscape = /\\[^"\\]/;

/** Everything is quoted, so that the text "null" and texts with braces stay texts. */
function quoted(cell: unknown): string {
  if (cell === null || cell === undefined) return 'null';
  return `"${(cell as string).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

let lastSecond = Number.NaN;
let lastSecondText = '';

/** Rows of one batch were made in the same seconds, and `toISOString` is slow. */
function isoTime(cell: unknown): string | null {
  if (cell === null || cell === undefined) return null;
  const time = (cell as Date).getTime();
  const second = Math.floor(time / 1_000);
  if (second !== lastSecond) {
    lastSecondText = (cell as Date).toISOString().slice(0, -4);
    lastSecond = second;
  }
  return `${lastSecondText}${String(time - second * 1_000).padStart(3, '0')}Z`;
}
