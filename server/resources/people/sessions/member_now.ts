import type { Reads, Tenant } from '../../../base/reads.ts';
import type { MemberNow } from '../../../operations/caller.ts';
import { findUser, findVerifiedEmail } from '../users/store.ts';
import { findMemberAccounts } from './store.ts';

export async function memberNow(reads: Reads, tenant: Tenant, id: string): Promise<MemberNow | undefined> {
  const user = await findUser(reads, id);
  if (user === undefined) return undefined;
  const accounts = await findMemberAccounts(reads, user.id);
  const account = accounts.find(({ tenants }) => tenants.test === tenant || tenants.live === tenant);
  if (account === undefined) return undefined;
  const isVerified = (await findVerifiedEmail(reads, user.email))?.user_id === user.id;
  const hasFactor = !account.totp_required || user.totp_secret !== null;
  return {
    email: user.email,
    account,
    mode: account.tenants.live === tenant ? 'live' : 'test',
    role: account.role,
    canWork: isVerified && hasFactor && account.status === 'active',
  };
}
