import type { MemberAccount, Session } from '@tollgate/node';
import { Tollgate } from '@tollgate/node';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { type Mode, may, type Right } from './rights.ts';

/** Where somebody works: an account, in one of its modes. */
export type Workspace = {
  session: Session;
  account: MemberAccount;
  mode: Mode;
  api: Tollgate;
  /** Whether the role has the right here. */
  may(right: Right): boolean;
  go(to: { account?: string; mode?: Mode }): void;
};

const WorkspaceContext = createContext<Workspace | undefined>(undefined);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === undefined) throw new Error('this page needs an account');
  return workspace;
}

/** Each tab has its own; a new tab begins where the last one was. */
const storedAs = 'tollgate.place';
type Stored = { account?: string; mode?: Mode };

function readStored(): Stored {
  try {
    return JSON.parse(sessionStorage.getItem(storedAs) ?? localStorage.getItem(storedAs) ?? '{}');
  } catch {
    return {};
  }
}

function store(stored: Stored): void {
  for (const storage of [sessionStorage, localStorage]) storage.setItem(storedAs, JSON.stringify(stored));
}

/** Where somebody worked last in this browser: of several users with one email and one password, it is the one with a role there. */
export function lastAccount(): string | undefined {
  return readStored().account;
}

/** Before the pages are shown: they begin in this account. */
export function beginIn(account: string): void {
  store({ ...readStored(), account });
}

export function WorkspaceProvider({ session, children }: { session: Session; children: ReactNode }) {
  const [stored, setStored] = useState(readStored);
  const account = session.accounts.find(({ id }) => id === stored.account) ?? session.accounts[0];
  const mode: Mode = stored.mode === 'live' ? 'live' : 'test';
  const workspace = useMemo<Workspace | undefined>(() => {
    if (account === undefined) return undefined;
    const named = { account: account.id, mode, csrfToken: session.csrf_token };
    return {
      session,
      account,
      mode,
      api: new Tollgate({ baseUrl: location.origin, session: named }),
      may: (right) => may(account.role, mode, right),
      go(to) {
        const next = { account: account.id, mode, ...to };
        store(next);
        setStored(next);
      },
    };
  }, [session, account, mode]);
  return <WorkspaceContext.Provider value={workspace}>{children}</WorkspaceContext.Provider>;
}
