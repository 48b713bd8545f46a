import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { ConnectionError, type Tollgate } from '@tollgate/node';
import { isSignedOut } from '../session/queries.ts';
import { useWorkspace } from '../session/workspace.tsx';

type Reader<Result> = (api: Tollgate, options: { signal: AbortSignal }) => PromiseLike<Result>;
type ReadOptions = {
  isEnabled?: boolean;
  /** Shows what was there until the new page is. */
  keeps?: boolean;
  /** Reads again after so many milliseconds, while somebody sees the page. */
  everyMs?: number | undefined;
};

/** Reads by the API. The key names what is read; account and mode belong to it. */
export function useRead<Result>(key: readonly unknown[], read: Reader<Result>, options: ReadOptions = {}) {
  const { api, account, mode } = useWorkspace();
  const query = useQuery({
    queryKey: [account.id, mode, ...key],
    queryFn: async ({ signal }) => await read(api, { signal }),
    enabled: options.isEnabled ?? true,
    ...(options.everyMs !== undefined && { refetchInterval: options.everyMs }),
    ...(options.keeps && { placeholderData: keepPreviousData }),
  });
  // What was read before stays: the frame of the page says that the gateway cannot be reached, or that the session has ended.
  const isAsked = query.error instanceof ConnectionError || isSignedOut(query.error);
  const isCovered = query.data !== undefined && isAsked;
  return isCovered ? ({ ...query, error: null } as typeof query) : query;
}

/** After a change: everything that is shown of this account is read again. */
export function useRefresh(): () => Promise<void> {
  const { account, mode } = useWorkspace();
  const queries = useQueryClient();
  return () => queries.invalidateQueries({ queryKey: [account.id, mode] });
}
