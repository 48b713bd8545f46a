import { useDebouncedValue } from '@mantine/hooks';
import type { SearchResult } from '@tollgate/node';
import { pathOfId } from '../kit/paths.ts';
import { useRead } from '../kit/read.ts';
import { wordsOf } from '../kit/status.tsx';
import { entryOfId } from '../pages/index.ts';

const shortest = 2;
const pauseMs = 200;

export type SearchResults = {
  /** By kind, in the order of the newest of each. */
  groups: readonly { title: string; hits: readonly SearchResult[] }[];
  /** What is typed has not been looked up yet. */
  isPending: boolean;
  isComplete: boolean;
  error: unknown;
};

/** The objects that somebody knows something of, looked up when the typing pauses. */
export function useSearchResults(query: string): SearchResults {
  const [settled] = useDebouncedValue(query, pauseMs);
  const isEnabled = settled.length >= shortest;
  const { data, error } = useRead(['search', settled], (api, options) => api.search.query({ q: settled }, options), {
    isEnabled,
  });
  const isAsked = query.length >= shortest;
  const isCurrent = isAsked && settled === query;
  return {
    groups: groupsOf((isCurrent && data?.data) || []),
    isPending: isAsked && (!isCurrent || (data === undefined && error === null)),
    isComplete: data?.is_complete ?? true,
    error: isCurrent ? error : null,
  };
}

/** `Payments`, `Customers`: as the navigation calls them. What has no page is left out, because it would lead nowhere. */
function groupsOf(hits: readonly SearchResult[]): SearchResults['groups'] {
  const leading = hits.filter(({ id }) => pathOfId(id) !== undefined);
  return [...Map.groupBy(leading, titleOf)].map(([title, results]) => ({ title, hits: results }));
}

function titleOf({ id, object }: SearchResult): string {
  return entryOfId(id)?.title ?? wordsOf(`${object}s`);
}
