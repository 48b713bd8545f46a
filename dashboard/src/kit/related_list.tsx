import { Box, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Section } from './detail_page.tsx';
import { Failure } from './failure.tsx';
import { type Column, ListTable } from './list_table.tsx';

type RelatedProps<Item> = {
  title: string;
  /** What `useRead` gives for a list. */
  reading: { data: { data: readonly Item[]; has_more?: boolean } | undefined; error: unknown; refetch(): unknown };
  columns: readonly Column<Item>[];
  /** The page that lists all of them, with the filter that selects them. Where there are none, it would be empty. */
  all?: { path: string; search: Record<string, string> };
  /** A sentence where there are none. */
  empty: ReactNode;
  /** Buttons. */
  aside?: ReactNode;
};

/** Objects that belong to the one of the page: the newest ones, and the way to all of them. */
export function RelatedList<Item extends { id: string }>(props: RelatedProps<Item>) {
  const { title, reading, columns, all, empty, aside } = props;
  const { data, error, refetch } = reading;
  const isEmpty = error === null && data?.data.length === 0;
  return (
    <Section
      title={title}
      isFlush
      none={isEmpty && empty}
      aside={
        <Group gap="sm" wrap="nowrap">
          {aside}
          {all && !isEmpty && (
            <Link to={all.path as string} search={all.search as never} aria-label={`All ${title.toLowerCase()}`}>
              All
              <Box component="span" visibleFrom="lg">
                {' '}
                {title.toLowerCase()}
              </Box>
            </Link>
          )}
        </Group>
      }
    >
      {error !== null ? (
        <Failure error={error} onRetry={() => void refetch()} />
      ) : (
        <ListTable columns={columns.filter(({ isHidden }) => !isHidden)} items={data?.data} />
      )}
    </Section>
  );
}
