import { BriefCache } from '../../base/brief_cache.ts';
import type { Clock } from '../../base/clock.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { Terms } from '../../ledger/fee.ts';
import { findTerms } from './store.ts';

const keptMs = 1_000;
const entriesMax = 10_000;

/** The terms of accounts, read once a second at most: every payment that receives money needs them. */
export class TermsCache {
  readonly #reads: Reads;
  readonly #cache: BriefCache<Tenant, Terms>;

  constructor(reads: Reads, clock: Clock) {
    this.#reads = reads;
    this.#cache = new BriefCache({ clock, keptMs, entriesMax });
  }

  of = (tenant: Tenant): Promise<Terms> =>
    this.#cache.get(tenant, () => findTerms((text, values) => this.#reads.rows(text, values), tenant));
}
