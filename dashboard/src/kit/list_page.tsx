import { useLocalStorage } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page, Tollgate } from '@tollgate/node';
import type { ReactNode } from 'react';
import { useWorkspace } from '../session/workspace.tsx';
import { Empty, type EmptyWords } from './empty.tsx';
import { Failure } from './failure.tsx';
import { FilterBar } from './filter_bar.tsx';
import { useFilterWords } from './filter_words.ts';
import { mistakeIn, paramsOf, type Search } from './filters.ts';
import type { IconName } from './icon.tsx';
import { isByClock } from './id_time.ts';
import style from './list_page.module.css';
import { type Column, ListTable } from './list_table.tsx';
import { type ListBasics, ListTools } from './list_tools.tsx';
import { PageLayout } from './page_layout.tsx';
import { Paging, positionOf } from './paging.tsx';
import { useRead } from './read.ts';

/** Everything about a list. The filters, and where the page begins, stand in the address. */
export type ListDescriptor<Item extends { id: string }> = ListBasics & {
  title: string;
  icon: IconName;
  columns: readonly Column<Item>[];
  load(api: Tollgate, params: Record<string, unknown>, options: { signal: AbortSignal }): PromiseLike<Page<Item>>;
  /** What to say where there are none at all. */
  empty(mode: 'test' | 'live'): EmptyWords;
  actions?: ReactNode;
  /** Between the title and the filters. */
  summary?: ReactNode;
};

const rowsOnPage = 25;

/** A page that is a list and nothing else. */
export function listPage<Item extends { id: string }>(list: ListDescriptor<Item>) {
  return () => <ListPage list={list} />;
}

export function ListPage<Item extends { id: string }>({ list }: { list: ListDescriptor<Item> }) {
  const { search, change } = useAddress();
  const { session, mode } = useWorkspace();
  const mistake = mistakeIn(list.filters, search);
  const words = useFilterWords(list.filters, search);
  const filters = { ...paramsOf(list.filters, search), ...words.params };
  const params = { ...filters, ...positionOf(search), limit: rowsOnPage };
  const isNone = words.params?.ids?.length === 0;
  const isAskable = mistake === undefined && words.params !== undefined && words.hint === undefined && !isNone;
  const { data, error, refetch, isPlaceholderData } = useRead(
    [list.name, 'list', params],
    (api, options) => list.load(api, params, options),
    { keeps: true, isEnabled: isAskable },
  );
  const [hidden, setHidden] = useLocalStorage<string[]>({
    key: `tollgate.hidden.${session.user.id}.${list.name}`,
    defaultValue: list.columns.filter(({ isHidden }) => isHidden).map(({ id }) => id),
    getInitialValueInEffect: false,
  });
  const failed = words.error ?? error;
  const isFiltered = Object.keys({ ...filters, ...positionOf(search) }).length > 0 || words.hint !== undefined;
  return (
    <PageLayout title={list.title} actions={list.actions}>
      {list.summary}
      <div className={style.bar}>
        <FilterBar filters={list.filters} search={search} onChange={change} />
        <ListTools
          list={list}
          params={filters}
          search={search}
          hidden={hidden}
          onHidden={setHidden}
          onSearch={change}
        />
      </div>
      {words.note !== undefined && <p className="quiet">{words.note}</p>}
      {mistake !== undefined ? (
        <Failure error={mistake} />
      ) : failed !== null ? (
        <Failure error={failed} onRetry={() => void refetch()} />
      ) : isNone || words.hint !== undefined || data?.data.length === 0 ? (
        <Nothing list={list} isFiltered={isFiltered} hint={words.hint} />
      ) : (
        <ListTable columns={list.columns} hidden={hidden} items={data?.data} isStale={isPlaceholderData} />
      )}
      {mode === 'test' && data?.data.some(isByClock) && (
        <p className="quiet">The newest in real time come first. The icon of a clock marks the time of a test clock.</p>
      )}
      <Paging page={isAskable ? data : undefined} search={search} onChange={change} />
    </PageLayout>
  );
}

type NothingProps<Item extends { id: string }> = {
  list: ListDescriptor<Item>;
  isFiltered: boolean;
  hint: string | undefined;
};

function Nothing<Item extends { id: string }>({ list, isFiltered, hint }: NothingProps<Item>) {
  const { mode } = useWorkspace();
  const words = isFiltered
    ? { title: 'No results match these filters', text: hint ?? 'Remove a filter or choose another range.' }
    : list.empty(mode);
  return (
    <div className={style.box}>
      <Empty icon={list.icon} {...words} />
    </div>
  );
}

/** A changed filter begins at the newest again; a changed position keeps the filters. */
export function useAddress(): { search: Search; change(changed: Search): void } {
  const search = useSearch({ strict: false }) as Search;
  const navigate = useNavigate();
  const change = (changed: Search) =>
    void navigate({ to: '.', search: { ...search, after: undefined, before: undefined, ...changed } as never });
  return { search, change };
}
