import { Kbd, UnstyledButton } from '@mantine/core';
import { lazy, Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { chunk } from '../../kit/chunk.ts';
import { Icon } from '../../kit/icon.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { isRemembered, remember } from './remembered.ts';
import style from './workbench.module.css';

const Panel = lazy(chunk(async () => ({ default: (await import('./panel.tsx')).Panel })));

/** For those who build with the API: the log, events, deliveries and a shell at the bottom of every page. */
export function Workbench() {
  const { may, has } = useWorkspace();
  return may('request_logs.list') && has('read_keys') ? <Dock /> : null;
}

function Dock() {
  const { isOpen, takesFocus, toggle, button } = useOpening();
  useShortcut(toggle);
  return (
    <>
      {!isOpen && (
        <UnstyledButton ref={button} className={style.opener} onClick={toggle} aria-keyshortcuts="Control+`">
          <Icon name="log" size={14} />
          <span>Workbench</span>
          <Kbd size="xs" aria-hidden>
            Ctrl `
          </Kbd>
        </UnstyledButton>
      )}
      {isOpen && (
        <Suspense fallback={null}>
          <Panel takesFocus={takesFocus} onClose={toggle} />
        </Suspense>
      )}
    </>
  );
}

/** Whether it is open is remembered. Who opens it is led into it, and back to where they were when it closes. */
function useOpening() {
  const [isOpen, setOpen] = useState(isRemembered);
  const [takesFocus, setTakesFocus] = useState(false);
  const before = useRef<Element | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const toggle = useCallback(() => {
    if (!isOpen) before.current = document.activeElement;
    setTakesFocus(!isOpen);
    remember(!isOpen);
    setOpen(!isOpen);
  }, [isOpen]);
  const wasOpen = useRef(isOpen);
  useEffect(() => {
    if (wasOpen.current && !isOpen) {
      const left = before.current;
      if (left instanceof HTMLElement && left.isConnected && left !== document.body) left.focus();
      else button.current?.focus();
    }
    wasOpen.current = isOpen;
  }, [isOpen]);
  return { isOpen, takesFocus, toggle, button };
}

/** Ctrl-`, by the place of the key: on many keyboards it is another letter. */
function useShortcut(toggle: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!event.ctrlKey || event.altKey || event.metaKey) return;
      if (event.key !== '`' && event.code !== 'Backquote') return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [toggle]);
}
