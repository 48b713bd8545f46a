import { useDebouncedValue } from '@mantine/hooks';
import type { SearchResult } from '@tollgate/node';
import { pathOfId } from '../kit/paths.ts';
import { useRead } from '../kit/read.ts';
import { wordsOf } from '../kit/status.tsx';
import { entryOfId } from '../pages/index.ts';

const shortest = 2;
/** A part of the 300 ms in which results are to be there. Quick typists leave less between two keys. */
const pauseMs = 50;
/** Of each kind: the rest is in its list. */
const hitsMax = 5;

/** What was found of one kind, and how many there are. */
export type ResultGroup = { kind: string; title: string; count: number; hits: readonly SearchResult[] };

export type SearchResults = {
  /** By kind, in the order of the answer. */
  groups: readonly ResultGroup[];
  /** What is typed has not been looked up yet. */
  isPending: boolean;
  /** False if more may match than were counted. */
  isComplete: boolean;
  error: unknown;
};

/** The objects that somebody knows something of, looked up when the typing pauses. */
export function useSearchResults(query: string): SearchResults {
  const [settled] = useDebouncedValue(query, pauseMs);
  const isEnabled = isAskable(settled);
  const { data, error } = useRead(
    ['search', settled],
    (api, options) => api.search.query({ q: settled, limit: hitsMax }, options),
    { isEnabled },
  );
  const isAsked = isAskable(query);
  const isCurrent = isAsked && settled === query;
  return {
    groups: groupsOf((isCurrent && data?.data) || [], data?.counts ?? {}),
    isPending: isAsked && (!isCurrent || (data === undefined && error === null)),
    isComplete: data?.is_complete ?? true,
    error: isCurrent ? error : null,
  };
}

/** One letter says nothing; one character of Chinese or Korean may be a name. */
const isAskable = (query: string) =>
  query.length >= shortest || /\p{Script=Han}|\p{Script=Hangul}|\p{Script=Kana}/u.test(query);

/** `Payments`, `Customers`: as the navigation calls them. What has no page is left out, because it would lead nowhere. */
function groupsOf(hits: readonly SearchResult[], counts: Readonly<Record<string, number>>): ResultGroup[] {
  const leading = hits.filter(({ id }) => pathOfId(id) !== undefined);
  return [...Map.groupBy(leading, ({ object }) => object)].map(([kind, found]) => {
    return { kind, title: titleOf(found[0]!), count: Math.max(counts[kind] ?? 0, found.length), hits: found };
  });
}

function titleOf({ id, object }: SearchResult): string {
  return entryOfId(id)?.title ?? wordsOf(`${object}s`);
}
