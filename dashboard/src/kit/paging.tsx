import { Button, Group } from '@mantine/core';
import type { Page } from '@tollgate/node';
import type { Search } from './filters.ts';
import { Icon } from './icon.tsx';
import style from './list_page.module.css';

/** Where the page begins, as parameters of the API. */
export function positionOf({ after, before }: Search): { starting_after?: string; ending_before?: string } {
  if (after !== undefined) return { starting_after: after };
  return before === undefined ? {} : { ending_before: before };
}

type PagingProps = { page: Page<{ id: string }> | undefined; search: Search; onChange(changed: Search): void };

/** By ids, not by numbers: a page stays where it is while newer objects come. */
export function Paging({ page, search, onChange }: PagingProps) {
  const isBackward = search.before !== undefined;
  const hasMore = page?.has_more ?? false;
  const [first, last] = [page?.data[0]?.id, page?.data.at(-1)?.id];
  const hasNewer = first !== undefined && (isBackward ? hasMore : search.after !== undefined);
  const hasOlder = last !== undefined && (isBackward || hasMore);
  const isElsewhere = search.after !== undefined || search.before !== undefined;
  if (!hasNewer && !hasOlder && !isElsewhere) return null;
  return (
    <Group gap="xs" justify="flex-end" className={style.paging} role="navigation" aria-label="Pagination">
      {isElsewhere && (
        <Button size="xs" variant="subtle" onClick={() => onChange({})}>
          Newest
        </Button>
      )}
      <Button
        size="xs"
        variant="default"
        disabled={!hasNewer}
        onClick={() => onChange({ before: first })}
        leftSection={<Icon name="left" size={12} />}
      >
        Newer
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={!hasOlder}
        onClick={() => onChange({ after: last })}
        rightSection={<Icon name="right" size={12} />}
      >
        Older
      </Button>
    </Group>
  );
}
