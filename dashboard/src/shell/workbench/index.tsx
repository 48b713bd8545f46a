import { Kbd, UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { chunk } from '../../kit/chunk.ts';
import { Icon } from '../../kit/icon.tsx';
import { useSignal } from '../../session/signal.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { focusBack, isWorkbenchOpen, toggleWorkbench } from './opening.ts';

const Panel = lazy(chunk(async () => ({ default: (await import('./panel.tsx')).Panel })));

/** For those who build with the API: the log, events, deliveries and a shell at the bottom of every page. */
export function Workbench() {
  return useHasWorkbench() ? <Dock /> : null;
}

function useHasWorkbench(): boolean {
  const { may, has } = useWorkspace();
  return may('request_logs.list') && has('read_keys');
}

function Dock() {
  const isOpen = useSignal(isWorkbenchOpen);
  const wasOpen = useRef(isOpen);
  useShortcut();
  useEffect(() => {
    if (wasOpen.current && !isOpen) focusBack();
    wasOpen.current = isOpen;
  }, [isOpen]);
  if (!isOpen) return null;
  return (
    <Suspense fallback={null}>
      <Panel onClose={toggleWorkbench} />
    </Suspense>
  );
}

/** An entry of the navigation, where it covers nothing. */
export function WorkbenchButton() {
  const isOpen = useSignal(isWorkbenchOpen);
  if (!useHasWorkbench()) return null;
  return (
    <li>
      <UnstyledButton onClick={toggleWorkbench} aria-expanded={isOpen} aria-keyshortcuts="Control+`">
        <Icon name="log" /> Workbench
        <Kbd size="xs" ml="auto" visibleFrom="sm" aria-hidden>
          Ctrl `
        </Kbd>
      </UnstyledButton>
    </li>
  );
}

/** Ctrl-`, by the place of the key: on many keyboards it is another letter. */
function useShortcut(): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key !== '`' && event.code !== 'Backquote') return;
      event.preventDefault();
      toggleWorkbench();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
}
