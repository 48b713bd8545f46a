import { useQuery } from '@tanstack/react-query';
import { AuthenticationError, type Session } from '@tollgate/node';
import { clientOf } from './client.ts';
import { dropDrafts } from './drafts.ts';
import { hasEnded, queries, sessionKey } from './queries.ts';
import { dropRecent } from './recent.ts';

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

const known = () => queries.getQueryData<Session | null>(sessionKey);
const isOther = ({ queryKey }: { queryKey: readonly unknown[] }) => queryKey[0] !== sessionKey[0];

/** Somebody may have signed in, or out, in another tab. The pages of a person stay while that person can sign in again. */
async function current(): Promise<Session | null> {
  try {
    const session = await visitor.sessions.current();
    settle(session);
    return session;
  } catch (error) {
    if (!(error instanceof AuthenticationError)) throw error;
    const before = known();
    if (before) hasEnded.set(true);
    return before ?? null;
  }
}

/** Of the person whose pages are shown: they go on. Of another one: what was read and typed before is forgotten. */
export function begin(session: Session): Promise<void> {
  return become(session);
}

/** After everything was signed out: in every tab of this person. */
export function forget(): Promise<void> {
  const user = known()?.user.id;
  if (user !== undefined) tabs.postMessage({ signedOut: user });
  return leave();
}

const tabs = new BroadcastChannel('tollgate.session');
tabs.onmessage = ({ data }: MessageEvent<{ signedOut: string }>) => {
  if (known()?.user.id === data.signedOut) void leave();
};

/** Whether somebody has signed out here. The next person begins on the home page. */
export let hasLeft = false;

function leave(): Promise<void> {
  hasLeft = true;
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
  settle(session);
  queries.setQueryData(sessionKey, session);
}

function settle(session: Session | null): void {
  const kept = session === null ? {} : { except: session.user.id };
  dropDrafts(kept);
  dropRecent(kept);
  if (known() && known()?.user.id !== session?.user.id) queries.removeQueries({ predicate: isOther });
  else if (hasEnded.get()) void queries.invalidateQueries({ predicate: isOther });
  if (session !== null) hasLeft = false;
  hasEnded.set(false);
}
