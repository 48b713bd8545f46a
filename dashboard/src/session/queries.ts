import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { AuthenticationError, ResponseError } from '@tollgate/node';
import { Signal } from './signal.ts';

export const sessionKey = ['session'];

/** What is refused because of a password or a code says nothing about the session. */
const ofSigningIn: readonly string[] = ['sign_in_failed', 'code_required'];

/** Whether the session of the person whose pages are shown is over: they can sign in again over the page. */
export const hasEnded = new Signal(false);

/** Whether something was refused because nobody is signed in. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof AuthenticationError && !ofSigningIn.includes(error.code);
}

export function endSession(): void {
  if (queries.getQueryData(sessionKey)) hasEnded.set(true);
  else queries.setQueryData(sessionKey, null);
}

/** A session may end at any time, whatever was asked. A role that has changed is read again. */
function onError(error: unknown): void {
  if (!(error instanceof ResponseError)) return;
  if (isSignedOut(error)) endSession();
  if (error.code === 'role_missing') void queries.invalidateQueries({ queryKey: sessionKey });
}

/** The SDK tries again by itself, so nothing is tried twice here. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: { queries: { retry: false, staleTime: 5_000 }, mutations: { retry: false } },
});
