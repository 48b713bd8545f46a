import { Signal } from '../../session/signal.ts';

const openKey = 'tollgate.workbench';

/** Whether the panel is open, which the browser remembers. */
export const isWorkbenchOpen = new Signal(localStorage.getItem(openKey) === 'open');

let before: Element | null = null;
let isNew = false;

export function toggleWorkbench(): void {
  isNew = !isWorkbenchOpen.get();
  if (isNew) {
    before = document.activeElement;
    localStorage.setItem(openKey, 'open');
  } else localStorage.removeItem(openKey);
  isWorkbenchOpen.set(isNew);
}

/** Once for each opening: who opens it is led into it. Where it is open already, another page leaves the focus alone. */
export function takesFocus(): boolean {
  const takes = isNew;
  isNew = false;
  return takes;
}

/** To where somebody was before it opened, or to the page. */
export function focusBack(): void {
  const isThere = before instanceof HTMLElement && before.isConnected && before !== document.body;
  (isThere ? (before as HTMLElement) : document.getElementById('content'))?.focus({ preventScroll: true });
}
