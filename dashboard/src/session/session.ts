import { useQuery } from '@tanstack/react-query';
import { AuthenticationError, type Session } from '@tollgate/node';
import { clientOf } from './client.ts';
import { queries, sessionKey } from './queries.ts';

/** The client of somebody who has not signed in yet. */
export const visitor = clientOf({});

/**
 * Null when nobody is signed in; undefined until that is known. A person who returns to the tab may have another role by now. Asking at
 * intervals would keep the session of somebody who has left.
 */
export function useSession() {
  return useQuery<Session | null>({
    queryKey: sessionKey,
    queryFn: current,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: ({ state }) => (state.data ? 'always' : false),
  });
}

async function current(): Promise<Session | null> {
  try {
    return await visitor.sessions.current();
  } catch (error) {
    if (error instanceof AuthenticationError) return null;
    throw error;
  }
}

/** What was read for somebody else is forgotten. */
export function begin(session: Session): Promise<void> {
  return become(session);
}

/** After everything was signed out. */
export function forget(): Promise<void> {
  return become(null);
}

/** Whatever the gateway answers, this tab forgets: a session that it does not know has ended already. */
export function useSignOut(): () => void {
  const { data } = useSession();
  return () => {
    const session = { csrfToken: data?.csrf_token };
    void clientOf(session).sessions.end().finally(forget);
  };
}

/** A question that is still under way would answer for the session before. */
async function become(session: Session | null): Promise<void> {
  await queries.cancelQueries({ queryKey: sessionKey });
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
  queries.setQueryData(sessionKey, session);
}
