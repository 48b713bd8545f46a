import type { Clock } from '../../base/clock.ts';
import { networkOf } from '../../base/ip_range.ts';
import { standardRate } from '../../resources/accounts/account.ts';
import { type Granted, type RateState, windowSeconds } from './rate_limit.ts';

const addressesMax = 100_000;
// All further addresses of a minute share a window. No address has this name.
const overflow = 'all further addresses';

/** Requests by address. */
export type AddressCounts = [address: string, requests: number][];

/** Counts requests without a valid key by their address. In memory, so that they cause no database work. */
export class AddressLimiter {
  readonly #clock: Clock;
  readonly #onCounted: (address: string) => void;
  readonly #wallOffset: number;
  #minute = 0;
  #used = new Map<string, number>();

  /** `onCounted` is told of each counted request, as long as its address is within its limit. */
  constructor(clock: Clock, onCounted: (address: string) => void = () => {}) {
    this.#clock = clock;
    this.#onCounted = onCounted;
    // Windows begin with the minutes of the wall clock, but time is measured by the monotonic clock: a wall clock that is set back refills
    // no window.
    this.#wallOffset = clock.now() - clock.monotonic();
  }

  take(address: string): Granted {
    const granted = this.#window(address, 1);
    if (granted.admitted) this.#onCounted(address);
    return granted;
  }

  /** Counts what other processes on this port have counted. */
  countAlso(counts: AddressCounts): void {
    for (const [address, requests] of counts) this.#window(address, requests);
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
    let name = networkOf(address);
    if (this.#used.size >= addressesMax && !this.#used.has(name)) name = overflow;
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
