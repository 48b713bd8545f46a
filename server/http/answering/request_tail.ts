import { firstIdAt, idTime } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import type { Sql } from '../../base/sql.ts';

/** A request is logged when it has been answered, up to half a minute after it got its id: younger ones are read again. */
const overlapMs = 60_000;

const rememberMax = 100_000;

/** A request as the log has it. */
export type LoggedRequest = {
  id: string;
  method: string;
  path: string;
  operation?: string;
  status: number;
  code?: string;
  duration_ms: number;
  api_key?: string;
  object_id?: string;
  idempotency_key?: string;
  created: number;
};

export type RequestFilter = {
  /** Exact statuses, and classes by their first digit. */
  statuses?: readonly number[];
  classes?: readonly number[];
  methods?: readonly string[];
  operations?: readonly string[];
  /** How the path begins. */
  path?: string;
  key?: string;
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
    const { statuses, classes, methods, operations, path, key } = this.#filter;
    const { rows } = await client.query<LoggedRequest>(
      `select id, method, path, operation, status, code, round(duration_us / 1000.0)::int4 as duration_ms, api_key, object_id,
              idempotency_key, floor(extract(epoch from at))::int8 as created
         from requests
        where tenant = $1 and id >= $2 and at >= $3
          and ($4::int4[] is null or status = any($4) or status / 100 = any($5::int4[]))
          and ($6::text[] is null or method = any($6)) and ($7::text[] is null or operation = any($7))
          and ($8::text is null or starts_with(path, $8)) and ($9::text is null or api_key = $9)
          and not id = any($10::text[])
        order by id desc limit $11`,
      [
        this.#tenant,
        firstIdAt('req', since),
        new Date(since - overlapMs),
        statuses ?? (classes === undefined ? null : []),
        classes ?? [],
        methods ?? null,
        operations ?? null,
        path ?? null,
        key ?? null,
        [...this.#seen],
        limit,
      ],
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
function shown(row: LoggedRequest): LoggedRequest {
  const present = Object.entries(row).filter(([, value]) => value !== null);
  return { ...Object.fromEntries(present), created: Number(row.created) } as LoggedRequest;
}
