import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';
import { AuthenticationError } from '@tollgate/node';

export const sessionKey = ['session'];

/** A session that has ended leads to the sign-in page, whatever was asked. */
function onError(error: unknown): void {
  if (error instanceof AuthenticationError) queries.setQueryData(sessionKey, null);
}

/** The SDK tries again by itself, so nothing is tried twice here. */
export const queries: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: { queries: { retry: false, staleTime: 5_000 }, mutations: { retry: false } },
});
