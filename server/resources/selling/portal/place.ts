import { isId } from '../../../base/id.ts';
import type { Mode, Reads, Tenant } from '../../../base/reads.ts';
import { findTenant } from '../../../operations/tenants.ts';
import { portalBase } from '../portal_sessions/links.ts';

/** The portal of an account in one mode. */
export type PortalPlace = {
  tenant: Tenant;
  account: string;
  mode: Mode;
  /** Where its pages begin. */
  base: string;
};

/** The portal that an address below `/portal/` is in, and the rest of the address; undefined: there is none. */
export async function findPlace(
  reads: Reads,
  path: string,
): Promise<{ place: PortalPlace; rest: string[] } | undefined> {
  const parts = path.split('/');
  const mode = parts[0] === 'test' ? 'test' : 'live';
  const [account = '', ...rest] = mode === 'test' ? parts.slice(1) : parts;
  const tenant = isId('acct', account) ? await findTenant(reads, account, mode) : undefined;
  return tenant && { place: { tenant, account, mode, base: portalBase(account, mode) }, rest };
}
