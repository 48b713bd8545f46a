import { Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';

import { type ReactNode, useEffect, useRef } from 'react';
import { rememberObject } from '../session/recent.ts';

import { useWorkspace } from '../session/workspace.tsx';
import { Copy } from './copy.tsx';
import style from './detail_page.module.css';
import { type Fact, FactList } from './fact_list.tsx';
import { Failure } from './failure.tsx';
import { Icon } from './icon.tsx';
import { Json } from './json.tsx';
import { isMissing, Missing } from './missing.tsx';
import { Moment, realMomentOf, TimesOf } from './moment.tsx';
import { useTitle } from './title.ts';

export type { Fact } from './fact_list.tsx';

/** What `useRead` gives. */
type Reading<Item> = { data: Item | undefined; error: unknown; refetch(): unknown };

type DetailProps<Item> = {
  reading: Reading<Item>;
  /** The list that it belongs to. */
  list: { path: string; title: string };
  id: string;
  /** What stands in large letters: an amount, a name. */
  headline(item: Item): ReactNode;
  status?(item: Item): ReactNode;
  actions?(item: Item): ReactNode;
  facts(item: Item): readonly Fact[];
  /** Sections, and a timeline, below the facts. */
  children(item: Item): ReactNode;
};

/** A moment, if there is one. */
export function momentFact(name: string, seconds: number | undefined): Fact {
  return [name, seconds === undefined ? undefined : <Moment key={name} seconds={seconds} />];
}

/** The page of one object: what it is, what can be done, what is known, what has happened, and the object as the API shows it. */
export function DetailPage<Item>({ reading, list, id, ...parts }: DetailProps<Item>) {
  useTitle(id);
  const { data, error, refetch } = reading;
  return (
    <Stack component="article" gap="md">
      <Link to={list.path as string} className={style.back}>
        <Icon name="left" size={14} /> {list.title}
      </Link>
      {data === undefined && <NotShown error={error} list={list} id={id} onRetry={() => void refetch()} />}
      {data !== undefined && <Shown item={data} id={id} {...parts} />}
    </Stack>
  );
}

type NotShownProps = { error: unknown; list: DetailProps<unknown>['list']; id: string; onRetry(): void };

function NotShown({ error, list, id, onRetry }: NotShownProps) {
  if (isMissing(error)) return <Missing error={error} list={list} path={`${list.path}/${id}`} />;
  return (
    <>
      <h1 className="visually-hidden">{id}</h1>
      {error === null ? <DetailSkeleton /> : <Failure error={error} onRetry={onRetry} />}
    </>
  );
}

function Shown<Item>({
  item,
  id,
  headline,
  status,
  actions,
  facts,
  children,
}: Omit<DetailProps<Item>, 'reading' | 'list'> & { item: Item }) {
  const { mode } = useWorkspace();
  return (
    <>
      <header className={style.header}>
        <div className={style.title}>
          <h1 ref={useRemembered(id)}>{headline(item)}</h1>
          {status?.(item)}
        </div>
        <div className={style.actions}>{actions?.(item)}</div>
        <div className={style.id}>
          <code>{id}</code>
          <Copy text={id} label="Copy ID" />
        </div>
      </header>
      <TimesOf item={item as object}>
        <FactList
          facts={[...facts(item), ['Created in real time', realMomentOf(item as object, mode)]]}
          className={style.facts}
        />
      </TimesOf>
      {children(item)}
      <Section title="JSON" isFlush>
        <Json value={item} />
      </Section>
    </>
  );
}

/** The search offers what was opened last, by what it is called here, which may be known only after a while. */
function useRemembered(id: string) {
  const { session, account, mode } = useWorkspace();
  const headline = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    const title = headline.current?.textContent;
    if (title) rememberObject({ user: session.user.id, account: account.id, mode }, { id, title });
  });
  return headline;
}

/** A titled part of a page. `isFlush`: its content brings its own spacing. */
export function Section({
  title,
  aside,
  isFlush = false,
  children,
}: {
  title: string;
  aside?: ReactNode;
  isFlush?: boolean;
  children: ReactNode;
}) {
  return (
    <section className={style.section}>
      <div className={style.sectionTitle}>
        <h2>{title}</h2>
        {aside}
      </div>
      <div className={isFlush ? style.flush : style.content}>{children}</div>
    </section>
  );
}

function DetailSkeleton() {
  return (
    <div role="status" aria-busy="true" aria-label="Loading">
      <Skeleton height={34} width={220} mb={8} />
      <Skeleton height={18} width={260} mb="lg" />
      <Skeleton height={74} mb="lg" />
      <Skeleton height={220} />
    </div>
  );
}
