import { useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
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

/** A state that belongs to a draft. */
export function useDrafted<Value>(draft: Draft, field: string, initial: Value | (() => Value)) {
  const [first] = useState(initial);
  const [value, setValue] = useState<Value>(() =>
    Object.hasOwn(draft.restored, field) ? (draft.restored[field] as Value) : first,
  );
  useEffect(() => draft.keep(field, value, first), [draft, field, value, first]);
  return [value, setValue] as const;
}
