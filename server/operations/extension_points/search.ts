import { isId } from '../../base/id.ts';
import { type Descriptor, readScopeOf } from '../descriptor.ts';
import type { Context } from '../operation.ts';
import { extensionPoint } from '../resource.ts';
import type { Scope } from '../scope.ts';

/** What is searched for. A text may be several things. */
export type SearchTerms = {
  /** Without spaces around it. */
  text: string;
  /** In lower case. */
  email?: string | undefined;
  /** The last four digits of a payment method, and an amount that was paid with it. */
  charge?: { last4: string; amount: number; currencies?: readonly string[] } | undefined;
  /** The name that a processor may have for something: one word. */
  reference?: string | undefined;
  /** A whole number. */
  number?: number | undefined;
};

/** An object that was found, as a line of a list. */
export type SearchHit = { id: string; object: string; title: string; subtitle?: string; created: number };

/** A kind of object that can be found. */
export type Searchable = {
  /** What a key needs to read it. */
  scope: Scope;
  /** The newest that match, `limit` at most. Every search is by an index. */
  find(context: Context, terms: SearchTerms, limit: number): Promise<SearchHit[]>;
};

export const searchables = extensionPoint<Searchable>('what can be searched for');

type Summary = { title: string; subtitle?: string | null };

/** What a person tells objects of a kind by. */
export type Describe<Row> = (row: Row, context: Context) => Summary | Promise<Summary>;

type FoundById = { id: string; deleted?: boolean };

/** Objects of a kind by their ids, and by what `more` finds. */
export function searchable<Row extends FoundById>(
  descriptor: Descriptor<Row>,
  describe: Describe<Row>,
  more: (context: Context, terms: SearchTerms, limit: number) => Promise<readonly Row[]> = async () => [],
): Searchable {
  return {
    scope: readScopeOf(descriptor),
    async find(context, terms, limit) {
      const [one, others] = await Promise.all([byId(context, descriptor, terms.text), more(context, terms, limit)]);
      const byIds = new Map([...one, ...others].map((row) => [row.id, row])); // what is found twice is one hit
      const found = [...byIds.values()].filter(({ deleted }) => !deleted);
      const hits = found.map(async (one) => {
        const row = descriptor.unlessGone ? await descriptor.unlessGone(context, one) : one;
        return row === undefined ? [] : [hitOf(descriptor, row as Row, await describe(row as Row, context))];
      });
      return (await Promise.all(hits)).flat();
    },
  };
}

function hitOf<Row>({ serialize }: Descriptor<Row>, row: Row, { title, subtitle }: Summary): SearchHit {
  const { id, object, created } = serialize(row) as SearchHit;
  return { id, object, title, ...(subtitle ? { subtitle } : {}), created };
}

async function byId<Row extends object>(
  context: Context,
  { prefix, table }: Descriptor<Row>,
  id: string,
): Promise<Row[]> {
  const row = isId(prefix, id) ? await context.reads.one(table, context.tenant, id) : undefined;
  return row === undefined ? [] : [row];
}
