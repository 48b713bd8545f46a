import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { SavedView } from '@tollgate/node';
import { usePlace } from '../session/place.tsx';
import { wordsOfError } from './failure.tsx';
import { useRead } from './read.ts';

/** There can be 100 in an account, of all pages together: they are on one page of the API. */
const viewsMax = 100;

/** Filters that somebody has given a name, on one page. They are the person's own, in every browser and in both modes. */
export function useSavedViews(page: string) {
  const { api, account } = usePlace();
  const queries = useQueryClient();
  const { data, error } = useRead(['saved_views', page], (client, options) =>
    client.savedViews.list({ page, limit: viewsMax }, options),
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
