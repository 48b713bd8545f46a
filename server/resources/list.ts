import type { Table } from '../base/commit/index.ts';
import { firstIdAt, isId } from '../base/id.ts';
import { refusal } from './errors.ts';
import type { Context } from './operation.ts';
import type { ListInput } from './shapes.ts';

const limitDefault = 10;

export type ListPage = { object: 'list'; url: string; has_more: boolean; data: object[] };

/** The part of a list that is requested: bounds on the id, the number of rows, and the direction. */
export type Range = { bounds: readonly Bound[]; limit: number; backwards: boolean };
type Bound = readonly [comparison: '<' | '>' | '>=', id: string];

/** The range that a request asks for. A malformed cursor is refused. */
export function rangeOf(input: ListInput, prefix: string): Range {
  const { ending_before, limit = limitDefault } = input;
  checkCursors(input, prefix);
  return { bounds: [...boundsOf(input, prefix)], limit, backwards: ending_before !== undefined };
}

/**
 * The order and the limit of a range. One row more than is shown tells whether there are more. The limit is a subselect, which hides it
 * from the planner: before a table is analyzed, the planner takes a known limit for the whole table, and reads and sorts everything.
 * With an unknown limit it expects a fraction of the rows, and reads them in order.
 */
export function orderOf({ limit, backwards }: Range): string {
  return `order by id ${backwards ? 'asc' : 'desc'} limit (select ${limit + 1})`;
}

/** The page that is shown of the rows that were read. */
export function pageOf<Row>(
  { limit, backwards }: Range,
  rows: readonly Row[],
  { url, present }: { url: string; present: (row: Row) => object },
): ListPage {
  const page = rows.slice(0, limit);
  if (backwards) page.reverse();
  return { object: 'list', url, has_more: rows.length > limit, data: page.map(present) };
}

/**
 * A page is a range of the primary key, newest first: no offset and no count, so it costs the same at ten rows and at ten million.
 * `filters` are values that columns must equal, each with an index on (tenant, column, id).
 */
export async function listPage<Row extends { id: string }>(
  context: Context,
  input: ListInput,
  source: {
    table: Table<Row>;
    prefix: string;
    url: string;
    columns?: readonly string[];
    present: (row: Row) => object;
  },
  filters: Readonly<Record<string, unknown>> = {},
): Promise<ListPage> {
  const range = rangeOf(input, source.prefix);
  const values: unknown[] = [context.tenant];
  const conditions = ['tenant = $1'];
  const where = (condition: string, value: unknown) => conditions.push(`${condition} $${values.push(value)}`);

  for (const column of source.columns ?? []) if (filters[column] !== undefined) where(`${column} =`, filters[column]);
  for (const [comparison, id] of range.bounds) where(`id ${comparison}`, id);

  const rows = await context.reads.rows<Row & Record<string, unknown>>(
    `select ${source.table.columns.join(', ')} from ${source.table.name} where ${conditions.join(' and ')}
      ${orderOf(range)}`,
    values,
  );
  return pageOf<Row>(range, rows, source);
}

/** Any well-formed id is a position, whether or not it exists: a cursor must not break because its object was deleted. */
function checkCursors(input: ListInput, prefix: string): void {
  if (input.starting_after !== undefined && input.ending_before !== undefined)
    throw refusal('parameters_exclusive', { param: 'starting_after', other: 'ending_before' });
  for (const param of ['starting_after', 'ending_before'] as const) {
    const cursor = input[param];
    if (cursor !== undefined && !isId(prefix, cursor))
      throw refusal('parameter_invalid', { param, reason: `it must be an id that begins with ${prefix}_` });
  }
}

/** An id begins with its time, so times are compared as ids. */
function* boundsOf({ created = {}, starting_after, ending_before }: ListInput, prefix: string): Generator<Bound> {
  const { gt, gte, lt, lte } = created;
  if (gt !== undefined) yield ['>=', firstIdAt(prefix, (gt + 1) * 1_000)];
  if (gte !== undefined) yield ['>=', firstIdAt(prefix, gte * 1_000)];
  if (lt !== undefined) yield ['<', firstIdAt(prefix, lt * 1_000)];
  if (lte !== undefined) yield ['<', firstIdAt(prefix, (lte + 1) * 1_000)];
  if (starting_after !== undefined) yield ['<', starting_after];
  if (ending_before !== undefined) yield ['>', ending_before];
}
