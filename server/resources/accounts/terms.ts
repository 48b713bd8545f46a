import { BriefCache } from '../../base/brief_cache.ts';
import type { Clock } from '../../base/clock.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { Terms } from '../../ledger/fee.ts';
import type { TermsOf } from '../services.ts';
import { findTerms } from './store.ts';

/** The terms of accounts, read at most once a second: every payment that receives money needs them. */
export function cachedTerms(reads: Reads, clock: Clock): TermsOf {
  const cache = new BriefCache<Tenant, Terms>({ clock, keptMs: 1_000, entriesMax: 10_000 });
  return (tenant) => cache.get(tenant, () => findTerms(reads, tenant));
}
