import { Stack } from '@mantine/core';
import { Link, useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Icon } from '../kit/icon.tsx';
import { useAttention } from '../nouns/attention.ts';
import { countOf } from '../nouns/urgency.ts';
import { groups, isOffered } from '../pages/index.ts';
import { useWorkspace } from '../session/workspace.tsx';
import style from './navigation.module.css';

/** It is longer than most screens: the link of the page that is shown comes into sight. */
export function Navigation() {
  const links = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  const workspace = useWorkspace();
  const offered = groups
    .map(({ title, pages }) => ({ title, pages: pages.filter((page) => isOffered(page, workspace)) }))
    .filter(({ pages }) => pages.length > 0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another link
  useEffect(() => {
    links.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
  return (
    <Stack gap="md" className={style.nav} ref={links}>
      {offered.map(({ title, pages }) => (
        <div key={title ?? ''}>
          {title !== undefined && <h2>{title}</h2>}
          <ul>
            {pages.map(({ path, title: name, icon, search }) => (
              <li key={path}>
                <Link
                  to={`/${path}` as string}
                  search={(search ?? {}) as never}
                  activeOptions={{ exact: path === '', includeSearch: false }}
                  activeProps={{ 'data-active': true }}
                >
                  <Icon name={icon} /> {name}
                  {path === 'needs-attention' && <AttentionBadge />}
                </Link>
              </li>
            ))}
            {title === 'Developers' && (
              <li>
                <a href="/docs">
                  <Icon name="reference" /> API reference
                </a>
              </li>
            )}
          </ul>
        </div>
      ))}
    </Stack>
  );
}

/** How much waits for a person. Nothing where nothing does. */
function AttentionBadge() {
  const { data } = useAttention();
  if (data === undefined || data.data.length === 0) return null;
  return (
    <span className={style.badge}>
      {countOf(data.counts)}
      <span className="visually-hidden"> waiting</span>
    </span>
  );
}
