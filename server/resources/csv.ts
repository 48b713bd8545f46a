import { refusal } from './errors.ts';
import { type ListSource, readPage } from './list.ts';
import type { Context } from './operation.ts';
import { rangeOf } from './range.ts';
import type { ListInput } from './shapes.ts';

export const csvMedia = 'text/csv';
export const csvPageRows = 1_000;
/** A piece has a page at most. So many rows are compared for it, then the client gets what was found. */
const pieceRowsMax = 10_000;
const lineEnd = '\r\n'; // RFC 4180

const isMoment = /^created$|_at$|due_by$/;

/** An export has all rows: parameters that select a page are refused. */
export function refusePages(input: ListInput): void {
  for (const param of ['limit', 'starting_after', 'ending_before'] as const)
    if (input[param] !== undefined)
      throw refusal('parameter_invalid', { param, reason: 'text/csv has all rows; narrow it by created or a filter' });
}

/**
 * All objects that the filters select, newest first. They are read page by page, with no transaction open in between. A piece is empty
 * where none of the rows that were compared for it matched.
 */
export async function* csvOf<Row extends { id: string }>(
  context: Context,
  { created }: Pick<ListInput, 'created'>,
  source: ListSource<Row>,
  filters: Readonly<Record<string, unknown>>,
  columns: readonly string[],
): AsyncGenerator<string, void> {
  let text = csvLine(columns);
  for (let after: string | undefined, isMore = true; isMore; ) {
    const position = { ...(created && { created }), ...(after !== undefined && { starting_after: after }) };
    const range = rangeOf({ ...position, limit: csvPageRows }, source.prefix);
    const { rows, searchedTo } = await readPage(context, range, source, filters, { rowsMax: pieceRowsMax });
    const page = rows.slice(0, csvPageRows);
    for (const object of page.map(source.present)) text += csvLine(columns.map((name) => cellOf(object, name)));
    yield text;
    text = '';
    isMore = rows.length > page.length || searchedTo !== undefined;
    after = searchedTo ?? page.at(-1)?.id;
  }
}

export function csvLine(cells: readonly string[]): string {
  return cells.map(quoted).join(',') + lineEnd;
}

/** A member of an object, or of an object in it: `processor.reference`. Moments are ISO 8601; what is absent is empty. */
function cellOf(object: object, name: string): string {
  let value: unknown = object;
  for (const member of name.split('.')) value = (value as Record<string, unknown> | undefined)?.[member];
  if (value === undefined) return '';
  if (isMoment.test(name)) return momentOf(value as number);
  return typeof value === 'string' ? harmless(value) : String(value);
}

/** ISO 8601 without the milliseconds, which are always zero. */
export function momentOf(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
}

/** What a spreadsheet would take for a formula is a text: whoever pays must not compute on the merchant's machine. */
function harmless(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
