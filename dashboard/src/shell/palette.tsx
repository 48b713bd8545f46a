import { Kbd, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Spotlight, type SpotlightActionGroupData, spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon } from '../kit/icon.tsx';
import { pages, pathOfId } from '../pages/index.ts';
import { usePlace } from '../session/place.tsx';
import { useSignOut } from '../session/session.ts';
import { useGo } from './mode.tsx';
import style from './palette.module.css';

/** Everything by the keyboard: Ctrl-K and / open it. An id that is typed or pasted leads to its object. */
export function Palette() {
  const [query, setQuery] = useState('');
  const actions = [...useFound(query), ...useActions()];
  return (
    <Spotlight
      actions={actions}
      query={query}
      onQueryChange={setQuery}
      shortcut={['mod + K', '/']}
      nothingFound="Nothing found"
      highlightQuery
      scrollable
      maxHeight={420}
      searchProps={{
        leftSection: <Icon name="search" />,
        placeholder: 'Paste an id, or type what to do',
        'aria-label': 'Search',
      }}
    />
  );
}

/** The object whose id was typed. */
function useFound(query: string): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const id = query.trim();
  const path = pathOfId(id);
  if (path === undefined) return [];
  const open = {
    id: `open ${id}`,
    label: id,
    description: 'Open',
    keywords: [id],
    onClick: () => void navigate({ to: path as string }),
  };
  return [{ group: 'Found', actions: [open] }];
}

function useActions(): SpotlightActionGroupData[] {
  const navigate = useNavigate();
  const { mode, session, account } = usePlace();
  const go = useGo();
  const signOut = useSignOut();
  const { setColorScheme } = useMantineColorScheme();
  const other = mode === 'test' ? 'live' : 'test';
  const built = pages.filter(({ load }) => load !== undefined);
  const doing = [
    { id: 'mode', label: `Switch to ${other} mode`, onClick: () => go({ mode: other }) },
    ...session.accounts
      .filter(({ id }) => id !== account.id)
      .map(({ id, name }) => ({ id, label: `Switch to ${name}`, onClick: () => go({ account: id }) })),
    { id: 'light', label: 'Light colours', onClick: () => setColorScheme('light') },
    { id: 'dark', label: 'Dark colours', onClick: () => setColorScheme('dark') },
    { id: 'reference', label: 'Open the API reference', onClick: () => location.assign('/docs') },
    { id: 'out', label: 'Sign out', onClick: signOut },
  ];
  return [
    {
      group: 'Pages',
      actions: built.map(({ path, title, icon }) => ({
        id: `page ${path}`,
        label: title,
        leftSection: <Icon name={icon} />,
        onClick: () => void navigate({ to: `/${path}` as string }),
      })),
    },
    { group: 'Actions', actions: doing },
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
      <Kbd size="xs">/</Kbd>
    </UnstyledButton>
  );
}
