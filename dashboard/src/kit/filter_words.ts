import type { Filter, Search } from './filters.ts';
import { type FoundIds, findIds, isId, type SearchKind } from './found_ids.ts';
import { useRead } from './read.ts';

/** Words in the address that have to be looked up before the list can be asked for. */
type Wanted = { name: string; title: string; kind: SearchKind; words: string; max: number; isList: boolean };

/** The most ids that a list takes. */
const idsMax = 100;

type FilterWords = {
  /** The ids in place of the words, as parameters; undefined until they are known. */
  params: Record<string, string[]> | undefined;
  /** Why no list can be shown, in a sentence. */
  hint: string | undefined;
  /** That there are more than the list shows. */
  note: string | undefined;
  error: unknown;
};

/** Looks up what stands in the address by words: the objects of the list itself, or those that they belong to. */
export function useFilterWords(filters: readonly Filter[], search: Search): FilterWords {
  const wanted = filters.flatMap((filter) => wantedBy(filter, search));
  const { data, error } = useRead(
    ['search', 'filters', wanted],
    (api, options) =>
      Promise.all(wanted.map(({ kind, words, max }) => findIds(api, { kind, words, limit: max }, options))),
    { isEnabled: wanted.length > 0 },
  );
  if (wanted.length === 0) return { params: {}, hint: undefined, note: undefined, error: null };
  const found = wanted.map((one, at) => ({ ...one, ...(data?.[at] ?? { ids: [], count: 0 }) }));
  return {
    params: data && Object.fromEntries(found.map(({ name, ids, isList }) => [isList ? 'ids' : name, ids])),
    hint: data && found.map(hintOf).find((hint) => hint !== undefined),
    note: data && found.map(noteOf).find((note) => note !== undefined),
    error,
  };
}

function wantedBy(filter: Filter, search: Search): Wanted[] {
  const words = search[filter.name]?.trim() ?? '';
  if (words === '' || (filter.kind !== 'words' && filter.kind !== 'object')) return [];
  const { name, title } = filter;
  if (filter.kind === 'words') return [{ name, title, kind: filter.of, words, max: idsMax, isList: true }];
  const { of } = filter;
  return of === undefined || isId(words) ? [] : [{ name, title, kind: of, words, max: filter.max, isList: false }];
}

function hintOf({ title, words, ids, count, max, isList }: Wanted & FoundIds): string | undefined {
  if (ids.length === 0) return isList ? undefined : `No ${title.toLowerCase()} matches “${words}”.`;
  if (isList || count <= max) return undefined;
  return `${count.toLocaleString()} match “${words}”, and this filter takes ${max}. Type more of the name, or select one.`;
}

function noteOf({ count, max, isList }: Wanted & FoundIds): string | undefined {
  return isList && count > max
    ? `Showing ${max} of ${count.toLocaleString()} results. Type more words to narrow them.`
    : undefined;
}
