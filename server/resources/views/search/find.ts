import { mayRead } from '../../../operations/caller.ts';
import type { Searchable, SearchDocument, SearchedField } from '../../../operations/extension_points/search.ts';
import type { Context } from '../../../operations/operation.ts';
import { candidatesOf, type FoundIds, newestFirst, readMax, type Search } from './candidates.ts';
import { fieldsWith } from './documents.ts';
import { namedBy } from './named.ts';
import { type Query, type QueryWord, readQuery } from './query.ts';
import { readNumbers, readObjects } from './store.ts';
import { termsOf } from './terms.ts';
import { WordSets } from './word_sets.ts';

export type Result = {
  object: string;
  id: string;
  title: string;
  subtitle?: string;
  created: number;
  matched: SearchedField[];
};

/** What was found of one kind. */
export type KindResults = { kind: Searchable; results: Result[]; count: number; isComplete: boolean };

type Wish = { q: string; kind?: string | undefined; limit: number };

/** Finds what a text means, in the kinds that the caller wants and may read. */
export async function findResults(context: Context, all: readonly Searchable[], wish: Wish): Promise<KindResults[]> {
  const readable = all.filter(({ scope }) => mayRead(context.caller, scope));
  const wanted = readable.filter(({ object }) => wish.kind === undefined || object === wish.kind);
  const owners = new Set(wanted.flatMap((one) => one.owners.map(({ prefix }) => prefix)));
  const read = readable.filter((one) => wanted.includes(one) || owners.has(one.prefix));
  const query = readQuery(wish.q);
  const sets = new WordSets(context, read, query.words);
  const [{ operators, areCustomersCut }] = await Promise.all([operatorsOf(context, readable, query), sets.read()]);
  const search: Search = { context, query, operators, areCustomersCut, sets, limit: wish.limit };
  return Promise.all(wanted.map((kind) => resultsOf(search, kind, readable, wish.q)));
}

/** Of a customer that the caller cannot find, there is nothing. */
async function operatorsOf(
  context: Context,
  readable: readonly Searchable[],
  query: Query,
): Promise<Pick<Search, 'operators' | 'areCustomersCut'>> {
  const { statuses, amounts, cards, created, customers: named } = query;
  const rest = { statuses, amounts, cards, created };
  if (named.length === 0) return { operators: rest, areCustomersCut: false };
  const customers = readable.find(({ prefix }) => prefix === 'cus');
  const found = await Promise.all(
    named.map(
      async (name): Promise<FoundIds> =>
        customers ? findCustomers(context, customers, name) : { ids: [], isCut: false },
    ),
  );
  const ids = found.map((one) => one.ids).reduce((both, others) => both.filter((id) => others.includes(id)));
  return { operators: { ...rest, customers: ids }, areCustomersCut: found.some(({ isCut }) => isCut) };
}

/** By an id, or by words: the newest of those that have them all. */
async function findCustomers(context: Context, customers: Searchable, name: string): Promise<FoundIds> {
  if ((await customers.load(context, [name])).size > 0) return { ids: [name], isCut: false };
  const { words } = readQuery(name.replaceAll(/[:"]/g, ' '));
  if (words.length === 0) return { ids: [], isCut: false };
  const sets = await new WordSets(context, [customers], words).read();
  const { numbers, isCut } = await sets.all(customers);
  const newest = [...numbers].sort((a, b) => b - a).slice(0, readMax);
  const objects = await readObjects(context.reads, context.tenant, newest);
  return { ids: objects.map(({ object }) => object), isCut: isCut || numbers.size > readMax };
}

async function resultsOf(
  search: Search,
  kind: Searchable,
  readable: readonly Searchable[],
  q: string,
): Promise<KindResults> {
  const [found, named] = await Promise.all([candidatesOf(search, kind), namedBy(search, kind, q)]);
  const added = await notAmong(search.context, found, named.ids);
  const ids = newestFirst([...found.ids, ...added]).slice(0, search.limit);
  const documents = await kind.load(search.context, ids);
  const ownersOf = await loadOwners(search.context, kind, readable, [...documents.values()]);
  const isNamed = new Set(named.ids);
  const results = ids.flatMap((id): Promise<Result>[] => {
    const document = documents.get(id);
    if (document === undefined) return [];
    const owners = ownersOf(document);
    const found = fieldsOfWords(search.query.words, id, document, owners);
    const isWhole = found.every((fields) => fields.length > 0);
    if (!isWhole && !isNamed.has(id)) return [];
    const matched = new Set([...found.flat(), ...(isWhole ? [] : [fieldOfText(q, document)])]);
    return [resultOf(kind, id, document, owners, [...matched])];
  });
  const gone = ids.length - results.length;
  const count = (found.numbers?.size ?? found.ids.length) + added.length - gone;
  return {
    kind,
    results: await Promise.all(results),
    count,
    isComplete: !found.isCut && !named.isCut && !search.areCustomersCut,
  };
}

/** Those that are not counted among the candidates. */
async function notAmong({ reads, tenant }: Context, found: FoundIds, ids: readonly string[]): Promise<string[]> {
  const others = ids.filter((id) => !found.ids.includes(id));
  const { numbers } = found;
  if (others.length === 0 || numbers === undefined) return others;
  const indexed = await readNumbers(reads, tenant, others);
  const counted = new Set(indexed.filter(({ number }) => numbers.has(number)).map(({ object }) => object));
  return others.filter((id) => !counted.has(id));
}

type OwnerFound = { prefix: string; document: SearchDocument };

/** What objects belong to, as far as the caller may read it. */
async function loadOwners(
  context: Context,
  kind: Searchable,
  readable: readonly Searchable[],
  documents: readonly SearchDocument[],
): Promise<(document: SearchDocument) => OwnerFound[]> {
  const ids = documents.flatMap(({ belongsTo = [] }) => belongsTo);
  const kinds = readable.filter((one) => kind.owners.some(({ prefix }) => prefix === one.prefix));
  const loaded = await Promise.all(
    kinds.map(async (one) => {
      const own = ids.filter((id) => id.startsWith(`${one.prefix}_`));
      return [...(await one.load(context, own))].map(
        ([id, document]) => [id, { prefix: one.prefix, document }] as const,
      );
    }),
  );
  const owners = new Map(loaded.flat());
  return ({ belongsTo = [] }) => belongsTo.flatMap((id) => owners.get(id) ?? []);
}

/** The fields that each word was found in, which may be none: the index is a moment behind the objects. */
function fieldsOfWords(
  words: readonly QueryWord[],
  id: string,
  document: SearchDocument,
  owners: readonly OwnerFound[],
): SearchedField[][] {
  return words.map((word): SearchedField[] => [
    ...(id.startsWith(word.written) ? (['id'] as const) : []),
    ...fieldsWith(document, word),
    ...owners.flatMap((owner) => (fieldsWith(owner.document, word).length > 0 ? [fieldOf(owner)] : [])),
  ]);
}

/** What a whole text names an object by, where its words do not. */
function fieldOfText(q: string, { texts }: SearchDocument): SearchedField {
  const { charge, number } = termsOf(q);
  if (charge !== undefined) return 'amount';
  return number !== undefined && texts.some(({ field }) => field === 'number') ? 'number' : 'reference';
}

const fieldOf = ({ prefix }: OwnerFound): SearchedField => (prefix === 'cus' ? 'customer' : 'product');

/** Whose it is comes first: it is what people know. */
async function resultOf(
  { object }: Searchable,
  id: string,
  document: SearchDocument,
  owners: readonly OwnerFound[],
  matched: SearchedField[],
): Promise<Result> {
  const { title, subtitle, created } = await document.summary();
  const ofOwners = await Promise.all(owners.map((owner) => owner.document.summary()));
  const about = [...ofOwners.map((owner) => owner.title), subtitle].filter(Boolean).join(', ');
  return { object, id, title, ...(about === '' ? {} : { subtitle: about }), created, matched };
}
