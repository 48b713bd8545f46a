import { Skeleton, Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { rememberObject } from '../session/recent.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { Copy } from './copy.tsx';
import style from './detail_page.module.css';
import { type Fact, FactList, hasValue } from './fact_list.tsx';
import { Failure } from './failure.tsx';
import { Icon } from './icon.tsx';
import { useInOrder } from './in_order.ts';
import { Json } from './json.tsx';
import { isMissing, Missing } from './missing.tsx';
import { Moment, realMomentOf, TimesOf } from './moment.tsx';
import { useTitle } from './title.ts';

export type { Fact } from './fact_list.tsx';

/** What `useRead` gives. */
type Reading<Item> = { data: Item | undefined; error: unknown; refetch(): unknown };

/**
 * From 1024 px on in two columns: the story, actions and sections at the left; facts, `aside` and metadata at the right. Narrower, the
 * right column stands between the actions and the sections.
 */
type DetailProps<Item> = {
  reading: Reading<Item>;
  /** The list that it belongs to. */
  list: { path: string; title: string };
  id: string;
  /** What stands in large letters: an amount, a name. */
  headline(item: Item): ReactNode;
  status?(item: Item): ReactNode;
  /** What has become of it, in a sentence: `Paid with Visa •••• 4242 by Ada. €5.00 was refunded.` */
  story?(item: Item): ReactNode;
  actions?(item: Item): ReactNode;
  /** What somebody must know or do first: a `Notice`, below the actions. */
  notice?(item: Item): ReactNode;
  /** The first section at the right. */
  facts(item: Item): readonly Fact[];
  /** Further sections at the right, such as `FactSection`s about the customer, the card and the processor, and `Metadata`. */
  aside?(item: Item): ReactNode;
  /** Sections at the left, and a timeline as the last of them. */
  children(item: Item): ReactNode;
  /** Where people come for the JSON, it is not folded at first. */
  showsJson?: boolean;
};

/** A moment, if there is one. */
export function momentFact(name: string, seconds: number | undefined): Fact {
  return [name, seconds === undefined ? undefined : <Moment key={name} seconds={seconds} />];
}

/** The page of one object: what has become of it, what can be done, what has happened, what is known, and the object as the API shows it. */
export function DetailPage<Item>({ reading, list, id, ...parts }: DetailProps<Item>) {
  const { data, error, refetch } = reading;
  const [named, setNamed] = useState({ id, title: id });
  useTitle(named.id === id ? named.title : id);
  return (
    <Stack component="article" gap="md" className={style.page}>
      <Link to={list.path as string} className={style.back}>
        <Icon name="left" size={14} /> {list.title}
      </Link>
      {data === undefined && <NotShown error={error} list={list} id={id} onRetry={() => void refetch()} />}
      {data !== undefined && <Shown item={data} id={id} onNamed={setNamed} {...parts} />}
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

type Named = { id: string; title: string };
type ShownProps<Item> = Omit<DetailProps<Item>, 'reading' | 'list'> & { item: Item; onNamed(named: Named): void };

function Shown<Item>({ item, id, headline, status, story, actions, notice, facts, ...parts }: ShownProps<Item>) {
  const name = useNamed(id, parts.onNamed);
  const { mode } = useWorkspace();
  const { aside, children, showsJson = false } = parts;
  return (
    <div className={style.columns}>
      <header className={style.header}>
        <div className={style.title}>
          <h1 ref={name}>{headline(item)}</h1>
          {status?.(item)}
        </div>
        <TimesOf item={item as object}>
          {story && <div className={style.story}>{story(item)}</div>}
          <div className={style.actions}>{actions?.(item)}</div>
          {notice?.(item)}
        </TimesOf>
      </header>
      <div className={style.aside}>
        <TimesOf item={item as object}>
          <FactSection
            title="Details"
            facts={[
              ...facts(item),
              ['Created in real time', realMomentOf(item as object, mode)],
              ['ID', <ShownId key="id" id={id} />],
            ]}
          />
        </TimesOf>
        {aside?.(item)}
      </div>
      <div className={style.main} ref={useInOrder()}>
        {children(item)}
        <FoldedJson item={item} isOpenAtFirst={showsJson} />
      </div>
    </div>
  );
}

function ShownId({ id }: { id: string }) {
  return (
    <span className={style.id}>
      <code title={id}>{id}</code>
      <Copy text={id} label="Copy ID" />
    </span>
  );
}

/** The object as the API shows it, for those who want to see it. */
function FoldedJson({ item, isOpenAtFirst }: { item: unknown; isOpenAtFirst: boolean }) {
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  return (
    <details
      className={`${style.section} ${style.fold}`}
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary className={style.sectionTitle}>
        <h2>JSON</h2>
        <Icon name="down" size={14} />
      </summary>
      {isOpen && <Json value={item} />}
    </details>
  );
}

/** The window and what was opened last, which the search offers, are called as here, which may be known only after a while. */
function useNamed(id: string, onNamed: (named: Named) => void) {
  const { session, account, mode } = useWorkspace();
  const headline = useRef<HTMLHeadingElement>(null);
  const user = session.user.id;
  useEffect(() => {
    const remember = () => {
      const title = headline.current?.textContent;
      if (!title) return;
      rememberObject({ user, account: account.id, mode }, { id, title });
      onNamed({ id, title });
    };
    remember();
    // The headline reads by itself what it needs, such as the name of a price.
    const observer = new MutationObserver(remember);
    observer.observe(headline.current!, { childList: true, characterData: true, subtree: true });
    return () => observer.disconnect();
  }, [id, user, account.id, mode, onNamed]);
  return headline;
}

type SectionProps = {
  title: string;
  aside?: ReactNode;
  /** Its content brings its own spacing. */
  isFlush?: boolean;
  /** Where there is nothing: a sentence beside the title, instead of the content. */
  none?: ReactNode;
  children?: ReactNode;
};

/** A titled part of a page. */
export function Section({ title, aside, isFlush = false, none, children }: SectionProps) {
  return (
    <section className={style.section}>
      <div className={style.sectionTitle}>
        <h2>{title}</h2>
        {none && <span className={style.none}>{none}</span>}
        {aside}
      </div>
      {!none && <div className={isFlush ? style.flush : style.content}>{children}</div>}
    </section>
  );
}

/** A section of names and values; none where nothing has a value. */
export function FactSection({ title, facts }: { title: string; facts: readonly Fact[] }) {
  if (facts.every(([, value]) => !hasValue(value))) return null;
  return (
    <Section title={title}>
      <FactList facts={facts} names="var(--fact-names)" />
    </Section>
  );
}

/** While the names in a story are read. */
export function StorySkeleton() {
  return <Skeleton height={14} width="60%" my={3} />;
}

function DetailSkeleton() {
  return (
    <div className={style.columns} role="status" aria-busy="true" aria-label="Loading">
      <div className={style.header}>
        <Skeleton height={34} width={220} />
        <Skeleton height={18} width={320} />
      </div>
      <Skeleton height={260} className={style.aside} />
      <Skeleton height={260} className={style.main} />
    </div>
  );
}
