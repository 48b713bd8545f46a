import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SavedView } from '@tollgate/node';
import { usePlace } from '../session/place.tsx';
import { wordsOfError } from './failure.tsx';
import type { Search } from './filters.ts';
import { useRead } from './read.ts';

/** There can be 100 in an account, of all pages together: they are on one page of the API. */
const viewsMax = 100;

/** Filters that somebody has given a name, on one page. They are the person's own, in every browser and in both modes. */
export function useSavedViews(page: string, isWanted: boolean) {
  const { api, account } = usePlace();
  const queries = useQueryClient();
  const { data, error } = useRead(
    ['saved_views', page],
    (client, options) => client.savedViews.list({ page, limit: viewsMax }, options),
    { isEnabled: isWanted },
  );
  const views = data?.data;
  const again = () =>
    queries.invalidateQueries({ queryKey: [account.id], predicate: ({ queryKey }) => queryKey[2] === 'saved_views' });
  const onError = (failure: unknown) =>
    notifications.show({ color: 'red', title: 'The view was not changed', message: wordsOfError(failure).message });
  const { mutate: save } = useMutation({
    mutationFn: ({ name, query }: Pick<SavedView, 'name' | 'query'>) => {
      const same = views?.find((view) => view.name === name);
      return same ? api.savedViews.update(same.id, { query }) : api.savedViews.create({ name, page, query });
    },
    onSuccess: again,
    onError,
  });
  const { mutate: remove } = useMutation({
    mutationFn: ({ id }: SavedView) => api.savedViews.delete(id),
    onSuccess: again,
    onError,
  });
  return { views, error, save, remove };
}

/** The filters that are set, as they stand in the address, in one order: equal filters are equal texts. */
export function queryOf(names: readonly string[], search: Search): string {
  return new URLSearchParams(names.flatMap((name) => (search[name] ? [[name, search[name]]] : []))).toString();
}

/** The filters of a view, and no others. A name that the page does not have is left out. */
export function searchOf(names: readonly string[], query: string): Search {
  const given = new URLSearchParams(query);
  return Object.fromEntries(names.map((name) => [name, given.get(name) ?? undefined]));
}
