import { Button, SegmentedControl, Skeleton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Section } from '../kit/detail_page.tsx';
import { Failure } from '../kit/failure.tsx';
import { pathOfId } from '../kit/paths.ts';
import { Timeline, type TimelineEntry } from '../kit/timeline.tsx';
import { useWorkspace } from '../session/workspace.tsx';
import { type EntryGroup, groupedEntries } from './entry_groups.ts';
import type { EntryType } from './entry_words.ts';
import style from './object_timeline.module.css';
import { type Story, storyOf } from './story_words.ts';
import { Actor, Chips, Parts, titleOfGroup } from './timeline_parts.tsx';

const entriesOnPage = 50;

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

type View = 'summary' | 'everything';

/** The person's own choice, in this browser, for all timelines. Developers begin with everything. */
function useView() {
  const { session, account } = useWorkspace();
  return useLocalStorage<View>({
    key: `tollgate.timeline.${session.user.id}`,
    defaultValue: account.role === 'developer' ? 'everything' : 'summary',
    getInitialValueInEffect: false,
  });
}

/**
 * What has happened to an object, newest first. A request and everything that came of it are one entry: in plain words (`Refunded £5.00 by
 * ada@…`), or with all its parts (the request, the attempts, postings, events with their deliveries, and the audit entry).
 */
export function ObjectTimeline({ id }: { id: string }) {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useTimeline(id);
  const [view, setView] = useView();
  const [hidden, setHidden] = useState<readonly EntryType[]>([]);
  const entries = data?.pages.flatMap((page) => page.data);
  const groups = groupedEntries(entries ?? []);
  const shown = view === 'summary' ? summaryOf(groups, id) : everythingOf(groups, hidden, id);
  return (
    <Section
      title="Timeline"
      aside={<ViewSwitch view={view} onChange={setView} />}
      none={entries?.length === 0 && 'No entries.'}
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {entries === undefined && error === null && <Waiting />}
      {entries !== undefined && view === 'everything' && (
        <Chips entries={entries} hidden={hidden} onChange={setHidden} />
      )}
      {entries !== undefined && shown.length === 0 && (
        <p className="quiet">
          {view === 'summary' ? 'Nothing that concerns people or money.' : 'Choose a kind of entry above.'}
        </p>
      )}
      <Timeline entries={shown.toReversed()} />
      {hasNextPage && (
        <Button mt="md" variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older entries
        </Button>
      )}
    </Section>
  );
}

function ViewSwitch({ view, onChange }: { view: View; onChange(view: View): void }) {
  return (
    <SegmentedControl
      size="xs"
      aria-label="What the timeline shows"
      value={view}
      onChange={(chosen) => onChange(chosen as View)}
      data={[
        { value: 'summary', label: 'Summary' },
        { value: 'everything', label: 'Everything' },
      ]}
    />
  );
}

/** What happened to money and people, in plain words. Of those who caused it, people are named: programs do most of it. */
function summaryOf(groups: readonly EntryGroup[], page: string): TimelineEntry[] {
  return groups.flatMap((group) => {
    const story = storyOf(group);
    if (story === undefined) return [];
    const person = group.by?.api_key === undefined ? group : { ...group, by: undefined };
    return [entryOf(person, story, page, <Lines lines={story.lines} />)];
  });
}

function everythingOf(groups: readonly EntryGroup[], hidden: readonly EntryType[], page: string): TimelineEntry[] {
  return groups.flatMap((group) => {
    const parts = group.entries.filter(({ type }) => !hidden.includes(type));
    const story = storyOf(group) ?? titleOfGroup(group);
    return parts.length === 0 ? [] : [entryOf(group, story, page, <Parts entries={parts} />)];
  });
}

type Titled = Pick<Story, 'title' | 'tone'> & { object?: string | undefined };

function entryOf({ key, at, by }: EntryGroup, story: Titled, page: string, detail: ReactNode): TimelineEntry {
  const title = (
    <>
      <Title story={story} page={page} /> <Actor by={by} />
    </>
  );
  return { key, at, tone: story.tone, title, detail };
}

function Lines({ lines }: { lines: readonly string[] }) {
  return lines.map((line) => <div key={line}>{line}</div>);
}

/** Leads to what it is about, unless that is the page itself. */
function Title({ story: { title, object }, page }: { story: Titled; page: string }) {
  const path = object === undefined || object === page ? undefined : pathOfId(object);
  if (path === undefined) return title;
  return (
    <Link to={path as string} className={style.story}>
      {title}
    </Link>
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
