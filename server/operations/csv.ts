import { decimalText } from '../base/currency.ts';
import {
  type ColumnSource,
  type CsvColumn,
  type CsvContext,
  type CsvObject,
  chosenColumns,
  holderOf,
  referredBy,
  usualColumns,
  withAdded,
} from './csv_columns.ts';
import { apiError } from './errors.ts';
import { type Range, rangeOf } from './range.ts';
import type { ScanLimits, ScanResult } from './scan.ts';
import { csvMedia, type ListInput } from './schemas.ts';

/** What the description of a list says about it. */
export const csvNote = (noun: string) =>
  `With \`Accept: text/csv\` the answer is one file with all ${noun}s that the filters select; \`limit\`, \`starting_after\` and \`ending_before\` are refused then. \`columns\` chooses its columns.`;

const csvPageRows = 1_000;
/** A piece has a page at most. So many rows are compared for it, then the client gets what was found. */
const csvPieceRowsMax = 10_000;
const lineEnd = '\r\n'; // RFC 4180

/** An export has all rows: parameters that select a page are refused. */
export function refusePages(input: ListInput): void {
  for (const param of ['limit', 'starting_after', 'ending_before'] as const)
    if (input[param] !== undefined)
      throw apiError('parameter_invalid', { param, reason: 'text/csv has all rows; narrow it by created or a filter' });
}

/** A list of objects has no columns. */
export function refuseColumns({ columns }: Readonly<Record<string, unknown>>): void {
  if (columns !== undefined)
    throw apiError('parameter_invalid', {
      param: 'columns',
      reason: `it is for exports: send it with Accept: ${csvMedia}`,
    });
}

/** Which members are exported, and how a page of what the filters select is read. */
export type CsvSource<Row> = ColumnSource & {
  prefix: string;
  serialize: (row: Row) => object;
  /** The names of the members that are exported if the caller names none, in this order, with spaces between. */
  csv: string;
  read(range: Range, limits: ScanLimits): Promise<ScanResult<Row>>;
};

type CsvWish = Pick<ListInput, 'created'> & { columns?: string | readonly string[] };

/**
 * All objects that the filters select, newest first. They are read page by page, with no transaction open in between. A piece is empty
 * where none of the rows that were compared for it matched.
 */
export async function* csvOf<Row extends { id: string }>(
  context: CsvContext,
  { created, columns: wanted }: CsvWish,
  { prefix, serialize, csv, read, ...source }: CsvSource<Row>,
): AsyncGenerator<string, void> {
  const columns = wanted === undefined ? usualColumns(csv) : chosenColumns([wanted].flat(), source, context);
  let text = lineOf(columns.map(({ name }) => textCell(name)));
  for (let after: string | undefined, isMore = true; isMore; ) {
    const position = { ...(created && { created }), ...(after !== undefined && { starting_after: after }) };
    const range = rangeOf({ ...position, limit: csvPageRows }, prefix);
    const { rows, searchedTo } = await read(range, { rowsMax: csvPieceRowsMax });
    const page = rows.slice(0, csvPageRows);
    const objects = await withAdded(page.map(serialize) as CsvObject[], columns, source.added, context);
    text += await linesOf(context, objects, columns);
    yield text;
    text = '';
    isMore = rows.length > page.length || searchedTo !== undefined;
    after = searchedTo ?? page.at(-1)?.id;
  }
}

async function linesOf(
  context: CsvContext,
  objects: readonly CsvObject[],
  columns: readonly CsvColumn[],
): Promise<string> {
  const referred = await referredBy(objects, columns, context);
  const cell = (object: CsvObject, column: CsvColumn) => cellOf(holderOf(object, column, referred), column);
  return objects.map((object) => lineOf(columns.map((column) => cell(object, column)))).join('');
}

const lineOf = (cells: readonly string[]) => cells.join(',') + lineEnd;

/** Moments are ISO 8601; what is absent is empty, and what is neither a text nor a number is JSON. */
function cellOf(object: CsvObject | undefined, { path, kind }: CsvColumn): string {
  let holder = object;
  for (const member of path.slice(0, -1)) holder = holder?.[member] as CsvObject | undefined;
  const value = holder?.[path.at(-1)!];
  if (value === undefined) return '';
  if (kind === 'decimal')
    return typeof value === 'number' ? decimalText({ amount: value, currency: String(holder!.currency) }) : '';
  if (typeof value === 'number') return kind === 'moment' ? momentOf(value) : String(value);
  return textCell(typeof value === 'object' ? JSON.stringify(value) : String(value));
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
