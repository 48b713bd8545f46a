import type { Page, RequestLog, Tollgate } from '@tollgate/node';

type Params = Record<string, unknown> & { limit?: number; starting_after?: string; ending_before?: string };

/**
 * Unless somebody asks for more, what people have only read in the dashboard is left out: every page reads several times, and the log would
 * have little else. `all` is no value of the API.
 */
export function withoutOwnReads({ sent_by, ...params }: Params): Params {
  if (sent_by === 'all') return params;
  if (sent_by !== undefined) return { ...params, sent_by };
  return params.user === undefined ? { ...params, dashboard_reads: false } : params;
}

/**
 * A whole page of the log. With several filters the API stops after many requests that do not match, perhaps before it has found one:
 * then the search goes on from there, until the page is full or the log ends. Who leaves the page ends it.
 */
export async function loadRequests(
  api: Tollgate,
  params: Params,
  options: { signal: AbortSignal },
): Promise<Page<RequestLog>> {
  const isBackward = params.ending_before !== undefined;
  let page = await api.requestLogs.list(params, options);
  let found = page.data;
  while (page.searched_to !== undefined) {
    const position = isBackward ? { ending_before: page.searched_to } : { starting_after: page.searched_to };
    const rest = { ...params, ...position, limit: (params.limit ?? 10) - found.length };
    page = await api.requestLogs.list(rest, options);
    found = isBackward ? [...page.data, ...found] : [...found, ...page.data];
  }
  return { ...page, data: found };
}
