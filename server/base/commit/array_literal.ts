import type { ColumnType } from './unit.ts';

/** A column as PostgreSQL reads an array: `{1,2}`, `{"a","b",null}`. The driver's own way was the largest allocator. */
export function arrayLiteral(type: ColumnType, cells: readonly unknown[]): string {
  const write = writers[type];
  let text = '{';
  for (const [at, cell] of cells.entries()) {
    if (at > 0) text += ',';
    text += cell === null || cell === undefined ? 'null' : write(cell);
  }
  return `${text}}`;
}

const bare = (cell: unknown) => String(cell);

const writers: Record<ColumnType, (cell: unknown) => string> = {
  int2: bare,
  int4: bare,
  int8: bare,
  bool: bare,
  text: (cell) => quoted(cell as string),
  json: (cell) => quoted(JSON.stringify(cell)),
  timestamptz: (cell) => quoted((cell as Date).toISOString()),
  bytea: () => {
    throw new Error('byte columns travel as one binary parameter');
  },
};

/** Everything is quoted, so that a text that reads null or holds a brace stays a text. */
function quoted(text: string): string {
  return /["\\]/.test(text) ? `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : `"${text}"`;
}
