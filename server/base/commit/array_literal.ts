import type { ColumnType } from './unit.ts';

/**
 * A column as PostgreSQL reads an array: `{1,2}`, `{"a","b",null}`. JSON quotes texts in the same way, writes null alike, and is
 * written by the machine itself; the driver's own way was the largest allocator.
 */
export function arrayLiteral(type: ColumnType, cells: readonly unknown[]): string {
  if (type === 'bytea') throw new Error('byte columns travel as one binary parameter');
  const json = JSON.stringify(type === 'json' ? cells.map(jsonText) : cells);
  // Only where JSON has an escape that PostgreSQL does not know (line breaks and the like) is the text written by hand.
  if (type === 'text' && foreignEscape.test(json)) return `{${cells.map(quoted).join(',')}}`;
  return `{${json.slice(1, -1)}}`;
}

const foreignEscape = /\\[^"\\]/;

function jsonText(cell: unknown): string | null {
  return cell === null || cell === undefined ? null : JSON.stringify(cell);
}

/** Everything is quoted, so that a text that reads null or holds a brace stays a text. */
function quoted(cell: unknown): string {
  if (cell === null || cell === undefined) return 'null';
  return `"${(cell as string).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
