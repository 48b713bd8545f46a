import type { Clock } from '../../base/clock.ts';
import { networksOf } from '../../base/ip_range.ts';
import { standardRate } from '../../resources/people/accounts/account.ts';
import { type Granted, type RateState, windowSeconds } from './rate_limit.ts';

/** Per minute. `address`: of an IPv4 address or an IPv6 /64. `site`: of an IPv6 /48, which can hold 65,536 of them. */
type AddressLimits = { address: number; site: number };
const requestLimits: AddressLimits = { address: standardRate, site: 5 * standardRate };
/**
 * Beyond these, secrets with a right checksum may still be looked up: somebody may share the address with the client that has used it up. Few
 * enough that guessing costs the database next to nothing.
 */
const lookupLimits: AddressLimits = { address: 20, site: 100 };

const addressesMax = 100_000;
// All further addresses of a minute share a window. No address has this name.
const overflow = 'all further addresses';

/** What is counted: requests without a valid key, and lookups beyond their limit that found nothing. */
export type CountKind = 'request' | 'lookup';

export type AddressCounts = [address: string, requests: number, lookups: number][];

type UsedWindow = { limit: number; used: number };

/** Counts requests without a valid key by their address. In memory, so that they cause no database work. */
export class AddressLimiter {
  readonly #clock: Clock;
  readonly #onCounted: (address: string, counted: CountKind) => void;
  readonly #wallOffset: number;
  #minute = 0;
  #requests = new Map<string, number>();
  #lookups = new Map<string, number>();

  /** `onCounted` is called for everything that is counted here, as long as its address is within its limit. */
  constructor(clock: Clock, onCounted: (address: string, counted: CountKind) => void = () => {}) {
    this.#clock = clock;
    this.#onCounted = onCounted;
    // Windows begin with the minutes of the wall clock, but time is measured by the monotonic clock: a wall clock that is set back refills
    // no window.
    this.#wallOffset = clock.now() - clock.monotonic();
  }

  take(address: string): Granted {
    const granted = this.#window(address, 1);
    if (granted.admitted) this.#onCounted(address, 'request');
    return granted;
  }

  peek(address: string): RateState {
    return this.#window(address, 0).state;
  }

  /** How many secrets may be looked up for an address at this moment: as many as it has requests left, or a few. */
  lookupsLeft(address: string): number {
    const { remaining } = this.peek(address);
    return remaining > 0 ? remaining : remainingOf(nearest(this.#count(this.#lookups, address, lookupLimits, 0)));
  }

  /** Counts a lookup that has found nothing, for an address that has no requests left. */
  countLookup(address: string): void {
    this.#startMinute();
    this.#count(this.#lookups, address, lookupLimits, 1);
    this.#onCounted(address, 'lookup');
  }

  /** Counts what other processes on this port have counted. */
  countAlso(counts: AddressCounts): void {
    for (const [address, requests, lookups] of counts) {
      this.#window(address, requests);
      this.#count(this.#lookups, address, lookupLimits, lookups);
    }
  }

  #window(address: string, requests: number): Granted {
    const seconds = this.#startMinute();
    const { limit, used } = nearest(this.#count(this.#requests, address, requestLimits, requests));
    const reset = (this.#minute + 1) * windowSeconds;
    return {
      admitted: used <= limit,
      state: {
        policy: 'address',
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
      this.#requests = new Map();
      this.#lookups = new Map();
    }
    return seconds;
  }

  /**
   * Counts in the window of the address and, for IPv6, in that of its /48. Counting nothing makes no window, and neither does an address
   * whose /48 is beyond its limit: the 65,536 /64 of two of them would take the places of all others.
   */
  #count(windows: Map<string, number>, address: string, limits: AddressLimits, more: number): UsedWindow[] {
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

/** The window that has the least left. */
function nearest(windows: UsedWindow[]): UsedWindow {
  return windows.reduce((one, other) => (other.limit - other.used < one.limit - one.used ? other : one));
}

function remainingOf({ limit, used }: UsedWindow): number {
  return Math.max(0, limit - used);
}
