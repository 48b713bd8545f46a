import { Batcher } from '../../base/batcher.ts';
import type { Clock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Pool, query } from '../../base/sql.ts';
import { refusal } from '../errors.ts';

/** One window of one policy, as a request leaves it. */
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

export function rateRefusal(state: RateState) {
  return refusal('rate_limited', {
    limit: state.limit,
    seconds: state.secondsLeft,
    headers: { 'Retry-After': String(state.secondsLeft) },
  });
}

/** A request for a place in a window. `name` is the window's. */
type WantedWindow = { name: string; tenant: Tenant; bucket: string; limit: number };
export type Granted = { admitted: boolean; state: RateState };
type WindowRow = { tenant: number; bucket: string; used: number; start: number; now: number };

/**
 * Fixed windows of a minute, counted in the database by its clock: exact over all instances, and a restart does not refill them.
 * Everything that asks in the same moment is one upsert. A window that is used up is refused from memory until it ends.
 */
export class RateLimiter {
  readonly #pool: Pool;
  readonly #clock: Clock;
  readonly #endpointLimits: ReadonlyMap<string, number>;
  readonly #exhausted = new Map<string, { limit: number; until: number; reset: number }>();
  readonly #batcher = new Batcher<WantedWindow, Granted>({ itemsMax: batchMax, run: (wanted) => this.#count(wanted) });

  constructor(pool: Pool, clock: Clock, endpointLimits: ReadonlyMap<string, number>) {
    this.#pool = pool;
    this.#clock = clock;
    this.#endpointLimits = endpointLimits;
  }

  /** Counts a request against its account and, where the endpoint has a limit of its own, against that. */
  take(tenant: Tenant, accountLimit: number, operation = ''): Promise<Granted> {
    const account = this.#one(wantedOf(tenant, '', accountLimit));
    const limit = this.#endpointLimits.get(operation);
    if (limit === undefined) return account;
    return Promise.all([account, this.#one(wantedOf(tenant, operation, limit))]).then(strictest);
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

  async #count(all: WantedWindow[]): Promise<Granted[]> {
    const sums = new Map<string, { wanted: WantedWindow; requests: number }>();
    for (const wanted of all) {
      const sum = sums.get(wanted.name);
      if (sum === undefined) sums.set(wanted.name, { wanted, requests: 1 });
      else sum.requests++;
    }
    const windows = await this.#upsert([...sums.values()]);
    return all.map((wanted) => {
      const window = windows.get(wanted.name);
      assert(window, 'every window that was asked for is counted');
      return this.#grant(wanted, window);
    });
  }

  /** Rows are taken in key order by everybody, so that two instances cannot deadlock. */
  async #upsert(
    sums: { wanted: WantedWindow; requests: number }[],
  ): Promise<Map<string, { before: number; row: WindowRow }>> {
    const rows = await query<WindowRow>(
      this.#pool,
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
    const requestsOf = new Map(sums.map(({ wanted, requests }) => [wanted.name, requests]));
    return new Map(
      rows.map((row) => [windowName(row), { before: row.used - (requestsOf.get(windowName(row)) ?? 0), row }]),
    );
  }

  /** Gives out what is left of a window, in the order of arrival. */
  #grant(wanted: WantedWindow, window: { before: number; row: WindowRow }): Granted {
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

/** Both windows must admit a request. The answer shows the one that is nearer to its end. */
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
  const policy = wanted.bucket === '' ? 'account' : wanted.bucket;
  return { policy, limit: wanted.limit, remaining, reset, secondsLeft: Math.max(1, Math.ceil(secondsLeft)) };
}
