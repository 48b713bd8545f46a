import { firstIdAt, isId } from '../base/id.ts';
import { apiError } from './errors.ts';
import type { ListInput } from './schemas.ts';

const limitDefault = 10;

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
export function orderOf(range: Range, columns: readonly string[] = ['id'], limit = hiddenLimit(range)): string {
  const direction = range.backwards ? 'asc' : 'desc';
  return `order by ${columns.map((column) => `${column} ${direction}`).join(', ')} limit ${limit}`;
}

const hiddenLimit = ({ limit }: Range) => `(select ${limit + 1})`;

/** A column that must equal a value: the number of a parameter, or a constant. */
export type Equation = readonly [column: string, value: string];

/** What rows are sorted by, and the same of a bound. */
export type SortKey = { columns: readonly string[]; valuesOf(id: string, bind: (value: unknown) => string): string[] };

const byId: SortKey = { columns: ['id'], valuesOf: (id, bind) => [bind(id)] };

/**
 * The condition and the order of the part of a range in which columns equal values. It is written as a range of the index on the columns
 * and the id, or another key, which no other index has. The planner cannot know that two filters never match together: told to compare
 * columns, it would follow the primary key past millions of rows, in the hope of a match every few rows.
 */
export function partOf(
  range: Range,
  equations: readonly Equation[],
  bind: (value: unknown) => string,
  { limit, key = byId }: { limit?: string | undefined; key?: SortKey } = {},
): string {
  const columns = [...equations.map(([column]) => column), ...key.columns];
  const values = equations.map(([, value]) => value);
  const bound = (id: string | undefined, comparison: string, end: string) => {
    if (id !== undefined) return [`${row(columns)} ${comparison} ${row([...values, ...key.valuesOf(id, bind)])}`];
    return equations.length === 0 ? [] : [`${row(columns.slice(0, equations.length))} ${end} ${row(values)}`];
  };
  const [lower, upper] = tightest(range);
  const conditions = [
    ...bound(lower?.[1], lower?.[0] ?? '>', '>='),
    ...bound(upper?.[1], '<', '<='),
    // No row with a null compares, but the planner does not conclude from it that a partial index will do.
    ...equations.map(([column]) => `${column} is not null`),
  ];
  return `${conditions.map((condition) => `and ${condition}`).join(' ')} ${orderOf(range, columns, limit)}`;
}

const row = (cells: readonly string[]) => (cells.length === 1 ? cells[0]! : `(${cells.join(', ')})`);

/** The lower and the upper bound. Of several bounds on rows, the database would begin at any. */
function tightest({ bounds }: Range): [lower: Bound | undefined, upper: Bound | undefined] {
  const ordered = bounds.toSorted(([a, left], [b, right]) => {
    if (left === right) return b.length - a.length; // `>=` before `>`, which is tighter
    return left < right ? -1 : 1;
  });
  const isUpper = ([comparison]: Bound) => comparison === '<';
  return [ordered.findLast((bound) => !isUpper(bound)), ordered.find(isUpper)];
}

/** A page of several parts, of which each is at most a page. */
export function mergedParts(parts: readonly string[], columns: string, range: Range, limit?: string): string {
  if (parts.length === 1) return parts[0]!;
  const all = parts.map((part) => `(${part})`).join(' union all ');
  return `select ${columns} from (${all}) as parts ${orderOf(range, ['id'], limit)}`;
}

/** Any well-formed id is a position, whether or not it exists: a cursor must not break because its object was deleted. */
function checkCursors(input: ListInput, prefix: string): void {
  if (input.starting_after !== undefined && input.ending_before !== undefined)
    throw apiError('parameters_exclusive', { param: 'starting_after', other: 'ending_before' });
  for (const param of ['starting_after', 'ending_before'] as const) {
    const cursor = input[param];
    if (cursor !== undefined && !isId(prefix, cursor))
      throw apiError('parameter_invalid', { param, reason: `it must be an id that begins with ${prefix}_` });
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
