import type { Registry } from 'prom-client';
import type { Clock } from '../base/clock.ts';
import { type AddressCounts, AddressLimiter, type CountKind } from '../http/admission/address_limit.ts';
import type { GatewayPart } from '../parts.ts';

/** Time for clients to use their connections once more, and to learn that these are closed. */
const replacedDrainMsMin = 1_000;

/** What a process leaves to its supervisor, or shares with the others by it. */
export type Supervised = {
  /** Another process has taken the place of this one, so the server as a whole stays ready. */
  readonly isReplaced: boolean;
  /** A request without a valid key, or its lookup, was counted here; `onCounts` receives the counts of other processes. */
  counted(address: string, counted: CountKind): void;
  onCounts: (counts: AddressCounts) => void;
  /** The supervisor serves the metrics: whenever it asks for them, and for the last time when this process has answered everything. */
  collectMetrics: (() => Promise<Registry>) | undefined;
  reportMetrics(): Promise<void>;
};

/** The limits of addresses hold for all processes together. */
export function createAddressLimiter(clock: Clock, supervised: Supervised | undefined): AddressLimiter {
  if (supervised === undefined) return new AddressLimiter(clock);
  const addresses = new AddressLimiter(clock, (address, counted) => supervised.counted(address, counted));
  supervised.onCounts = (counts) => addresses.countAlso(counts);
  return addresses;
}

export function supervisedMetrics(supervised: Supervised, open: () => Promise<() => Promise<Registry>>): GatewayPart {
  return {
    name: 'metrics',
    async start() {
      supervised.collectMetrics = await open();
    },
    // The server has stopped by now. The database has not: which mode an event belongs to is read when it is counted.
    stop: () => supervised.reportMetrics(),
  };
}

/** How long a process that stops accepts connections. */
export function drainWindowMs(configured: number, supervised: Supervised | undefined): number {
  return supervised?.isReplaced ? Math.max(configured, replacedDrainMsMin) : configured;
}
