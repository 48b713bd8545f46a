import { ActionIcon, SegmentedControl, UnstyledButton } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { useLocation } from '@tanstack/react-router';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Icon } from '../../kit/icon.tsx';
import { DeliveriesTab } from './deliveries_tab.tsx';
import { EventsTab } from './events_tab.tsx';
import { Handle, usePanelHeight } from './height.tsx';
import { LogTab } from './log_tab.tsx';
import { takesFocus } from './opening.ts';
import { emptyDraft, type ShellDraft, ShellTab } from './shell_tab.tsx';
import { subjectOf } from './subject.ts';
import style from './workbench.module.css';

const tabs = { log: 'Log', events: 'Events', deliveries: 'Deliveries', shell: 'Shell' } as const;
type TabName = keyof typeof tabs;
const names = Object.keys(tabs) as TabName[];

/** The panel at the bottom of a page: what the page's object has to do with, or everything. */
export function Panel({ onClose }: { onClose(): void }) {
  const [remembered, setTab] = useLocalStorage<TabName>({
    key: 'tollgate.workbench.tab',
    defaultValue: 'log',
    getInitialValueInEffect: false,
  });
  const tab = names.includes(remembered) ? remembered : 'log';
  const { height, resize } = usePanelHeight();
  const { pathname } = useLocation();
  const [isWide, setWide] = useState(false);
  const [draft, setDraft] = useState(emptyDraft);
  const change = (changed: Partial<ShellDraft>) => setDraft((before) => ({ ...before, ...changed }));
  const here = subjectOf(pathname);
  const subject = isWide ? undefined : here;
  const id = useId();
  return (
    <aside aria-label="Workbench" className={style.panel} style={{ height }}>
      <Handle height={height} onResize={resize} />
      <header className={style.head}>
        <TabList id={id} tab={tab} onTab={setTab} />
        {here !== undefined && tab !== 'shell' && (
          <SegmentedControl
            visibleFrom="sm"
            size="xs"
            aria-label="What is shown"
            value={isWide ? 'all' : 'object'}
            onChange={(value) => setWide(value === 'all')}
            data={[
              { value: 'object', label: 'This object' },
              { value: 'all', label: 'Everything' },
            ]}
          />
        )}
        <ActionIcon variant="subtle" color="gray" ml="auto" aria-label="Close the workbench" onClick={onClose}>
          <Icon name="close" />
        </ActionIcon>
      </header>
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${tab}`}
        className={style.body}
        key={`${tab} ${subject}`}
      >
        {tab === 'log' && <LogTab subject={subject} />}
        {tab === 'events' && <EventsTab subject={subject} />}
        {tab === 'deliveries' && <DeliveriesTab subject={subject} />}
        {tab === 'shell' && <ShellTab subject={here} draft={draft} onDraft={change} />}
      </div>
    </aside>
  );
}

type TabListProps = { id: string; tab: TabName; onTab(tab: TabName): void };

/** The arrows go from tab to tab, as everywhere. */
function TabList({ id, tab, onTab }: TabListProps) {
  const list = useRef<HTMLDivElement>(null);
  const focus = (name: TabName) => list.current?.querySelector<HTMLElement>(`[data-tab=${name}]`)?.focus();
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (takesFocus()) focus(tab);
  }, []);
  const press = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 };
    const at = names.indexOf(tab);
    const to = event.key === 'Home' ? 0 : event.key === 'End' ? names.length - 1 : at + (steps[event.key] ?? 0);
    const name = names[(to + names.length) % names.length]!;
    if (name === tab) return;
    event.preventDefault();
    onTab(name);
    focus(name);
  };
  return (
    <div ref={list} role="tablist" aria-label="Workbench" className={style.tabs} onKeyDown={press}>
      {names.map((name) => (
        <Tab key={name} id={id} name={name} isChosen={name === tab} onChoose={() => onTab(name)}>
          {tabs[name]}
        </Tab>
      ))}
    </div>
  );
}

type TabProps = { id: string; name: TabName; isChosen: boolean; onChoose(): void; children: ReactNode };

function Tab({ id, name, isChosen, onChoose, children }: TabProps) {
  return (
    <UnstyledButton
      role="tab"
      id={`${id}-${name}`}
      data-tab={name}
      aria-selected={isChosen}
      aria-controls={isChosen ? `${id}-panel` : undefined}
      tabIndex={isChosen ? 0 : -1}
      className={style.tab}
      onClick={onChoose}
    >
      {children}
    </UnstyledButton>
  );
}
