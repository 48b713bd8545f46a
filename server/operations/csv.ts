import { decimalText } from '../base/currency.ts';
import { apiError } from './errors.ts';
import { type Range, rangeOf } from './range.ts';
import type { ScanLimits, ScanResult } from './scan.ts';
import type { ListInput } from './schemas.ts';

export const csvMedia = 'text/csv';
/** What the description of a list says about it. */
export const csvNote = (noun: string) =>
  `With \`Accept: text/csv\` the answer is one file with all ${noun}s that the filters select; \`limit\`, \`starting_after\` and \`ending_before\` are refused then.`;

const csvPageRows = 1_000;
/** A piece has a page at most. So many rows are compared for it, then the client gets what was found. */
const csvPieceRowsMax = 10_000;
const lineEnd = '\r\n'; // RFC 4180

const momentName = /^created$|_at$|_(start|end)$|due_by$/;

/** An export has all rows: parameters that select a page are refused. */
export function refusePages(input: ListInput): void {
  for (const param of ['limit', 'starting_after', 'ending_before'] as const)
    if (input[param] !== undefined)
      throw apiError('parameter_invalid', { param, reason: 'text/csv has all rows; narrow it by created or a filter' });
}

/** Which members are exported, and how a page of what the filters select is read. */
export type CsvSource<Row> = {
  prefix: string;
  serialize: (row: Row) => object;
  /** Their names, in this order, with spaces between. */
  csv: string;
  read(range: Range, limits: ScanLimits): Promise<ScanResult<Row>>;
};

/**
 * All objects that the filters select, newest first. They are read page by page, with no transaction open in between. A piece is empty
 * where none of the rows that were compared for it matched.
 */
export async function* csvOf<Row extends { id: string }>(
  { created }: Pick<ListInput, 'created'>,
  { prefix, serialize, csv, read }: CsvSource<Row>,
): AsyncGenerator<string, void> {
  const columns = csv.split(/\s+/).map(columnOf);
  let text = lineOf(columns.map(({ name }) => name));
  for (let after: string | undefined, isMore = true; isMore; ) {
    const position = { ...(created && { created }), ...(after !== undefined && { starting_after: after }) };
    const range = rangeOf({ ...position, limit: csvPageRows }, prefix);
    const { rows, searchedTo } = await read(range, { rowsMax: csvPieceRowsMax });
    const page = rows.slice(0, csvPageRows);
    for (const object of page.map(serialize)) text += lineOf(columns.map((column) => cellOf(object, column)));
    yield text;
    text = '';
    isMore = rows.length > page.length || searchedTo !== undefined;
    after = searchedTo ?? page.at(-1)?.id;
  }
}

const lineOf = (cells: readonly string[]) => cells.join(',') + lineEnd;

/** A member of an object, or of an object in it: `processor.reference`. */
type CsvColumn = { name: string; path: readonly string[]; isMoment: boolean };

const columnOf = (name: string): CsvColumn => ({ name, path: name.split('.'), isMoment: momentName.test(name) });

/** Moments are ISO 8601; what is absent is empty. */
function cellOf(object: object, { name, path, isMoment }: CsvColumn): string {
  if (name.endsWith(decimalEnd))
    return decimalCell(object as Record<string, unknown>, name.slice(0, -decimalEnd.length));
  let value: unknown = object;
  for (const member of path) value = (value as Record<string, unknown> | undefined)?.[member];
  if (value === undefined) return '';
  if (typeof value === 'number') return isMoment ? momentOf(value) : String(value);
  return textCell(String(value));
}

/** `amount_decimal` is what `amount` is in the main unit of the currency, for those who add up a column. */
const decimalEnd = '_decimal';

function decimalCell(object: Record<string, unknown>, name: string): string {
  const amount = object[name];
  return typeof amount === 'number' ? decimalText({ amount, currency: String(object.currency) }) : '';
}

/** ISO 8601 without the milliseconds, which are always zero. */
function momentOf(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 19)}Z`;
}

/** Ids, words and times, which most cells are: nothing in them separates cells, and they begin with no sign. */
const plainText = /^\w[\w .:@-]*$/;

function textCell(text: string): string {
  return plainText.test(text) ? text : quoted(escapeFormulas(text));
}

// Before a sign that begins a formula: the start of the text, or a character that separates cells or rows for some reader. A quote after
// it may open a quoted cell. Spreadsheets of East Asian locales read the full-width and small forms of the signs as well.
const formulaStart = /(?<=(?:^|[;,\t\r\n])"*)[=+\-@＝＋－＠﹦﹢﹣﹫]/gu;
const phoneNumber = /^\+[\d ()]+$/;

/**
 * Keeps spreadsheets from computing what a customer has typed. A spreadsheet whose list separator is the semicolon finds cells within a
 * text, and ignores the quotes around it: therefore each place where a cell could begin gets an apostrophe. A phone number is only a number.
 */
function escapeFormulas(text: string): string {
  return phoneNumber.test(text) ? text : text.replace(formulaStart, "'$&");
}

// Every reader takes these characters as part of one cell. A text that has any other is quoted.
const unambiguous = /^[\p{L}\p{M}\p{N} _.:@()+'/-]*$/u;

function quoted(cell: string): string {
  return unambiguous.test(cell) ? cell : `"${cell.replaceAll('"', '""')}"`;
}
