import type { Searchable } from '../../../operations/extension_points/search.ts';
import type { Context } from '../../../operations/operation.ts';
import { type Bind, bindings } from '../../../operations/scan.ts';
import { fieldsWith, hasPhrases } from './documents.ts';
import { conditionsOf, customerColumn, idConditions, isAnyWanted, type Operators } from './operators.ts';
import type { Query } from './query.ts';
import { objectOfNumber, readObjects, rowsPerWordMax } from './store.ts';
import type { WordSets } from './word_sets.ts';

/** What is searched for, and by whom. */
export type Search = {
  context: Context;
  query: Query;
  operators: Operators;
  /** `customer:` means more than are compared. */
  areCustomersCut: boolean;
  sets: WordSets;
  limit: number;
};

/** Objects of a kind that fit, as far as the index tells. */
export type FoundIds = {
  /** Newest first: all of them, or the newest of `numbers`. */
  ids: readonly string[];
  /** Their numbers in the index, if only some were read. */
  numbers?: ReadonlySet<number>;
  isCut: boolean;
};

/** Documents are read of so many objects at most, where only they can tell whether an object fits. */
export const readMax = 500;

const nothing: FoundIds = { ids: [], isCut: false };

export function candidatesOf(search: Search, kind: Searchable): Promise<FoundIds> | FoundIds {
  if (kind.foundBy === 'id') return nothing;
  if (kind.foundBy === 'few') return amongFew(search, kind);
  if (search.query.words.length > 0) return withWords(search, kind);
  return isAnyWanted(search.operators) ? newest(search, kind) : nothing;
}

async function withWords(search: Search, kind: Searchable): Promise<FoundIds> {
  const { context, query, operators, sets } = search;
  const { numbers, isCut } = await sets.all(kind);
  if (isAnyWanted(operators)) {
    const ids = await fulfilling(search, kind, [...numbers]);
    // A card or an amount that is frequent may be rare among those in a status, or of a customer.
    const others = isCut && query.words.every(({ isOperator }) => isOperator) ? (await newest(search, kind)).ids : [];
    return withPhrases(search, kind, { ids: newestFirst([...new Set([...ids, ...others])]), isCut });
  }
  // More than are shown: numbers are nearly in the order of ids, and not quite.
  const shown = [...numbers].sort((a, b) => b - a).slice(0, readMax);
  const objects = await readObjects(context.reads, context.tenant, shown);
  const found = { ids: newestFirst(objects.map(({ object }) => object)), numbers, isCut };
  return withPhrases(search, kind, found);
}

/** The index has words, and not their order. */
async function withPhrases(search: Search, kind: Searchable, found: FoundIds): Promise<FoundIds> {
  const { context, query } = search;
  if (query.phrases.length === 0) return found;
  const documents = await kind.load(context, found.ids.slice(0, readMax));
  const ids = [...documents].filter(([, document]) => hasPhrases(document, query)).map(([id]) => id);
  const all = found.numbers?.size ?? found.ids.length;
  return { ids, isCut: found.isCut || all > readMax };
}

/** Those of the numbers whose rows fulfil the operators. */
async function fulfilling(
  { context, operators }: Search,
  kind: Searchable,
  numbers: readonly number[],
): Promise<string[]> {
  const { values, bind } = bindings(context.tenant);
  const given = bind(numbers);
  const conditions = conditionsOf(kind, operators, bind);
  if (conditions === undefined || numbers.length === 0) return [];
  const rows = await context.reads.rows<{ object: string }>(
    `select o.object from unnest(${given}::int8[]) as x (number) ${objectOfNumber}
      cross join lateral (
        select from ${kind.table!.name} t where t.tenant = $1 and t.id = o.object and ${conditions.join(' and ')} limit 1) t`,
    values,
  );
  return rows.map(({ object }) => object);
}

/**
 * Without a word: the newest objects that an index has for one of the operators, compared with the others. Where a test clock has set
 * another time than that of the id, they are among the newest or not found by it.
 */
async function newest({ context, operators }: Search, kind: Searchable): Promise<FoundIds> {
  const { values, bind } = bindings(context.tenant);
  const conditions = conditionsOf(kind, operators, bind);
  if (conditions === undefined) return nothing;
  const parts = sourcesOf(kind, operators, context.mode === 'test', bind);
  const rows = await context.reads.rows<{ id: string; fits: boolean }>(
    `select t.id, ${conditions.join(' and ')} as fits from (${parts.map((part) => `(${part})`).join(' union all ')}) t`,
    values,
  );
  const ids = new Set(rows.filter(({ fits }) => fits).map(({ id }) => id));
  return { ids: newestFirst([...ids]).slice(0, rowsPerWordMax), isCut: rows.length > rowsPerWordMax };
}

/**
 * The parts of a table that are read: ranges of an index, in its order. A status is compared together with the id, so that the planner does
 * not follow the primary key past millions of rows for it. It must not know the limit either (`operations/range.ts`).
 */
function sourcesOf(kind: Searchable, wanted: Operators, hasClocks: boolean, bind: Bind): string[] {
  const { customers, statuses, created } = wanted;
  const limit = `limit (select ${rowsPerWordMax + 1})`;
  const rows = `select * from ${kind.table!.name} t where t.tenant = $1`;
  const column = customerColumn(kind);
  if (customers !== undefined && column !== undefined) {
    const owned = `${rows} and t.${column} = c.owner ${limit}`;
    return [`select t.* from unnest(${bind(customers)}::text[]) as c (owner) cross join lateral (${owned}) t ${limit}`];
  }
  const stored = statuses.find((names) => names.every((name) => kind.columns.status?.values.includes(name)));
  if (stored !== undefined)
    return [...new Set(stored)].map((name) => {
      const status = bind(name);
      const range = `(t.status, t.id) >= (${status}, '') and (t.status, t.id) <= (${status}, '~')`;
      return `${rows} and ${range} order by t.status desc, t.id desc ${limit}`;
    });
  const byTime = created.flatMap((range) => idConditions(kind.prefix, range, bind)).map((one) => ` and ${one}`);
  const whole = `${rows} order by t.id desc ${limit}`;
  if (byTime.length === 0) return [whole];
  return [
    `${rows}${byTime.join('')} order by t.id desc ${limit}`,
    ...(hasClocks && kind.columns.created ? [whole] : []),
  ];
}

/** The newest of a kind of which there are never many, read and compared. */
async function amongFew(search: Search, kind: Searchable): Promise<FoundIds> {
  const { context, query, operators } = search;
  if (query.words.length === 0 && !isAnyWanted(operators)) return nothing;
  const { values, bind } = bindings(context.tenant);
  const conditions = conditionsOf(kind, operators, bind);
  if (conditions === undefined) return nothing;
  const rows = await context.reads.rows<{ id: string }>(
    `select id from ${kind.table!.name} t where ${['t.tenant = $1', ...conditions].join(' and ')}
      order by id desc limit (select ${rowsPerWordMax + 1})`,
    values,
  );
  const documents = await kind.load(
    context,
    rows.slice(0, rowsPerWordMax).map(({ id }) => id),
  );
  const fitting = [...documents].filter(
    ([, document]) => query.words.every((word) => fieldsWith(document, word).length > 0) && hasPhrases(document, query),
  );
  return { ids: newestFirst(fitting.map(([id]) => id)), isCut: rows.length > rowsPerWordMax };
}

/** Ids begin with their time. */
export const newestFirst = (ids: readonly string[]): string[] => [...ids].sort().reverse();
