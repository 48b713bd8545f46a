import type { Tenant } from '../../../base/reads.ts';

/** The account is suspended, and no job begins a charge for it. Its due row is put off. */
export class SuspendedAccount extends Error {
  constructor(tenant: Tenant) {
    super(`the account of tenant ${tenant} is suspended`);
  }
}
