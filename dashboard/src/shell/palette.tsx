import { Kbd, Modal, UnstyledButton, useMantineColorScheme } from '@mantine/core';
import { Spotlight, spotlight } from '@mantine/spotlight';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Icon, type IconName } from '../kit/icon.tsx';
import { pages, pathOfId } from '../pages/index.ts';
import { usePlace } from '../session/place.tsx';
import { useSignOut } from '../session/session.ts';
import { useGo } from './mode.tsx';
import style from './palette.module.css';

type Choice = { id: string; label: string; icon: IconName; run(): void };

/** Everything by the keyboard: Ctrl-K and / open it. An id that is typed or pasted leads to its object. */
export function Palette() {
  const [query, setQuery] = useState('');
  const wanted = query.trim().toLowerCase();
  const fitting = useChoices().filter(({ label }) => label.toLowerCase().includes(wanted));
  const choices = [...useFound(query.trim()), ...fitting];
  return (
    <Spotlight.Root query={query} onQueryChange={setQuery} shortcut={['mod + K', '/']} scrollable maxHeight={420}>
      <Modal.Title className="heard">Search</Modal.Title>
      <Spotlight.Search
        aria-label="Search"
        placeholder="Paste an id, or type what to do"
        leftSection={<Icon name="search" />}
      />
      <Spotlight.ActionsList>
        {choices.map(({ id, label, icon, run }) => (
          <Spotlight.Action key={id} label={label} leftSection={<Icon name={icon} />} onClick={run} />
        ))}
        {choices.length === 0 && <Spotlight.Empty>Nothing found</Spotlight.Empty>}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

/** The object whose id was typed. */
function useFound(id: string): Choice[] {
  const navigate = useNavigate();
  const path = pathOfId(id);
  return path === undefined
    ? []
    : [{ id, label: `Open ${id}`, icon: 'search', run: () => void navigate({ to: path }) }];
}

/** The pages, and what can be done anywhere. */
function useChoices(): Choice[] {
  const navigate = useNavigate();
  const { mode, session, account } = usePlace();
  const go = useGo();
  const signOut = useSignOut();
  const { setColorScheme } = useMantineColorScheme();
  const other = mode === 'test' ? 'live' : 'test';
  const built = pages.filter(({ load }) => load !== undefined);
  const others = session.accounts.filter(({ id }) => id !== account.id);
  return [
    ...built.map(({ path, title, icon }): Choice => {
      return { id: `page ${path}`, label: title, icon, run: () => void navigate({ to: `/${path}` }) };
    }),
    { id: 'mode', label: `Switch to ${other} mode`, icon: 'settings', run: () => go({ mode: other }) },
    ...others.map(
      ({ id, name }): Choice => ({ id, label: `Switch to ${name}`, icon: 'customers', run: () => go({ account: id }) }),
    ),
    { id: 'light', label: 'Light colours', icon: 'sun', run: () => setColorScheme('light') },
    { id: 'dark', label: 'Dark colours', icon: 'sun', run: () => setColorScheme('dark') },
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
