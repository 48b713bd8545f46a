import type { Tenant } from '../../../base/reads.ts';
import { PostponedJob } from '../../../operations/job.ts';
import type { ProvidedServices } from '../../../operations/services.ts';

/** The account is suspended, and no job begins a charge for it. Its due row is put off. */
export class SuspendedAccount extends PostponedJob {
  constructor(tenant: Tenant) {
    super(`the account of tenant ${tenant} is suspended`);
  }
}

/** Called by jobs that may begin a charge. */
export async function refuseSuspended(
  { isSuspended }: Pick<ProvidedServices, 'isSuspended'>,
  tenant: Tenant,
): Promise<void> {
  if (await isSuspended(tenant)) throw new SuspendedAccount(tenant);
}
