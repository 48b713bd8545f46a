import type { Table } from '../base/commit/index.ts';
import { refusal } from '../base/errors.ts';
import { firstIdAt, isId } from '../base/id.ts';
import type { Context } from './operation.ts';
import type { ListInput } from './shapes.ts';

const limitDefault = 10;

export type Page = { object: 'list'; url: string; has_more: boolean; data: object[] };

/**
 * A page is a range of the primary key, newest first: no offset and no count, so it costs the same at ten rows and at ten million.
 * `filters` are columns that must equal a value, each with an index on (tenant, column, id).
 */
export async function listPage<Row extends { id: string }>(
  context: Context,
  input: ListInput,
  source: {
    table: Table<Row>;
    prefix: string;
    url: string;
    filters?: Record<string, string | undefined>;
    present: (row: Row) => object;
  },
): Promise<Page> {
  const { starting_after, ending_before } = input;
  checkCursors(input, source.prefix);
  const limit = input.limit ?? limitDefault;
  const values: unknown[] = [context.tenant];
  const conditions = ['tenant = $1'];
  const where = (condition: string, value: unknown) => conditions.push(`${condition} $${values.push(value)}`);

  for (const [column, value] of Object.entries(source.filters ?? {}))
    if (value !== undefined) where(`${column} =`, value);
  if (starting_after !== undefined) where('id <', starting_after);
  if (ending_before !== undefined) where('id >', ending_before);
  for (const [comparison, id] of createdBounds(input, source.prefix)) where(`id ${comparison}`, id);

  const backwards = ending_before !== undefined;
  const rows = await context.reads.rows<Row & Record<string, unknown>>(
    `select ${source.table.columns.join(', ')} from ${source.table.name} where ${conditions.join(' and ')}
      order by id ${backwards ? 'asc' : 'desc'} limit ${limit + 1}`,
    values,
  );
  const page = rows.slice(0, limit);
  if (backwards) page.reverse();
  return { object: 'list', url: source.url, has_more: rows.length > limit, data: page.map(source.present) };
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

/** Times become ids: an id begins with its time. */
function* createdBounds(input: ListInput, prefix: string): Generator<[string, string]> {
  const { gt, gte, lt, lte } = input.created ?? {};
  if (gt !== undefined) yield ['>=', firstIdAt(prefix, (gt + 1) * 1_000)];
  if (gte !== undefined) yield ['>=', firstIdAt(prefix, gte * 1_000)];
  if (lt !== undefined) yield ['<', firstIdAt(prefix, lt * 1_000)];
  if (lte !== undefined) yield ['<', firstIdAt(prefix, (lte + 1) * 1_000)];
}
