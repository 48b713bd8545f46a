import { Text } from '@mantine/core';
import { Spotlight } from '@mantine/spotlight';
import type { SearchResult } from '@tollgate/node';
import { useState } from 'react';
import { Failure } from '../kit/failure.tsx';
import { Icon } from '../kit/icon.tsx';
import { isolated } from '../kit/isolated.ts';
import { Moment, TimesOf } from '../kit/moment.tsx';
import { withSymbol } from '../kit/money.ts';
import { entryOfId } from '../pages/index.ts';
import { recentObjects } from '../session/recent.ts';
import { useWorkspace } from '../session/workspace.tsx';
import style from './palette.module.css';
import type { ResultGroup, SearchResults } from './search_results.ts';
import { looksLikeMetadata } from './show_all.ts';

type GroupsProps = {
  results: SearchResults;
  onOpen(id: string): void;
  onShowAll(kind: string): (() => void) | undefined;
};

/** The results, by kind, above the pages. */
export function ResultGroups({ results, onOpen, onShowAll }: GroupsProps) {
  return (
    <>
      {results.groups.map((group) => (
        <Group key={group.kind} group={group} onOpen={onOpen} showAll={onShowAll(group.kind)} />
      ))}
      {!results.isComplete && results.groups.length > 0 && (
        <Text c="dimmed" size="sm" px={12} py={8}>
          These words are frequent: more may match. Type another word to narrow the results.
        </Text>
      )}
    </>
  );
}

type GroupProps = { group: ResultGroup; onOpen(id: string): void; showAll: (() => void) | undefined };

function Group({ group: { title, count, hits }, onOpen, showAll }: GroupProps) {
  const shownCount = count.toLocaleString();
  return (
    <Spotlight.ActionsGroup label={`${title} · ${shownCount}`}>
      {hits.map((hit) => (
        <Hit key={hit.id} hit={hit} onOpen={onOpen} />
      ))}
      {showAll !== undefined && count > hits.length && (
        <Spotlight.Action
          label={`Show all ${shownCount} ${title.toLowerCase()}`}
          leftSection={<Icon name="right" />}
          className={style.action}
          onClick={showAll}
        />
      )}
    </Spotlight.ActionsGroup>
  );
}

function Hit({ hit, onOpen }: { hit: SearchResult; onOpen(id: string): void }) {
  const { id, title, subtitle, created } = hit;
  const icon = entryOfId(id)?.icon ?? 'search';
  return (
    <Spotlight.Action
      label={withSymbol(title)}
      description={subtitle === undefined ? id : isolatedParts(withSymbol(subtitle))}
      leftSection={<Icon name={icon} />}
      rightSection={
        <span className={style.when}>
          <TimesOf item={hit}>
            <Moment seconds={created} />
          </TimesOf>
        </span>
      }
      className={style.action}
      onClick={() => onOpen(id)}
    />
  );
}

/** `Ada Lovelace, until 12/2040`: what follows a name must not be drawn before it. */
const isolatedParts = (text: string) => text.split(', ').map(isolated).join(', ');

/** What was opened last, before anything is typed. It is read when the palette opens. */
export function RecentGroup({ onOpen }: { onOpen(id: string): void }) {
  const { session, account, mode } = useWorkspace();
  const [objects] = useState(() => recentObjects({ user: session.user.id, account: account.id, mode }));
  if (objects.length === 0) return null;
  return (
    <Spotlight.ActionsGroup label="Recent">
      {objects.map(({ id, title }) => (
        <Spotlight.Action
          key={id}
          label={title}
          description={entryOfId(id)?.title ?? id}
          leftSection={<Icon name={entryOfId(id)?.icon ?? 'search'} />}
          className={style.action}
          onClick={() => onOpen(id)}
        />
      ))}
    </Spotlight.ActionsGroup>
  );
}

/** It says what can be typed. */
export function NoResults({ error, query }: { error: unknown; query: string }) {
  return (
    <Spotlight.Empty className={style.nothing}>
      {error !== null ? (
        <Failure error={error} />
      ) : (
        <>
          <strong>No results</strong>
          {looksLikeMetadata(query) && (
            <p>Metadata is not searched. Search for an external id, a description or an invoice number instead.</p>
          )}
          <p>Every word must begin a word of the object. You can search for</p>
          <ul>
            <li>names, emails, phone numbers, descriptions, products</li>
            <li>
              an amount or the last four digits of a card: <code>129.00</code>, <code>4242</code>
            </li>
            <li>invoice numbers, references, external ids, and the beginning of an id</li>
            <li>
              filters: <code>status:failed</code> <code>amount:&gt;100</code> <code>card:4242</code>{' '}
              <code>customer:ada</code> <code>created:2026-03</code>, and <code>"words in order"</code>
            </li>
          </ul>
        </>
      )}
    </Spotlight.Empty>
  );
}
