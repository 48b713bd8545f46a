import { createdSeconds, firstIdAt, idTime } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Sql } from '../../../base/sql.ts';
import { withoutNulls } from '../../../operations/serializer.ts';
import { conditionsOf, type RequestFilter } from './filter.ts';
import { durationMs, type StoredRequest } from './request.ts';
import { requestColumns } from './store.ts';

/** A request is logged when it has been answered, up to half a minute after it got its id: younger ones are read again. */
const overlapMs = 60_000;

const rememberMax = 100_000;

/** A request as a command shows it. */
export type LoggedRequest = {
  id: string;
  method: string;
  path: string;
  operation?: string;
  status: number;
  code?: string;
  param?: string;
  message?: string;
  duration_ms: number;
  api_key?: string;
  user?: string;
  object_id?: string;
  idempotency_key?: string;
  created: number;
};

/** Follows the request log of a tenant: each request that passes the filter once. */
export class RequestTail {
  readonly #tenant: Tenant;
  readonly #filter: RequestFilter;
  #newest: number;
  readonly #seen = new Set<string>();
  /** The first of the newest. What is older is no news, although the first look at news reads it again. */
  #first: string | undefined;

  /** `start` in epoch milliseconds. */
  constructor(tenant: Tenant, start: number, filter: RequestFilter) {
    this.#tenant = tenant;
    this.#filter = filter;
    this.#newest = start;
  }

  /** The newest requests since the start, oldest first. */
  async last(client: Sql, limit: number): Promise<LoggedRequest[]> {
    const start = firstIdAt('req', this.#newest);
    const found = await this.#read(client, this.#newest, limit);
    this.#first = found.length === limit ? found[0]!.id : start;
    return found;
  }

  /** Those that were logged since the last call. */
  async news(client: Sql, limit: number): Promise<LoggedRequest[]> {
    const first = this.#first;
    this.#first = undefined;
    const found = await this.#read(client, this.#newest - overlapMs, first === undefined ? limit : rememberMax);
    return first === undefined ? found : found.filter(({ id }) => id > first);
  }

  /** By the index on tenant and id; the time limits the partitions that are looked into. */
  async #read(client: Sql, since: number, limit: number): Promise<LoggedRequest[]> {
    const values: unknown[] = [
      this.#tenant,
      firstIdAt('req', since),
      new Date(since - overlapMs),
      [...this.#seen],
      limit,
    ];
    const conditions = conditionsOf(this.#filter, (value) => `$${values.push(value)}`);
    const { rows } = await client.query<StoredRequest>(
      `select ${requestColumns} from requests
        where tenant = $1 and id >= $2 and at >= $3 and not id = any($4::text[])
          ${conditions.map((condition) => `and ${condition}`).join(' ')}
        order by id desc limit $5`,
      values,
    );
    return this.#remembered(rows.reverse().map(shown));
  }

  #remembered(found: LoggedRequest[]): LoggedRequest[] {
    for (const { id } of found) {
      this.#seen.add(id);
      this.#newest = Math.max(this.#newest, idTime(id));
    }
    for (const id of this.#seen) if (idTime(id) < this.#newest - overlapMs) this.#seen.delete(id);
    return found;
  }
}

/** What a request does not have is left out, as in the API. */
function shown(row: StoredRequest): LoggedRequest {
  const {
    id,
    method,
    path,
    operation,
    status,
    code,
    param,
    message,
    api_key,
    user_id: user,
    object_id,
    idempotency_key,
  } = row;
  const request = {
    id,
    method,
    path,
    operation,
    status,
    code,
    param,
    message,
    duration_ms: durationMs(row),
    api_key,
    user,
    object_id,
  };
  return withoutNulls({ ...request, idempotency_key, created: createdSeconds(id) }) as LoggedRequest;
}
