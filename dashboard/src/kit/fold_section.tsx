import { Skeleton, Text } from '@mantine/core';
import type { Page, Tollgate } from '@tollgate/node';
import type { ReactNode } from 'react';
import { InlineCommand } from './copy.tsx';
import { Section } from './detail_page.tsx';
import { Failure } from './failure.tsx';
import { FilterBar } from './filter_bar.tsx';
import { type Filter, mistakeIn, paramsOf } from './filters.ts';
import { type Fold, FoldList } from './fold_list.tsx';
import style from './list_page.module.css';
import { useAddress } from './list_page.tsx';
import { Paging, positionOf } from './paging.tsx';
import { useRead } from './read.ts';

type FoldSectionProps<Item extends { id: string }> = {
  title: string;
  aside?: ReactNode;
  /** Of the query: the noun, the object and what is listed of it. */
  queryKey: readonly string[];
  filters?: readonly Filter[];
  load(api: Tollgate, params: Record<string, unknown>, options: { signal: AbortSignal }): PromiseLike<Page<Item>>;
  fold(item: Item): Fold;
  /** Where there is nothing: a sentence that ends in what to run. */
  empty: { text: string; command: string };
};

const rowsOnPage = 20;
const everyMs = 2_000;
const none: readonly Filter[] = [];

/** What comes in to one object, newest first, as it comes. Filters, the page and what is open stand in the address. */
export function FoldSection<Item extends { id: string }>(props: FoldSectionProps<Item>) {
  const { title, aside, queryKey, filters = none, load, fold, empty } = props;
  const { search, change } = useAddress();
  const filtered = paramsOf(filters, search);
  const position = positionOf(search);
  const params = { ...filtered, ...position, limit: rowsOnPage };
  const mistake = mistakeIn(filters, search);
  const { data, error, refetch } = useRead([...queryKey, params], (api, options) => load(api, params, options), {
    keeps: true,
    everyMs,
    isEnabled: mistake === undefined,
  });
  const elsewhere = Object.keys({ ...filtered, ...position }).length > 0;
  const isNone = data?.data.length === 0;
  const isEmpty = isNone && !elsewhere;
  const move = (changed: typeof search) => change({ open: undefined, ...changed });
  return (
    <Section
      title={title}
      aside={!isEmpty && aside}
      isFlush
      none={
        isEmpty && (
          <>
            {empty.text} <InlineCommand text={empty.command} />
          </>
        )
      }
    >
      {filters.length > 0 && (
        <div className={style.sectionBar}>
          <FilterBar filters={filters} search={search} onChange={move} />
        </div>
      )}
      {mistake !== undefined && <Failure error={mistake} />}
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined && error === null && mistake === undefined && <Skeleton height={160} m="md" width="auto" />}
      {isNone && (
        <Text c="dimmed" px="md" py="sm">
          No results match these filters. Remove a filter, or go back to the newest.
        </Text>
      )}
      {data !== undefined && !isNone && (
        <FoldList
          label={title}
          folds={data.data.map(fold)}
          opened={search.open}
          onOpen={(open) => change({ after: search.after, before: search.before, open })}
        />
      )}
      <div className={style.underFolds}>
        <Paging page={data} search={search} onChange={move} />
      </div>
    </Section>
  );
}
