import { networkInterfaces } from 'node:os';
import type { Clock } from '../base/clock.ts';
import { readAddress } from '../base/ip_range.ts';

const keptMs = 10_000; // an address may move to this machine when another one fails

/** The addresses of this machine, in their common notation. */
export function ownAddresses(clock: Pick<Clock, 'monotonic'>): () => ReadonlySet<string> {
  let addresses: ReadonlySet<string> = new Set();
  let readAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.monotonic() - readAt < keptMs) return addresses;
    readAt = clock.monotonic();
    const all = Object.values(networkInterfaces()).flatMap((found) => found ?? []);
    addresses = new Set(all.map(({ address }) => String(readAddress(address))));
    return addresses;
  };
}
