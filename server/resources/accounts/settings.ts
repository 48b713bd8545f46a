import { BriefCache } from '../../base/brief_cache.ts';
import type { Clock } from '../../base/clock.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { Services } from '../services.ts';
import { findSettings, type TenantSettings } from './store.ts';

/** The settings of accounts, read at most once a second: every payment that receives money needs the terms. */
export function cachedSettings(
  reads: Pick<Reads, 'rows'>,
  clock: Pick<Clock, 'monotonic'>,
): Pick<Services, 'terms' | 'dunningOf'> {
  const cache = new BriefCache<Tenant, TenantSettings>({ clock, keptMs: 1_000, entriesMax: 10_000 });
  const settingsOf = (tenant: Tenant) => cache.get(tenant, () => findSettings(reads, tenant));
  return {
    terms: async (tenant) => (await settingsOf(tenant)).terms,
    dunningOf: async (tenant) => (await settingsOf(tenant)).dunning,
  };
}
