import { useRouteContext } from '@tanstack/react-router';
import type { MemberAccount, Session, Tollgate } from '@tollgate/node';
import { createContext, type ReactNode, useContext, useEffect, useMemo } from 'react';
import { clientOf } from './client.ts';
import { addressIn, belowBase, history, keepPlace, type Place, pageIn } from './place.ts';
import { hasRight, type Mode, may, type OperationName, type Right, whoMay } from './rights.ts';

/** Where somebody works: an account, in one of its modes. */
export type Workspace = {
  session: Session;
  account: MemberAccount;
  mode: Mode;
  api: Tollgate;
  /** Whether the role may call an operation here. */
  may(operation: OperationName): boolean;
  /** Whether the role has a right here. */
  has(right: Right): boolean;
  /** Those who may call an operation here, as the subject of a sentence. */
  whoMay(operation: OperationName): string;
  /** The address of a page in another account or mode. */
  addressIn(to: Partial<Place>, path: string): string;
  /** To a page there; without one, to the same. */
  go(to: Partial<Place>, path?: string): void;
};

const WorkspaceContext = createContext<Workspace | undefined>(undefined);

export function useWorkspace(): Workspace {
  const workspace = useContext(WorkspaceContext);
  if (workspace === undefined) throw new Error('this page needs an account');
  return workspace;
}

/** The place of the page that is shown: while another one loads, it is still that of this one. */
export function usePlace(): Place | undefined {
  return useRouteContext({ strict: false, select: ({ place }: { place?: Place }) => place });
}

type ProviderProps = { session: Session; account: MemberAccount; mode: Mode; children: ReactNode };

export function WorkspaceProvider({ session, account, mode, children }: ProviderProps) {
  useEffect(() => keepPlace({ account: account.id, mode }), [account.id, mode]);
  const workspace = useMemo<Workspace>(() => {
    const place = { account: account.id, mode };
    return {
      session,
      account,
      mode,
      api: clientOf({ ...place, csrfToken: session.csrf_token }),
      may: (operation) => may(account.role, mode, operation),
      has: (right) => hasRight(account.role, mode, right),
      whoMay: (operation) => whoMay(mode, operation),
      addressIn: (to, path) => addressIn({ ...place, ...to }, path),
      go: (to, path = pageIn(belowBase(history.location.pathname))) =>
        history.push(addressIn({ ...place, ...to }, path)),
    };
  }, [session, account, mode]);
  return <WorkspaceContext.Provider value={workspace}>{children}</WorkspaceContext.Provider>;
}
