import { Button, Group, Skeleton, UnstyledButton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { TimelineEntry as Entry } from '@tollgate/node';
import { useState } from 'react';
import { Section } from '../kit/detail_page.tsx';
import { Failure } from '../kit/failure.tsx';
import { Icon } from '../kit/icon.tsx';
import { Json } from '../kit/json.tsx';
import { Timeline, type TimelineEntry } from '../kit/timeline.tsx';
import { useWorkspace } from '../session/workspace.tsx';
import { actorsOf, type EntryType, entryTypes, type Part, wordsOfEntry } from './entry_words.ts';
import { NamedId } from './named_id.tsx';
import style from './object_timeline.module.css';

const entriesOnPage = 25;

function useTimeline(id: string) {
  const { api, account, mode } = useWorkspace();
  return useInfiniteQuery({
    queryKey: [account.id, mode, 'timeline', id],
    queryFn: async ({ signal, pageParam }) =>
      await api.timeline.list(id, { limit: entriesOnPage, ...pageParam }, { signal }),
    initialPageParam: {} as { starting_after?: string },
    getNextPageParam: ({ has_more, data }) => (has_more ? { starting_after: data.at(-1)!.id } : undefined),
  });
}

/** What has happened to an object: requests, attempts, postings, events with their deliveries, and who did it, newest first. */
export function ObjectTimeline({ id }: { id: string }) {
  const readsEvents = useWorkspace().may('events.retrieve');
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useTimeline(id);
  const [hidden, setHidden] = useState<readonly EntryType[]>([]);
  const entries = data?.pages.flatMap((page) => page.data);
  const actors = actorsOf(entries ?? []);
  const shown = entries?.filter(({ type }) => !hidden.includes(type)) ?? [];
  return (
    <Section title="Timeline">
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {entries === undefined && error === null && <Waiting />}
      {entries !== undefined && <Chips entries={entries} hidden={hidden} onChange={setHidden} />}
      {entries?.length === 0 && 'No entries yet.'}
      <Timeline entries={shown.map((entry) => shownEntry(entry, actors, readsEvents)).toReversed()} />
      {hasNextPage && (
        <Button mt="md" variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older entries
        </Button>
      )}
    </Section>
  );
}

type ChipsProps = {
  entries: readonly Entry[];
  hidden: readonly EntryType[];
  onChange(hidden: readonly EntryType[]): void;
};

/** Which kinds are shown. A kind without entries cannot be chosen. */
function Chips({ entries, hidden, onChange }: ChipsProps) {
  const toggle = (type: EntryType) =>
    onChange(hidden.includes(type) ? hidden.filter((one) => one !== type) : [...hidden, type]);
  return (
    <Group gap={6} mb="md" className={style.chips} role="group" aria-label="What the timeline shows">
      {Object.entries(entryTypes).map(([name, title]) => {
        const type = name as EntryType;
        const count = entries.filter((entry) => entry.type === type).length;
        return (
          <UnstyledButton
            key={type}
            disabled={count === 0}
            aria-pressed={count > 0 && !hidden.includes(type)}
            onClick={() => toggle(type)}
          >
            {title} {count > 0 && count}
          </UnstyledButton>
        );
      })}
    </Group>
  );
}

function shownEntry(entry: Entry, actors: ReadonlyMap<string, string>, readsEvents: boolean): TimelineEntry {
  const { tone, title, lines } = wordsOfEntry(entry, actors, readsEvents);
  const body = <Body entry={entry} title={title} lines={lines} />;
  return { key: entry.id, at: entry.created, tone, title: body };
}

/** Opens to everything that the API says about it. */
function Body({ entry, title, lines }: { entry: Entry; title: string; lines: readonly Part[][] }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <UnstyledButton className={style.title} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {title} <Icon name="right" size={12} />
      </UnstyledButton>
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines have an order and nothing else
        <Line key={index} parts={line} />
      ))}
      {isOpen && (
        <div className={style.details}>
          <div className={style.exact}>{new Date(entry.created_ms).toISOString()}</div>
          <Json value={entry[entry.type]} />
        </div>
      )}
    </>
  );
}

function Line({ parts }: { parts: readonly Part[] }) {
  return (
    <div className={style.line}>
      {parts.map((part) => (typeof part === 'string' ? part : <NamedId key={part.id} id={part.id} />))}
    </div>
  );
}

function Waiting() {
  return (
    <div role="status" aria-busy="true" aria-label="Loading">
      {['a', 'b', 'c', 'd'].map((key) => (
        <Skeleton key={key} height={36} mb="sm" />
      ))}
    </div>
  );
}
