import { setTimeout as sleep } from 'node:timers/promises';
import { firstIdAt, idTime } from '../../base/id.ts';
import type { RequestFilter } from '../../resources/views/request_logs/filter.ts';
import type { LoggedRequest } from '../../resources/views/request_logs/tail.ts';
import type { ApiAnswer, ApiClient } from '../api/client.ts';
import { withClient } from '../api/run.ts';
import { ServerPatience } from '../api/stream.ts';
import { parsePast } from '../usage.ts';
import type { LogView, TailOptions } from './view.ts';

const requestLogs = '/request_logs';
const pageRows = 100;
/** For the newest requests that pass a filter, so many pages are read. */
const pagesMax = 50;
/** The pause before each request while it follows: it uses twenty of the requests that the account has in a minute. */
const lookEveryMs = 3_000;
/** A request is logged when it has been answered, up to half a minute after it got its id: younger ones are read again. */
const overlapMs = 30_000;

/** The request log of the account that the key belongs to, from a server anywhere. */
export async function tailApi(
  options: TailOptions,
  { filter, limit, isFollowing, newest, one }: LogView,
): Promise<void> {
  parsePast('--since', options.since, Number.POSITIVE_INFINITY); // refuses what is no moment, before the server is asked
  await withClient(options, async (client) => {
    const log = new RequestLogReader(client, filter);
    const found = await log.last(parsePast('--since', options.since, await log.serverTime()), limit);
    newest(found);
    while (isFollowing) for await (const request of log.news()) one(request);
  });
}

/** The parameters of a list of requests that can do a part of the filtering. */
function queryOf({ statuses = [], classes = [], methods = [], operations = [], key }: RequestFilter) {
  const wanted = [...statuses.map(String), ...classes.map((digit) => `${digit}xx`)];
  return {
    ...(wanted.length === 1 && { status: wanted[0]! }),
    ...(methods.length === 1 && { method: methods[0]! }),
    ...(operations.length === 1 && { operation: operations[0]! }),
    ...(key !== undefined && { api_key: key }),
  };
}

/** The API filters by one value of each kind. This is for several, and for the beginning of a path. */
export function passes(
  filter: RequestFilter,
  { status, method, operation = '', path, api_key }: LoggedRequest,
): boolean {
  const { statuses, classes, methods, operations, pathBegins = '', key } = filter;
  const hasStatus = statuses === undefined && classes === undefined;
  return (
    (hasStatus || statuses?.includes(status) || classes?.includes(Math.floor(status / 100)) || false) &&
    (methods?.includes(method) ?? true) &&
    (operations?.includes(operation) ?? true) &&
    path.startsWith(pathBegins) &&
    (key === undefined || api_key === key)
  );
}

class RequestLogReader {
  readonly #client: ApiClient;
  readonly #filter: RequestFilter;
  readonly #patience: ServerPatience;
  /** Requests that were shown, and those of this command itself. */
  readonly #seen = new Set<string>();
  /** The time of the newest that was read, in epoch milliseconds. */
  #newest = 0;
  /** The first of the newest. What is older is no news, although the first look at news reads it. */
  #first = '';

  constructor(client: ApiClient, filter: RequestFilter) {
    this.#client = client;
    this.#filter = filter;
    this.#patience = new ServerPatience(client);
  }

  /** In epoch milliseconds: the clock of this machine may be wrong. */
  async serverTime(): Promise<number> {
    await this.#page({ limit: '1' });
    return this.#client.receivedAt;
  }

  /** The newest requests since a moment, oldest first. */
  async last(since: number, limit: number): Promise<LoggedRequest[]> {
    this.#newest = since;
    const found: LoggedRequest[] = [];
    let position: Record<string, string> = {};
    for (let pages = 0; found.length < limit; pages++) {
      if (pages === pagesMax) {
        console.error(
          `Only the newest ${pagesMax * pageRows} requests were compared: look back less far with --since.`,
        );
        break;
      }
      const page = await this.#page({ 'created[gte]': String(Math.floor(since / 1_000)), ...position });
      found.push(...this.#wantedOf(page));
      if (!page.has_more) break;
      position = { starting_after: page.searched_to ?? page.data.at(-1).id };
    }
    const last = found.slice(0, limit).reverse();
    if (last.length === limit) this.#first = last[0]!.id;
    return last;
  }

  /** Those that were logged since the last call. */
  async *news(): AsyncGenerator<LoggedRequest> {
    let after: string = firstIdAt('req', Math.max(0, this.#newest - overlapMs));
    for (let hasMore = true; hasMore; ) {
      await sleep(lookEveryMs);
      const page = await this.#page({ ending_before: after });
      for (const request of this.#wantedOf(page).reverse()) if (request.id > this.#first) yield request;
      after = page.searched_to ?? page.data[0]?.id ?? after;
      hasMore = page.has_more;
    }
    this.#first = '';
    for (const id of this.#seen) if (idTime(id) < this.#newest - 2 * overlapMs) this.#seen.delete(id);
  }

  async #page(query: Record<string, string>): Promise<ApiAnswer> {
    const all = { ...queryOf(this.#filter), limit: String(pageRows), ...query };
    const pairs = Object.entries(all).map(([name, value]) => ({ name, value }));
    const call = { method: 'GET', path: requestLogs, pairs };
    const { answer, requestId } = await this.#patience.until(() => this.#client.answered(call));
    if (requestId !== undefined) this.#seen.add(requestId);
    return answer;
  }

  /** Newest first, as the API lists them. */
  #wantedOf({ data }: ApiAnswer): LoggedRequest[] {
    const unseen = (data as ApiAnswer[]).filter(({ id }) => !this.#seen.has(id)).map(shown);
    for (const { id } of data) {
      this.#seen.add(id);
      this.#newest = Math.max(this.#newest, idTime(id));
    }
    return unseen.filter((request) => passes(this.#filter, request));
  }
}

/** As commands show a request, wherever it was read. */
function shown(answer: ApiAnswer): LoggedRequest {
  const { object: _, error_code, error_param, error_message, address: _from, parameters: _sent, ...request } = answer;
  return {
    ...request,
    ...(error_code !== undefined && { code: error_code }),
    ...(error_param !== undefined && { param: error_param }),
    ...(error_message !== undefined && { message: error_message }),
  };
}
