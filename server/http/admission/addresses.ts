import { isInsideAny, readAddress, readRange } from '../../base/ip_range.ts';
import { apiError } from '../errors.ts';

/** Refuses an address outside the list that a key is restricted to; null allows every address. */
export function refuseAddress(allowed: readonly string[] | null, address: string): void {
  if (allowed === null) return;
  const client = readAddress(address);
  // Ranges were checked when the key was made. One that cannot be read permits nothing.
  const ranges = allowed.map(readRange).filter((range) => range !== undefined);
  if (client === undefined || !isInsideAny(client, ranges)) throw apiError('ip_not_allowed', { address });
}
