import type { Table } from '../base/commit/index.ts';
import type { Context } from './operation.ts';
import { type Equation, mergedParts, partOf, type Range, rangeOf } from './range.ts';
import type { ListInput } from './shapes.ts';

export type ListPage = { object: 'list'; url: string; has_more: boolean; data: object[] };

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

/** Rows that a list leaves out, because they belong to something that was deleted: a column, and the values in it that are gone. */
export type LeftOut<Row> = {
  column: string;
  gone(context: Pick<Context, 'reads' | 'tenant'>, rows: readonly Row[]): Promise<string[]>;
};

/** What is listed. */
export type ListSource<Row> = {
  table: Table<Row>;
  prefix: string;
  url: string;
  /** The columns that can be filtered by. Each has an index on (tenant, column, id), and two have one on (tenant, both, id). */
  columns?: readonly string[];
  /** The second of two columns, and all its values: then there is no index on the first alone. */
  merged?: { column: string; values: readonly string[] };
  present: (row: Row) => object;
  without?: LeftOut<Row>;
};

/**
 * A page is a range of an index, newest first: no offset and no count, so it costs the same at ten rows and at ten million. `filters`
 * are values that columns must equal.
 */
export async function listPage<Row extends { id: string }>(
  context: Context,
  input: ListInput,
  source: ListSource<Row>,
  filters: Readonly<Record<string, unknown>> = {},
): Promise<ListPage> {
  const range = rangeOf(input, source.prefix);
  const gone: string[] = [];
  for (;;) {
    const rows = await pageRows(context, range, source, filters, gone);
    // Only rows that are read tell what is gone, which is rare: a condition on every row would mislead the planner.
    const more = (await source.without?.gone(context, rows)) ?? [];
    if (more.length === 0) return pageOf<Row>(range, rows, source);
    gone.push(...more);
  }
}

/** The rows of a range that the filters match, without those whose column names something that is gone. */
function pageRows<Row extends { id: string }>(
  context: Context,
  range: Range,
  { table, columns = [], merged, without }: ListSource<Row>,
  filters: Readonly<Record<string, unknown>>,
  gone: readonly string[],
): Promise<Row[]> {
  const values: unknown[] = [context.tenant];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const given = columns.filter((column) => filters[column] !== undefined);
  const equations = given.map((column): Equation => [column, bind(filters[column])]);
  const isMerged = merged !== undefined && given.length > 0 && !given.includes(merged.column);
  const groups = isMerged
    ? merged.values.map((value): Equation[] => [...equations, [merged.column, `'${value}'`]])
    : [equations];
  const left = gone.length === 0 ? '' : `and (${without!.column} = any(${bind(gone)})) is not true`;
  const shown = table.columns.join(', ');
  const parts = groups.map(
    (group) => `select ${shown} from ${table.name} where tenant = $1 ${left} ${partOf(range, group, bind)}`,
  );
  return context.reads.rows<Row & Record<string, unknown>>(mergedParts(parts, shown, range), values);
}
