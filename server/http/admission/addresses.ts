import ipaddr from 'ipaddr.js';
import { refusal } from '../errors.ts';
import { isInside } from '../transport/index.ts';

/** Refuses an address outside the list that a key is restricted to; null allows every address. */
export function refuseAddress(allowed: readonly string[] | null, address: string): void {
  if (allowed === null) return;
  const client = ipaddr.process(address);
  if (!allowed.some((range) => isInside(client, ...networkOf(range)))) throw refusal('ip_not_allowed', { address });
}

/** `range` is a network (`10.0.0.0/8`) or a single address. */
function networkOf(range: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const single = range.includes(':') ? `${range}/128` : `${range}/32`;
  return ipaddr.parseCIDR(range.includes('/') ? range : single);
}
