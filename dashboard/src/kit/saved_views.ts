import { useLocalStorage } from '@mantine/hooks';
import { usePlace } from '../session/place.tsx';
import type { Search } from './filters.ts';

export type SavedView = { name: string; search: Search };

/** Filters that somebody has given a name, by account and list. This browser keeps them. */
export function useSavedViews(list: string) {
  const { account } = usePlace();
  const [views, setViews] = useLocalStorage<SavedView[]>({
    key: `tollgate.views.${account.id}.${list}`,
    defaultValue: [],
  });
  return {
    views,
    save: (view: SavedView) => setViews((before) => [...before.filter(({ name }) => name !== view.name), view]),
    remove: (name: string) => setViews((before) => before.filter((view) => view.name !== name)),
  };
}
