import type { ColumnType, Home, Table } from '../base/commit/index.ts';
import type { Reads } from '../base/reads.ts';
import { type ComparedFilter, equals } from './compared_filter.ts';
import type { Context } from './operation.ts';
import { type Equation, mergedParts, orderOf, partOf, type Range, rangeOf } from './range.ts';
import { type Bind, bindings, type FilteredScan, rowsFound, type ScanLimits, type ScanResult, scan } from './scan.ts';
import type { ListInput } from './schemas.ts';
import type { Serialize } from './serializer.ts';

export type ListPage = { object: 'list'; url: string; has_more: boolean; data: object[] };

/** The page that is shown of the rows that were read. */
export function pageOf<Row>(
  { limit, backwards }: Range,
  rows: readonly Row[],
  { url, serialize }: { url: string; serialize: (row: Row) => object },
): ListPage {
  const page = rows.slice(0, limit);
  if (backwards) page.reverse();
  return { object: 'list', url, has_more: rows.length > limit, data: page.map(serialize) };
}

type ListContext = Pick<Context, 'reads' | 'tenant'>;

/** Rows that a list leaves out, because they belong to something that was deleted: a column, and the values in it that are gone. */
export type LeftOut<Row> = {
  column: string;
  gone(context: ListContext, rows: readonly Row[]): Promise<string[]>;
};

/** What is listed. */
export type ListSource<Row> = {
  table: Table<Row, Home>;
  prefix: string;
  url: string;
  /** The columns that can be filtered by. Each has an index on (tenant, column, id), and two have one on (tenant, both, id). */
  columns?: readonly string[];
  /** The second of two columns, and all its values: then there is no index on the first alone. */
  merged?: { column: string; values: readonly string[] };
  /** A column whose value follows from that of another: one row with a subscription tells the customer of all. Both have no index together. */
  implied?: { column: string; by: string };
  /** Columns with their own index, on (tenant, column, id). Few rows have the same value, so other filters are compared. */
  narrow?: readonly string[];
  /** Filters without an index: the rows that the other filters select are compared with them, in steps. */
  compared?: readonly ComparedFilter[];
  serialize: Serialize<Row>;
  without?: LeftOut<Row>;
};

type ListFilters = Readonly<Record<string, unknown>>;

/**
 * A page is a range of an index, newest first: no offset and no count, so it costs the same at ten rows and at ten million. A filter that
 * is compared costs more the fewer rows match. `filters` are the values of filters by their names; several stand for any of them.
 */
export async function listPage<Row extends { id: string }>(
  context: Context,
  input: ListInput,
  source: ListSource<Row>,
  filters: ListFilters = {},
): Promise<ListPage> {
  const range = rangeOf(input, source.prefix);
  const { rows } = await readPage(context, range, source, filters, { isLate: context.isLate });
  return pageOf<Row>(range, rows, source);
}

/** The rows of a page, and one more if there are more. A scan that `limits` has stopped says where. */
export async function readPage<Row extends { id: string }>(
  context: ListContext,
  range: Range,
  source: ListSource<Row>,
  filters: ListFilters,
  limits: ScanLimits,
): Promise<ScanResult<Row>> {
  const gone: string[] = [];
  for (;;) {
    const page = await pageRows(context, range, source, { filters, gone }, limits);
    // Only rows that are read tell what is gone, which is rare: a condition on every row would mislead the planner.
    const more = (await source.without?.gone(context, page.rows)) ?? [];
    if (more.length === 0) return isContradicted(page.rows, source, filters) ? { rows: [] } : page;
    gone.push(...more);
  }
}

/** Whether the rows have another value in an implied column than is wanted. If the first has, all have. */
function isContradicted<Row>(rows: readonly Row[], { implied }: ListSource<Row>, filters: ListFilters): boolean {
  if (implied === undefined || filters[implied.by] === undefined || filters[implied.column] === undefined) return false;
  return rows.length > 0 && (rows[0] as Record<string, unknown>)[implied.column] !== filters[implied.column];
}

/** What the rows of a page must equal, and what their column must not name, because it is gone. */
type PageWish = { filters: ListFilters; gone: readonly string[] };

function pageRows<Row extends { id: string }>(
  context: ListContext,
  range: Range,
  source: ListSource<Row>,
  wanted: PageWish,
  limits: ScanLimits,
): Promise<ScanResult<Row>> {
  if (wanted.filters.ids !== undefined) return rowsById(context, range, source, wanted);
  const compared = splitFilters(source, wanted.filters).compared;
  if (compared.length === 0) return indexedRows(context, range, source, wanted);
  const { tenant: owner } = context;
  return scan<Row>({ reads: readsOf(context, source), owner }, range, scanOf(source, wanted, compared), limits);
}

function readsOf<Row>({ reads }: ListContext, { table }: ListSource<Row>): Pick<Reads, 'rows' | 'page'> {
  return table.home === 'directory' ? reads.directory : reads;
}

/** Those of some ids: each is looked up, and everything else that is wanted is compared. */
async function rowsById<Row extends { id: string }>(
  context: ListContext,
  range: Range,
  source: ListSource<Row>,
  { filters, gone }: PageWish,
): Promise<ScanResult<Row>> {
  const reads = readsOf(context, source);
  const { values, bind } = bindings(context.tenant);
  const { columns = [], narrow = [], compared = [] } = source;
  const others = [...[...columns, ...narrow].map(equals), ...compared].filter(
    ({ name }) => filters[name] !== undefined,
  );
  const conditions = [
    `id = any(${bind([filters.ids].flat())})`,
    ...range.bounds.map(([comparison, id]) => `id ${comparison} ${bind(id)}`),
    ...others.map(({ name, condition }) => condition(filters[name], bind)),
    ...notGone(source, gone, bind),
  ];
  const text = `select ${columnsOf(source).join(', ')} from ${source.table.name}
    where tenant = $1 and ${conditions.join(' and ')} ${orderOf(range)}`;
  return { rows: await reads.rows<Row & Record<string, unknown>>(text, values) };
}

/** Without `gone`, pages that are wanted at the same moment are read in one statement. */
async function indexedRows<Row extends { id: string }>(
  context: ListContext,
  range: Range,
  source: ListSource<Row>,
  { filters, gone }: PageWish,
): Promise<ScanResult<Row>> {
  const { tenant } = context;
  const reads = readsOf(context, source);
  const columns = columnsOf(source).join(', ');
  if (gone.length === 0) {
    const { values, types, named } = pageBindings();
    const text = selectOf(range, source, { columns, filters }, named);
    const wanted = { limit: range.limit + 1, values };
    return { rows: await reads.page<Row & Record<string, unknown>>({ text, types }, tenant, wanted) };
  }
  const { values, bind } = bindings(tenant);
  const text = selectOf(range, source, { columns, filters, conditions: notGone(source, gone, bind) }, { bind });
  return { rows: await reads.rows<Row & Record<string, unknown>>(text, values) };
}

/** What is read of each row: what is shown of it, and what tells whether it belongs to the list. */
function columnsOf<Row>({ table, serialize, without, implied }: ListSource<Row>): readonly string[] {
  if (serialize.columns === undefined) return table.columns;
  return [
    ...new Set([...serialize.columns, ...(without ? [without.column] : []), ...(implied ? [implied.column] : [])]),
  ];
}

/** Only what is compared is read of the rows that are passed over: an index may have it all. */
function scanOf<Row>(
  source: ListSource<Row>,
  { filters, gone }: PageWish,
  compared: readonly ComparedFilter[],
): FilteredScan {
  const { table, without } = source;
  const columns = compared.flatMap((comparison) => comparison.columns);
  const read = new Set(['id', ...columns, ...(gone.length === 0 ? [] : [without!.column])]);
  return {
    rows: (range, bind) => partsOf(range, source, { columns: [...read].join(', '), filters }, { bind }),
    parts: groupsOf(source, filters, String).length,
    conditions: (bind) => [
      ...compared.map(({ name, condition }) => condition(filters[name], bind)),
      ...notGone(source, gone, bind),
    ],
    shown: rowsFound(table),
  };
}

function notGone<Row>({ without }: ListSource<Row>, gone: readonly string[], bind: Bind): string[] {
  return gone.length === 0 ? [] : [`(${without!.column} = any(${bind(gone)})) is not true`];
}

/** How a statement names its limit and its values: those of one page, or of each of many. The tenant is $1. */
type Named = { limit?: string; bind: Bind };

function pageBindings(): { values: unknown[]; types: ColumnType[]; named: Named } {
  const [values, types]: [unknown[], ColumnType[]] = [[], []];
  const bind: Bind = (value, type = 'text') => {
    types.push(type);
    return `x.v${values.push(value)}`;
  };
  return { values, types, named: { limit: 'x.row_limit', bind } };
}

type Selected = { columns: string; filters: ListFilters; conditions?: readonly string[] };

/** The rows of a range that the filters select by an index. */
function selectOf<Row>(range: Range, source: ListSource<Row>, selected: Selected, named: Named): string {
  return mergedParts(partsOf(range, source, selected, named), selected.columns, range, named.limit);
}

/** Each part of an index that the filters select. */
function partsOf<Row>(
  range: Range,
  source: ListSource<Row>,
  { columns, filters, conditions = [] }: Selected,
  { limit, bind }: Named,
): string[] {
  const where = conditions.map((condition) => `and ${condition}`).join(' ');
  return groupsOf(source, filters, bind).map(
    (group) =>
      `select ${columns} from ${source.table.name} where tenant = $1 ${where} ${partOf(range, group, bind, { limit })}`,
  );
}

/** The parts of an index that the filters select. */
function groupsOf<Row>(source: ListSource<Row>, filters: ListFilters, bind: Bind): Equation[][] {
  const { merged } = source;
  const { indexed } = splitFilters(source, filters);
  // A list of values stands for any of them.
  const choices = indexed.map((column) =>
    [...new Set([filters[column]].flat())].map((value): Equation => [column, bind(value, source.table.types[column])]),
  );
  const groups = choices.reduce<Equation[][]>(
    (found, some) => found.flatMap((group) => some.map((equation) => [...group, equation])),
    [[]],
  );
  const isNarrow = source.narrow?.includes(indexed[0]!);
  const isMerged = merged !== undefined && indexed.length > 0 && !isNarrow && !indexed.includes(merged.column);
  if (!isMerged) return groups;
  return groups.flatMap((group) => merged.values.map((value): Equation[] => [...group, [merged.column, `'${value}'`]]));
}

/** The columns whose index is read, and what its rows are compared with. */
function splitFilters<Row>(
  source: ListSource<Row>,
  filters: ListFilters,
): { indexed: string[]; compared: ComparedFilter[] } {
  const { columns = [], narrow = [], compared = [], implied } = source;
  const isGiven = (name: string) =>
    filters[name] !== undefined && !(name === implied?.column && filters[implied.by] !== undefined);
  const given = columns.filter(isGiven);
  const narrowest = narrow.find(isGiven);
  const indexed = narrowest === undefined ? given : [narrowest];
  const others = [...given, ...narrow.filter(isGiven)].filter((column) => !indexed.includes(column));
  return { indexed, compared: [...others.map(equals), ...compared.filter(({ name }) => isGiven(name))] };
}
