import type { Clock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { PlacedBatcher } from '../../base/places/batchers.ts';
import type { SqlAt } from '../../base/places/sql_at.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Pool, query, type Sql } from '../../base/sql.ts';
import { installation } from '../../operations/caller.ts';
import { apiError } from '../errors.ts';

/** The window of a policy after a request was counted. */
export type RateState = {
  policy: string;
  limit: number;
  remaining: number;
  /** When the window resets, UTC epoch seconds. */
  reset: number;
  secondsLeft: number;
};

export const windowSeconds = 60;
const batchMax = 1_000;
/** Requests per minute. */
const personRate = 600;
const personPolicy = 'person';
export const accountPolicy = 'account';

/** `hint`: a sentence about how to raise the limit. */
export function rateRefusal(state: RateState, hint?: string) {
  const refused = apiError('rate_limited', {
    limit: state.limit,
    seconds: state.secondsLeft,
    headers: { 'Retry-After': String(state.secondsLeft) },
  });
  return hint === undefined ? refused : refused.saying(`${refused.message} ${hint}`);
}

/** A request to be counted in a window. `name` is the window's. */
type WantedWindow = { name: string; tenant: Tenant; bucket: string; limit: number };
export type Granted = { admitted: boolean; state: RateState };
/** `before` is how much of the window was used before the next request of the batch. */
type CountedWindow = { row: WindowRow; before: number };
type WindowRow = { tenant: number; bucket: string; used: number; start: number; now: number };

/**
 * Fixed windows of one minute, counted in the database and by its clock: exact over all instances, and not refilled by a restart.
 * Requests that arrive together are counted by one upsert. Once a window is used up, requests are refused from memory until it ends.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #endpointLimits: ReadonlyMap<string, number>;
  readonly #exhausted = new Map<string, { limit: number; until: number; reset: number }>();
  readonly #batcher: PlacedBatcher<WantedWindow, Granted>;

  constructor(relaxed: SqlAt, clock: Clock, endpointLimits: ReadonlyMap<string, number>) {
    this.#clock = clock;
    this.#endpointLimits = endpointLimits;
    this.#batcher = new PlacedBatcher(relaxed, {
      itemsMax: batchMax,
      tenantOf: ({ tenant }) => tenant,
      run: (sql, wanted) => this.#count(sql, wanted),
    });
  }

  /** Counts a request against the limit of its account and, if its operation has one, against that limit too. */
  take(tenant: Tenant, accountLimit: number, operation = ''): Promise<Granted> {
    const account = this.#one(wantedOf(tenant, '', accountLimit));
    const limit = this.#endpointLimits.get(operation);
    if (limit === undefined) return account;
    return Promise.all([account, this.#one(wantedOf(tenant, operation, limit))]).then(strictest);
  }

  /** People have separate windows: what they look at in the dashboard takes nothing from the limit of their account. */
  takeForPerson(user: string): Promise<Granted> {
    return this.#one(wantedOf(installation, `${personPolicy} ${user}`, personRate));
  }

  /** Counts a request against the limit of its operation alone; undefined if that has none. */
  takeForEndpoint(tenant: Tenant, operation: string): Promise<Granted> | undefined {
    const limit = this.#endpointLimits.get(operation);
    return limit === undefined ? undefined : this.#one(wantedOf(tenant, operation, limit));
  }

  #one(wanted: WantedWindow): Promise<Granted> {
    const exhausted = this.#exhausted.get(wanted.name);
    if (exhausted === undefined || exhausted.limit !== wanted.limit) return this.#batcher.add(wanted);
    const left = exhausted.until - this.#clock.monotonic();
    if (left <= 0) {
      this.#exhausted.delete(wanted.name);
      return this.#batcher.add(wanted);
    }
    return Promise.resolve({ admitted: false, state: stateOf(wanted, 0, exhausted.reset, left / 1_000) });
  }

  async #count(sql: Sql | Pool, all: readonly WantedWindow[]): Promise<Granted[]> {
    const sums = new Map<string, { wanted: WantedWindow; requests: number }>();
    for (const wanted of all) {
      const sum = sums.get(wanted.name);
      if (sum === undefined) sums.set(wanted.name, { wanted, requests: 1 });
      else sum.requests++;
    }
    const rows = await upsert(sql, [...sums.values()]);
    const windows = new Map<string, CountedWindow>();
    for (const row of rows) {
      const name = windowName(row);
      windows.set(name, { row, before: row.used - (sums.get(name)?.requests ?? 0) });
    }
    return all.map((wanted) => {
      const window = windows.get(wanted.name);
      assert(window, 'the upsert returns every window that was counted');
      return this.#grant(wanted, window);
    });
  }

  /** Gives out the rest of a window, in the order in which the requests arrived. */
  #grant(wanted: WantedWindow, window: CountedWindow): Granted {
    const { row } = window;
    const position = ++window.before;
    const reset = row.start + windowSeconds;
    const secondsLeft = Math.max(0, reset - row.now);
    if (row.used >= wanted.limit) {
      const until = this.#clock.monotonic() + secondsLeft * 1_000;
      this.#exhausted.set(wanted.name, { limit: wanted.limit, until, reset });
    }
    const remaining = Math.max(0, wanted.limit - position);
    return { admitted: position <= wanted.limit, state: stateOf(wanted, remaining, reset, secondsLeft) };
  }
}

/** Every instance locks the rows in key order, so that two instances cannot deadlock. */
function upsert(sql: Sql | Pool, sums: { wanted: WantedWindow; requests: number }[]): Promise<WindowRow[]> {
  return query<WindowRow>(
    sql,
    `insert into rate_windows as r (tenant, bucket, window_start, used)
     select x.tenant, x.bucket, date_trunc('minute', now()), x.used
       from unnest($1::int4[], $2::text[], $3::int4[]) as x (tenant, bucket, used)
      order by x.tenant, x.bucket
     on conflict (tenant, bucket) do update
        set window_start = greatest(r.window_start, excluded.window_start),
            used = excluded.used + case when r.window_start >= excluded.window_start then r.used else 0 end
     returning tenant, bucket, used, extract(epoch from window_start)::int8 as start, extract(epoch from now())::float8 as now`,
    [sums.map((s) => s.wanted.tenant), sums.map((s) => s.wanted.bucket), sums.map((s) => s.requests)],
    'rate_windows',
  );
}

/** Every window must admit a request. The answer shows the window with the least left. */
function strictest(grants: Granted[]): Granted {
  const nearest = grants.reduce((a, b) => (b.admitted < a.admitted || b.state.remaining < a.state.remaining ? b : a));
  return { admitted: grants.every((grant) => grant.admitted), state: nearest.state };
}

function wantedOf(tenant: Tenant, bucket: string, limit: number): WantedWindow {
  return { name: windowName({ tenant, bucket }), tenant, bucket, limit };
}

function windowName(window: { tenant: number; bucket: string }): string {
  return `${window.tenant}/${window.bucket}`;
}

function stateOf(wanted: WantedWindow, remaining: number, reset: number, secondsLeft: number): RateState {
  // The policy of a person is not named by the id.
  const policy = wanted.bucket === '' ? accountPolicy : wanted.bucket.split(' ', 1)[0]!;
  return { policy, limit: wanted.limit, remaining, reset, secondsLeft: Math.max(1, Math.ceil(secondsLeft)) };
}
