import { useNavigate } from '@tanstack/react-router';
import type { MouseEvent } from 'react';

/** What a row does that leads to a page: a click goes there, with Ctrl, Cmd or the middle button in another tab, as a link does. */
export function useRowOpening(): (path: string | undefined) => object {
  const navigate = useNavigate();
  return (path) => {
    if (path === undefined) return {};
    const open = (event: MouseEvent<HTMLElement>) => {
      // A link or a button in the row does what it says; selected text stays selected.
      if ((event.target as Element).closest('a, button') || String(getSelection()) !== '' || event.button > 1) return;
      const isElsewhere = event.button === 1 || event.ctrlKey || event.metaKey;
      // The link that the row is called by knows its whole address.
      const link = event.currentTarget.querySelector('a');
      if (isElsewhere && link !== null) window.open(link.href, '_blank', 'noopener');
      else if (!isElsewhere) void navigate({ to: path });
    };
    return { 'data-link': true, onClick: open, onAuxClick: open };
  };
}
