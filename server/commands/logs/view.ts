import type { RequestFilter } from '../../resources/views/request_logs/filter.ts';
import type { LoggedRequest } from '../../resources/views/request_logs/tail.ts';
import type { AccessOptions } from '../api/access.ts';

export type TailOptions = AccessOptions & {
  account?: string;
  status?: string;
  method?: string;
  operation?: string;
  path?: string;
  key?: string;
  since: string;
  limit: string;
  follow?: boolean;
  json?: boolean;
};

/** How many requests are shown at most. */
export const limitMax = 10_000;

/** What a tail of the request log shows. */
export type LogView = {
  filter: RequestFilter;
  limit: number;
  isFollowing: boolean;
  /** The newest, oldest first: all there is to show, unless it follows. */
  newest(found: readonly LoggedRequest[]): void;
  /** One that came later. */
  one(request: LoggedRequest): void;
};
