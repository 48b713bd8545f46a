import { isoTime } from '../iso_time.ts';
import type { ColumnType } from './unit.ts';

/**
 * A column as a PostgreSQL array: `{1,2}`, `{"a","b",null}`. JSON quotes texts and writes null in the same way, and JSON.stringify is
 * native; the driver's own conversion was the largest allocator.
 */
export function arrayLiteral(type: ColumnType, cells: readonly unknown[]): string {
  if (type === 'bytea' || type === 'json') throw new Error(`${type} columns are sent as one binary parameter`);
  const json = JSON.stringify(type === 'timestamptz' ? cells.map(isoCell) : cells);
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

function isoCell(cell: unknown): string | null {
  return cell === null || cell === undefined ? null : isoTime((cell as Date).getTime());
}
