import { UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { Link, useLocation } from '@tanstack/react-router';
import { type ReactNode, useEffect, useId, useRef } from 'react';
import { Icon } from '../kit/icon.tsx';
import { useAttention } from '../nouns/attention.ts';
import { countOf } from '../nouns/urgency.ts';
import { groups, isOffered, isWithin, type PageEntry, type PageGroup } from '../pages/index.ts';
import { useWorkspace } from '../session/workspace.tsx';
import style from './navigation.module.css';
import { WorkbenchButton } from './workbench/index.tsx';

/** The groups, with the pages that somebody can use. */
function useOffered(): readonly PageGroup[] {
  const workspace = useWorkspace();
  return groups
    .map((group) => ({ ...group, pages: group.pages.filter((page) => isOffered(page, workspace)) }))
    .filter(({ pages }) => pages.length > 0);
}

/** It can be longer than a screen: the link of the page that is shown comes into sight. */
export function Navigation() {
  const links = useRef<HTMLDivElement>(null);
  const { pathname } = useLocation();
  const offered = useOffered();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has another link
  useEffect(() => {
    links.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' });
  }, [pathname]);
  return (
    <div className={style.nav} ref={links}>
      {offered
        .filter(({ isOneEntry }) => !isOneEntry)
        .map((group) => (
          <NavigationGroup key={group.title ?? ''} {...group} />
        ))}
      <ul className={style.last}>
        <WorkbenchButton />
        {offered
          .filter(({ isOneEntry }) => isOneEntry)
          .map(({ title, pages }) => (
            <li key={title}>
              <Link
                to={`/${pages[0]!.path}` as string}
                data-active={pages.some((page) => isWithin(page, pathname)) || undefined}
              >
                <Icon name="settings" /> {title}
              </Link>
            </li>
          ))}
      </ul>
    </div>
  );
}

/** Under a title that folds it. The link of the page that is shown stays. */
function NavigationGroup({ title, pages }: PageGroup) {
  const [folded, setFolded] = useLocalStorage<readonly string[]>({
    key: 'tollgate.folded',
    defaultValue: [],
    getInitialValueInEffect: false,
  });
  const list = useId();
  const isFolded = title !== undefined && folded.includes(title);
  const toggle = () => setFolded(isFolded ? folded.filter((one) => one !== title) : [...folded, title!]);
  return (
    <div>
      {title !== undefined && (
        <h2>
          <UnstyledButton className={style.fold} aria-expanded={!isFolded} aria-controls={list} onClick={toggle}>
            {title}
            <span className={style.arrow}>
              <Icon name="down" size={12} />
            </span>
          </UnstyledButton>
        </h2>
      )}
      <ul id={list} data-folded={isFolded || undefined}>
        {pages.map((page) => (
          <li key={page.path}>
            <PageLink page={page}>{page.path === 'needs-attention' && <AttentionBadge />}</PageLink>
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
  );
}

function PageLink({ page: { path, title, icon, search }, children }: { page: PageEntry; children?: ReactNode }) {
  return (
    <Link
      to={`/${path}` as string}
      search={(search ?? {}) as never}
      activeOptions={{ exact: path === '', includeSearch: false }}
      activeProps={{ 'data-active': true }}
    >
      <Icon name={icon} /> {title}
      {children}
    </Link>
  );
}

/** Beside the pages of a group that is one entry of the navigation: the list of them. */
export function GroupFrame({ children }: { children: ReactNode }) {
  const { pathname } = useLocation();
  const group = useOffered().find(
    ({ isOneEntry, pages }) => isOneEntry && pages.some((page) => isWithin(page, pathname)),
  );
  if (group === undefined) return children;
  return (
    <div className={style.beside}>
      <nav aria-label={group.title} className={style.nav}>
        <ul>
          {group.pages.map((page) => (
            <li key={page.path}>
              <PageLink page={page} />
            </li>
          ))}
        </ul>
      </nav>
      <div className={style.page}>{children}</div>
    </div>
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
