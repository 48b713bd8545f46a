import type { Table } from '../../base/commit/index.ts';
import { isId } from '../../base/id.ts';
import type { Money } from '../../base/money.ts';
import { type Descriptor, readScopeOf } from '../descriptor.ts';
import type { Context } from '../operation.ts';
import { extensionPoint } from '../resource.ts';
import type { Scope } from '../scope.ts';

/** What can be found in an object. A result says by which of these it was found. */
export const searchedFields = [
  'id',
  'name',
  'email',
  'phone',
  'description',
  'product',
  'number',
  'amount',
  'card',
  'reference',
  'external_id',
  'code',
  'url',
  'customer',
] as const;
export type SearchedField = (typeof searchedFields)[number];

/** A text of an object, or an amount, that it is found by. */
export type SearchText = { field: SearchedField; text: string } | { field: 'amount'; money: Money };

/** What a person tells an object by. */
type Summary = { title: string; subtitle?: string | null };

/** What a noun says of an object: what it is found by, and shown as, for which more may be read. */
export type SearchFacts = {
  summary: () => Summary | Promise<Summary>;
  texts: readonly SearchText[];
  /** The ids of the objects that it belongs to: it is found by their words too. */
  belongsTo?: readonly string[];
};

/** An object as a search sees it. */
export type SearchDocument = Omit<SearchFacts, 'summary'> & {
  /** `created` in epoch seconds. */
  summary: () => Promise<Summary & { created: number }>;
};

/** The columns that operators compare. A kind without the column of an operator has no results for it. */
export type SearchColumns = {
  status?: SearchStatus;
  /** The amount, whose currency is in the column `currency`. */
  amount?: string;
  /** The last four digits. */
  card?: string;
  /** When it was created, by its test clock too: a time, or epoch seconds. Without it, the time in the id. */
  created?: { column: string; isSeconds: boolean };
};

/** The statuses of a kind, in the column `status`, with an index on (tenant, status, id); and further ones, each with its condition. */
export type SearchStatus = { values: readonly string[]; further?: Readonly<Record<string, string>> };

/** Where the objects of a kind name another that they belong to, in a column with an index on (tenant, column, …). */
export type SearchOwner = { prefix: string; table: Pick<Table, 'name'>; column: string };

/** What a search reads with: a caller's request, or the index that follows changes. */
export type SearchContext = Pick<Context, 'reads' | 'tenant'>;

/**
 * How objects of a kind are found. `words`: by the index, which follows the events about them. `few`: there are never many, and they have no
 * events, so the newest are read. `id`: by their ids alone.
 */
export type FoundBy = 'words' | 'few' | 'id';

/** A kind of object that can be found. */
export type Searchable = {
  /** Its name in the API, such as `payment`. */
  object: string;
  /** How its ids begin. */
  prefix: string;
  /** What a key needs to read it. */
  scope: Scope;
  foundBy: FoundBy;
  /** Undefined: its ids are found when they are complete. */
  table?: Pick<Table, 'name'>;
  columns: SearchColumns;
  /** What they belong to. */
  owners: readonly SearchOwner[];
  /** The documents of objects by their ids. What does not exist for callers is left out. */
  load(context: SearchContext, ids: readonly string[]): Promise<ReadonlyMap<string, SearchDocument>>;
  /** The ids of those that a whole text names in a way that no word does, `limit` at most, by an index. */
  exact?(context: Context, terms: SearchTerms, limit: number): Promise<readonly string[]>;
};

/** A whole text. It may be several things. */
export type SearchTerms = {
  /** Without spaces around it. */
  text: string;
  /** The last four digits of a payment method, and an amount that was paid with it, in the smallest unit. */
  charge?: { last4: string; amount: number; currencies?: readonly string[] } | undefined;
  /** The name that a processor may have for something: one word. */
  reference?: string | undefined;
  /** A whole number. */
  number?: number | undefined;
};

export const searchables = extensionPoint<Searchable>('what can be searched for');

type SearchedRow = { id: string; deleted?: boolean };

type SearchOptions<Row> = {
  foundBy: FoundBy;
  columns?: SearchColumns;
  owners?: readonly SearchOwner[];
  exact?(context: Context, terms: SearchTerms, limit: number): Promise<readonly Pick<Row & SearchedRow, 'id'>[]>;
};

/** The objects of a noun, each with its document. */
export function searchable<Row extends SearchedRow>(
  descriptor: Descriptor<Row>,
  factsOf: (row: Row, context: SearchContext) => SearchFacts,
  { foundBy, columns = {}, owners = [], exact }: SearchOptions<Row>,
): Searchable {
  const { prefix, table, noun, serialize, unlessGone } = descriptor;
  const documentsOf = async (context: SearchContext, id: string): Promise<[string, SearchDocument][]> => {
    const stored = isId(prefix, id)
      ? await context.reads.one(table as Table<Row & object>, context.tenant, id)
      : undefined;
    const row = stored && unlessGone !== undefined ? await unlessGone({ ...context, id }, stored) : stored;
    if (row === undefined || row.deleted) return [];
    const facts = factsOf(row, context);
    const summary = async () => {
      const { created } = serialize(row) as { created: number };
      return { ...(await facts.summary()), created };
    };
    return [[id, { ...facts, summary }]];
  };
  return {
    object: noun.replaceAll(' ', '_'),
    prefix,
    scope: readScopeOf(descriptor),
    foundBy,
    table,
    columns,
    owners,
    load: async (context, ids) =>
      new Map((await Promise.all([...new Set(ids)].map((id) => documentsOf(context, id)))).flat()),
    ...(exact && {
      exact: async (context, terms, limit) => (await exact(context, terms, limit)).map(({ id }) => id),
    }),
  };
}

/** The texts of an object that it has. */
export function textsOf(texts: Partial<Record<SearchedField, string | null | undefined>>): SearchText[] {
  return Object.entries(texts).flatMap(([field, text]) => (text ? [{ field: field as SearchedField, text }] : []));
}
