import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { AuthenticationError, ResponseError } from '@tollgate/node';

export const sessionKey = ['session'];

/** What is refused because of a password or a code says nothing about the session. */
const ofSigningIn: readonly string[] = ['sign_in_failed', 'code_required'];

/** A session that has ended leads to the sign-in page, whatever was asked. A role that has changed is read again. */
function onError(error: unknown): void {
  if (!(error instanceof ResponseError)) return;
  if (error instanceof AuthenticationError && !ofSigningIn.includes(error.code)) queries.setQueryData(sessionKey, null);
  if (error.code === 'role_missing') void queries.invalidateQueries({ queryKey: sessionKey });
}

/** The SDK tries again by itself, so nothing is tried twice here. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: { queries: { retry: false, staleTime: 5_000 }, mutations: { retry: false } },
});
