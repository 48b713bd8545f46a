import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { type Draft, draftKey, openDraft } from '../session/drafts.ts';
import { useWorkspace } from '../session/workspace.tsx';

/** `name`: of the form, on the page that shows it. */
export function useDraft(name: string): Draft {
  const { session, account, mode } = useWorkspace();
  const { pathname } = useLocation();
  const [draft] = useState(() =>
    openDraft(draftKey(session.user.id, [account.id, mode, pathname, name]), sessionStorage),
  );
  return draft;
}
