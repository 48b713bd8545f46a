import type { SearchQueryParameters, Tollgate } from '@tollgate/node';

export type SearchKind = NonNullable<SearchQueryParameters['kind']>;

/** The objects of a kind that words find. `count`: how many there are, as far as they were counted. */
export type FoundIds = { ids: string[]; count: number };

export async function findIds(
  api: Tollgate,
  { kind, words, limit }: { kind: SearchKind; words: string; limit: number },
  options: { signal: AbortSignal },
): Promise<FoundIds> {
  const { data, counts } = await api.search.query({ q: words, kind, limit }, options);
  return { ids: data.map(({ id }) => id), count: counts[kind] ?? data.length };
}

/** Whether a text is an id as it stands, and no words. */
export const isId = (text: string) => /^[a-z]+_[0-9A-Za-z]{22}$/.test(text);
