import type { Tenant } from '../../base/reads.ts';
import { type Declared, extensionPoint } from '../resource.ts';
import type { Services } from '../services.ts';

/** A copy of what objects say, kept somewhere else: in the index of the search. */
export type Copies = {
  /** Destroys what is kept of objects that were deleted. A deletion has not ended before. */
  forget(services: Services, tenant: Tenant, ids: readonly string[]): Promise<void>;
  /** Objects say less than before, and there is no event about it: what is kept of them is made anew. */
  renew(services: Services, declared: Declared, tenant: Tenant, ids: readonly string[]): Promise<void>;
  /** Objects of a tenant were removed, and nothing says which: what is kept is compared with what exists, later. */
  compare(services: Services, declared: Declared, tenant: Tenant): Promise<void>;
};

export const copies = extensionPoint<Copies>('copies of what objects say');
