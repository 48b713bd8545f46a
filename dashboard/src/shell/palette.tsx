import { Kbd, Loader, Modal, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { Icon, type IconName } from '../kit/icon.tsx';
import { pathOfId } from '../kit/paths.ts';
import { isOffered, pages } from '../pages/index.ts';
import { useSignOut } from '../session/session.ts';
import { useWorkspace } from '../session/workspace.tsx';
import { useGo } from './mode.tsx';
import style from './palette.module.css';
import { NoResults, RecentGroup, ResultGroups } from './search_result_list.tsx';
import { type SearchResults, useSearchResults } from './search_results.ts';
import { listOf } from './show_all.ts';

const listId = 'palette-choices';

type Choice = { id: string; label: string; icon: IconName; run(): void };

/** Everything by the keyboard: Ctrl-K and / open it. It leads to pages, and to the objects that somebody knows something of. */
export function Palette() {
  const [typed, setTyped] = useState('');
  const query = typed.trim();
  const results = useSearchResults(query);
  const choices = useChoices().filter(({ label }) => label.toLowerCase().includes(query.toLowerCase()));
  const { openId, showAll, onEnter } = useOpening(query, results);
  return (
    <Spotlight.Root query={typed} onQueryChange={setTyped} shortcut={['mod + K', '/']} scrollable maxHeight={480}>
      <Modal.Title className="visually-hidden">Search</Modal.Title>
      <Spotlight.Search
        aria-label="Search"
        placeholder="Search payments, customers …"
        leftSection={<Icon name="search" />}
        rightSection={results.isPending && <Loader size="xs" aria-label="Searching" />}
        onKeyDown={({ key }) => key === 'Enter' && choices.length === 0 && onEnter()}
      />
      <Spotlight.ActionsList id={listId}>
        {query === '' && <RecentGroup onOpen={openId} />}
        <ResultGroups results={results} onOpen={openId} onShowAll={showAll} />
        {choices.length > 0 && (
          <Spotlight.ActionsGroup label="Go to">
            {choices.map(({ id, label, icon, run }) => (
              <Spotlight.Action
                key={id}
                label={label}
                leftSection={<Icon name={icon} />}
                onClick={run}
                className={style.action}
              />
            ))}
          </Spotlight.ActionsGroup>
        )}
        {choices.length === 0 && results.groups.length === 0 && !results.isPending && (
          <NoResults error={results.error} query={query} />
        )}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** The first result is selected. Enter before the answer opens it when it comes. */
function useOpening(query: string, { groups, isPending }: SearchResults) {
  const navigate = useNavigate();
  const [wanted, setWanted] = useState<string>();
  const openId = (id: string) => {
    const path = pathOfId(id);
    if (path !== undefined) void navigate({ to: path });
  };
  const showAll = (kind: string) => {
    const list = listOf(kind, query);
    return list && (() => void navigate({ to: list.path, search: list.search as never }));
  };
  const first = groups[0]?.hits[0]?.id;
  // biome-ignore lint/correctness/useExhaustiveDependencies: when another answer has come
  useEffect(() => {
    if (first === undefined) return;
    selectFirst();
    if (wanted !== query) return;
    openId(first);
    spotlight.close();
  }, [first, query]);
  return { openId, showAll, onEnter: () => setWanted(isPending ? query : undefined) };
}

/** Spotlight selects when something is typed, and keeps that mark where it is. Later results stand above it. */
function selectFirst(): void {
  const list = document.getElementById(listId);
  list?.querySelector('[data-selected]')?.removeAttribute('data-selected');
  list?.querySelector('[data-action]')?.setAttribute('data-selected', 'true');
}

/** The pages, and what can be done anywhere. */
function useChoices(): Choice[] {
  const navigate = useNavigate();
  const workspace = useWorkspace();
  const { mode, session, account } = workspace;
  const go = useGo();
  const signOut = useSignOut();
  const { setColorScheme } = useMantineColorScheme();
  const other = mode === 'test' ? 'live' : 'test';
  const others = session.accounts.filter(({ id }) => id !== account.id);
  return [
    ...pages
      .filter((page) => isOffered(page, workspace))
      .map(({ path, title, icon, search = {} }): Choice => {
        return {
          id: `page ${path}`,
          label: title,
          icon,
          run: () => void navigate({ to: `/${path}`, search: search as never }),
        };
      }),
    { id: 'mode', label: `Switch to ${other} mode`, icon: 'settings', run: () => go({ mode: other }) },
    ...others.map(
      ({ id, name }): Choice => ({ id, label: `Switch to ${name}`, icon: 'customers', run: () => go({ account: id }) }),
    ),
    { id: 'light', label: 'Light appearance', icon: 'sun', run: () => setColorScheme('light') },
    { id: 'dark', label: 'Dark appearance', icon: 'sun', run: () => setColorScheme('dark') },
    { id: 'reference', label: 'API reference', icon: 'reference', run: () => location.assign('/docs') },
    { id: 'out', label: 'Sign out', icon: 'out', run: signOut },
  ];
}

export function SearchButton() {
  return (
    <UnstyledButton
      className={style.search}
      onClick={spotlight.open}
      aria-label="Search"
      aria-keyshortcuts="/ Control+K"
    >
      <Icon name="search" size={14} />
      <span>Search</span>
      <Kbd size="xs" aria-hidden>
        /
      </Kbd>
    </UnstyledButton>
  );
}
