import type { Clock } from '../../base/clock.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { Terms } from '../../ledger/fee.ts';
import { findTerms } from './store.ts';

const keptForMs = 1_000;
const keptMax = 10_000;

/** The terms of accounts, read once a second at most: every payment that receives money needs them. */
export class TermsCache {
  readonly #reads: Reads;
  readonly #clock: Clock;
  readonly #kept = new Map<Tenant, { terms: Promise<Terms>; readAt: number }>();

  constructor(reads: Reads, clock: Clock) {
    this.#reads = reads;
    this.#clock = clock;
  }

  of = (tenant: Tenant): Promise<Terms> => {
    const now = this.#clock.monotonic();
    const kept = this.#kept.get(tenant);
    if (kept !== undefined && now - kept.readAt < keptForMs) return kept.terms;
    if (this.#kept.size >= keptMax) this.#kept.clear();
    const terms = findTerms((text, values) => this.#reads.rows(text, values), tenant);
    this.#kept.set(tenant, { terms, readAt: now });
    terms.catch(() => this.#kept.delete(tenant));
    return terms;
  };
}
