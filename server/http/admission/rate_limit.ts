import ipaddr from 'ipaddr.js';
import { Batcher } from '../../base/batcher.ts';
import type { Clock } from '../../base/clock.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Pool, query } from '../../base/sql.ts';
import { standardRate } from '../../resources/accounts/account.ts';
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

const windowSeconds = 60;
const batchMax = 1_000;

export function rateRefusal(state: RateState) {
  return refusal('rate_limited', {
    limit: state.limit,
    seconds: state.secondsLeft,
    headers: { 'Retry-After': String(state.secondsLeft) },
  });
}

type Wanted = { tenant: Tenant; bucket: string; limit: number };
type Granted = { admitted: boolean; state: RateState };
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
  readonly #batcher = new Batcher<Wanted, Granted>({ itemsMax: batchMax, run: (wanted) => this.#count(wanted) });

  constructor(pool: Pool, clock: Clock, endpointLimits: ReadonlyMap<string, number>) {
    this.#pool = pool;
    this.#clock = clock;
    this.#endpointLimits = endpointLimits;
  }

  /** Counts a request against its account and, where the endpoint has a limit of its own, against that. */
  async take(tenant: Tenant, accountLimit: number, operation: string | undefined): Promise<Granted> {
    const own = operation === undefined ? undefined : this.#endpointLimits.get(operation);
    const account = this.#one({ tenant, bucket: '', limit: accountLimit });
    if (own === undefined) return account;
    const grants = await Promise.all([account, this.#one({ tenant, bucket: operation!, limit: own })]);
    // The answer shows the policy that is nearest to being hit.
    const nearest = grants.reduce((a, b) => (b.admitted < a.admitted || b.state.remaining < a.state.remaining ? b : a));
    return { admitted: grants.every((grant) => grant.admitted), state: nearest.state };
  }

  #one(wanted: Wanted): Promise<Granted> {
    const exhausted = this.#exhausted.get(windowName(wanted));
    if (exhausted === undefined || exhausted.limit !== wanted.limit) return this.#batcher.add(wanted);
    const left = exhausted.until - this.#clock.monotonic();
    if (left <= 0) {
      this.#exhausted.delete(windowName(wanted));
      return this.#batcher.add(wanted);
    }
    return Promise.resolve({ admitted: false, state: stateOf(wanted, 0, exhausted.reset, left / 1_000) });
  }

  async #count(all: Wanted[]): Promise<Granted[]> {
    const sums = new Map<string, { wanted: Wanted; requests: number }>();
    for (const wanted of all) {
      const sum = sums.get(windowName(wanted));
      if (sum === undefined) sums.set(windowName(wanted), { wanted, requests: 1 });
      else sum.requests++;
    }
    const windows = await this.#upsert([...sums.values()]);
    return all.map((wanted) => this.#grant(wanted, windows.get(windowName(wanted))!));
  }

  /** Rows are taken in key order by everybody, so that two instances cannot deadlock. */
  async #upsert(
    sums: { wanted: Wanted; requests: number }[],
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
    const counted = new Map(rows.map((row) => [windowName(row), row]));
    return new Map(
      sums.map(({ wanted, requests }) => {
        const row = counted.get(windowName(wanted))!;
        return [windowName(wanted), { before: row.used - requests, row }];
      }),
    );
  }

  /** Gives out what is left of a window, in the order of arrival. */
  #grant(wanted: Wanted, window: { before: number; row: WindowRow }): Granted {
    const { row } = window;
    const position = ++window.before;
    const reset = row.start + windowSeconds;
    const secondsLeft = Math.max(0, reset - row.now);
    if (row.used >= wanted.limit) {
      const until = this.#clock.monotonic() + secondsLeft * 1_000;
      this.#exhausted.set(windowName(wanted), { limit: wanted.limit, until, reset });
    }
    const remaining = Math.max(0, wanted.limit - position);
    return { admitted: position <= wanted.limit, state: stateOf(wanted, remaining, reset, secondsLeft) };
  }
}

function windowName(window: { tenant: number; bucket: string }): string {
  return `${window.tenant}/${window.bucket}`;
}

function stateOf(wanted: Wanted, remaining: number, reset: number, secondsLeft: number): RateState {
  const policy = wanted.bucket === '' ? 'account' : wanted.bucket;
  return { policy, limit: wanted.limit, remaining, reset, secondsLeft: Math.max(1, Math.ceil(secondsLeft)) };
}

const addressesMax = 100_000;
const crowd = 'all further addresses'; // when more are seen in one minute, the rest share one window

/** Clients without a valid key, counted in memory by address: they cost no database work at all. */
export class AddressLimiter {
  readonly #clock: Clock;
  readonly #wallOffset: number;
  #minute = 0;
  #used = new Map<string, number>();

  constructor(clock: Clock) {
    this.#clock = clock;
    // Minutes are those of the wall clock, but they pass by the monotonic one: a clock that jumps back refills nothing.
    this.#wallOffset = clock.now() - clock.monotonic();
  }

  take(address: string): Granted {
    return this.#window(address, 1);
  }

  peek(address: string): RateState {
    return this.#window(address, 0).state;
  }

  #window(address: string, requests: number): Granted {
    const seconds = (this.#clock.monotonic() + this.#wallOffset) / 1_000;
    const minute = Math.floor(seconds / windowSeconds);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#used = new Map();
    }
    let name = network(address);
    if (this.#used.size >= addressesMax && !this.#used.has(name)) name = crowd;
    const used = (this.#used.get(name) ?? 0) + requests;
    if (requests > 0) this.#used.set(name, used);
    const reset = (minute + 1) * windowSeconds;
    return {
      admitted: used <= standardRate,
      state: {
        policy: 'address',
        limit: standardRate,
        remaining: Math.max(0, standardRate - used),
        reset,
        secondsLeft: Math.max(1, Math.ceil(reset - seconds)),
      },
    };
  }
}

/** One customer of an internet provider holds a whole /64 of IPv6: it counts as one address. */
function network(address: string): string {
  if (!address.includes(':') || !ipaddr.isValid(address)) return address;
  const parts = ipaddr.IPv6.parse(address).parts;
  return parts.slice(0, 4).join(':');
}
