import type { Page, Tollgate } from '@tollgate/node';
import { type ReactNode, useState } from 'react';
import { Section } from './detail_page.tsx';
import { Failure } from './failure.tsx';
import type { Search } from './filters.ts';
import style from './list_page.module.css';
import { type Column, ListTable } from './list_table.tsx';
import { Paging, positionOf } from './paging.tsx';
import { usePolling } from './poll.ts';
import { useRead } from './read.ts';

type SectionListProps<Item> = {
  title: string;
  aside?: ReactNode;
  /** For the cache. */
  name: readonly unknown[];
  columns: readonly Column<Item>[];
  load(api: Tollgate, params: Record<string, unknown>, options: { signal: AbortSignal }): PromiseLike<Page<Item>>;
  /** Whether something becomes of it in a moment, without an event that says so. */
  isUnderWay?: (item: Item) => boolean;
  /** A sentence where there are none. */
  empty: ReactNode;
};

const rowsOnPage = 25;
const readAgainMs = 2_000;

/** A list that is a part of a page, with pages of its own. */
export function SectionList<Item extends { id: string }>(props: SectionListProps<Item>) {
  const { title, aside, name, columns, load, isUnderWay, empty } = props;
  const [search, setSearch] = useState<Search>({});
  const params = { ...positionOf(search), limit: rowsOnPage };
  const reading = useRead([...name, params], (api, options) => load(api, params, options), { keeps: true });
  const { data, error, refetch, isPlaceholderData } = reading;
  usePolling(isUnderWay !== undefined && (data?.data.some(isUnderWay) ?? false), refetch, readAgainMs);
  const isNone = data?.data.length === 0 && search.after === undefined && search.before === undefined;
  return (
    <Section title={title} aside={aside} isFlush none={error === null && isNone && empty}>
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && <ListTable columns={columns} items={data?.data} isStale={isPlaceholderData} />}
      <div className={style.inSection}>
        <Paging page={data} search={search} onChange={setSearch} />
      </div>
    </Section>
  );
}
