import type { Clock } from '../../base/clock.ts';
import { networksOf } from '../../base/ip_range.ts';
import { standardRate } from '../../resources/people/accounts/account.ts';
import { type Granted, type RateState, windowSeconds } from './rate_limit.ts';

/** Per minute. `address`: of an IPv4 address or an IPv6 /64. `site`: of an IPv6 /48, which can hold 65,536 of them. */
type AddressLimits = { address: number; site: number };

/** What is counted: requests without a valid key, requests for pages, for pages of customers, and lookups beyond their limit that found nothing. */
export type CountKind = 'request' | 'page' | 'customer' | 'lookup';
type WindowKind = Exclude<CountKind, 'lookup'>;

const limitsOf: Readonly<Record<CountKind, AddressLimits>> = {
  request: { address: standardRate, site: 5 * standardRate },
  /** A person who reads and types asks more often than once a second, and must not use up what programs at the same address have. */
  page: { address: 300, site: 1_500 },
  /** Customers pay from the networks of offices and phones, which share addresses. */
  customer: { address: 300, site: 1_500 },
  /**
   * Beyond the limit of requests, secrets with a right checksum may still be looked up: somebody may share the address with the client that
   * has used it up. Few enough that guessing costs the database next to nothing.
   */
  lookup: { address: 20, site: 100 },
};

/** The names of the windows in the headers of a response. */
const policies: Readonly<Record<WindowKind, string>> = { request: 'address', page: 'page', customer: 'customer' };

const addressesMax = 100_000;
// All further addresses of a minute share a window. No address has this name.
const overflow = 'all further addresses';

/** A process of another version, during an upgrade, may know no pages, or no customers. */
export type AddressCounts = [address: string, requests: number, lookups: number, pages?: number, customers?: number][];

type UsedWindow = { limit: number; used: number };

/** Counts requests without a valid key by their address. In memory, so that they cause no database work. */
export class AddressLimiter {
  readonly #clock: Clock;
  readonly #onCounted: (address: string, counted: CountKind) => void;
  readonly #wallOffset: number;
  #minute = 0;
  #used = emptyWindows();

  /** `onCounted` is called for everything that is counted here, as long as its address is within its limit. */
  constructor(clock: Clock, onCounted: (address: string, counted: CountKind) => void = () => {}) {
    this.#clock = clock;
    this.#onCounted = onCounted;
    // Windows begin with the minutes of the wall clock, but time is measured by the monotonic clock: a wall clock that is set back refills
    // no window.
    this.#wallOffset = clock.now() - clock.monotonic();
  }

  take(address: string, kind: WindowKind = 'request'): Granted {
    const granted = this.#window(address, kind, 1);
    if (granted.admitted) this.#onCounted(address, kind);
    return granted;
  }

  peek(address: string): RateState {
    return this.#window(address, 'request', 0).state;
  }

  /** How many secrets may be looked up for an address at this moment: as many as it has requests left, or a few. */
  lookupsLeft(address: string): number {
    const { remaining } = this.peek(address);
    return remaining > 0 ? remaining : remainingOf(nearest(this.#count(address, 'lookup', 0)));
  }

  /** Counts a lookup that has found nothing, for an address that has no requests left. */
  countLookup(address: string): void {
    this.#startMinute();
    this.#count(address, 'lookup', 1);
    this.#onCounted(address, 'lookup');
  }

  /** Counts what other processes on this port have counted. */
  countAlso(counts: AddressCounts): void {
    for (const [address, requests, lookups, pages = 0, customers = 0] of counts) {
      this.#window(address, 'request', requests);
      this.#count(address, 'lookup', lookups);
      this.#count(address, 'page', pages);
      this.#count(address, 'customer', customers);
    }
  }

  #window(address: string, kind: WindowKind, requests: number): Granted {
    const seconds = this.#startMinute();
    const { limit, used } = nearest(this.#count(address, kind, requests));
    const reset = (this.#minute + 1) * windowSeconds;
    return {
      admitted: used <= limit,
      state: {
        policy: policies[kind],
        limit,
        remaining: remainingOf({ limit, used }),
        reset,
        secondsLeft: Math.max(1, Math.ceil(reset - seconds)),
      },
    };
  }

  /** Returns the seconds of the wall clock. */
  #startMinute(): number {
    const seconds = (this.#clock.monotonic() + this.#wallOffset) / 1_000;
    const minute = Math.floor(seconds / windowSeconds);
    if (minute !== this.#minute) {
      this.#minute = minute;
      this.#used = emptyWindows();
    }
    return seconds;
  }

  /**
   * Counts in the window of the address and, for IPv6, in that of its /48. Counting nothing makes no window, and neither does an address
   * whose /48 is beyond its limit: the 65,536 /64 of two of them would take the places of all others.
   */
  #count(address: string, counted: CountKind, more: number): UsedWindow[] {
    const [windows, limits] = [this.#used[counted], limitsOf[counted]];
    const countIn = (name: string, kind: keyof AddressLimits): UsedWindow => {
      const isOverflow = windows.size >= addressesMax && !windows.has(name);
      const window = isOverflow ? overflow : name;
      const used = (windows.get(window) ?? 0) + more;
      if (more > 0) windows.set(window, used);
      return { limit: limits[isOverflow ? 'address' : kind], used };
    };
    const [network, site] = networksOf(address);
    if (site === undefined) return [countIn(network, 'address')];
    const ofSite = countIn(site, 'site');
    if (ofSite.used > ofSite.limit && !windows.has(network)) return [ofSite];
    return [countIn(network, 'address'), ofSite];
  }
}

function emptyWindows(): Record<CountKind, Map<string, number>> {
  return { request: new Map(), page: new Map(), customer: new Map(), lookup: new Map() };
}

/** The window that has the least left. */
function nearest(windows: UsedWindow[]): UsedWindow {
  return windows.reduce((one, other) => (other.limit - other.used < one.limit - one.used ? other : one));
}

function remainingOf({ limit, used }: UsedWindow): number {
  return Math.max(0, limit - used);
}
