import { BriefCache } from '../../../base/brief_cache.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Unit } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { ProcessorAccount } from '../processor_accounts/processor_account.ts';
import type { ProcessorAccounts } from '../processor_accounts/processors.ts';
import type { RoutingRule } from './rule.ts';
import { routingTable } from './store.ts';

/** Which processors a tenant has, and the rules by which they are chosen. */
export type ProcessorRoutes = {
  /** Those that take new payments, oldest first. */
  accounts: readonly ProcessorAccount[];
  rules: readonly RoutingRule[];
};

export type RoutesOf = (tenant: Tenant) => Promise<ProcessorRoutes>;

/**
 * Read at most once a second: every payment needs them. What this instance has changed itself applies here immediately, because `committed`
 * is called with everything that it commits.
 */
export function cachedRoutes(
  reads: Reads,
  clock: Clock,
  processorAccounts: ProcessorAccounts,
): { routes: RoutesOf; committed: (unit: Unit) => void } {
  const cache = new BriefCache<Tenant, ProcessorRoutes>({ clock, keptMs: 1_000, entriesMax: 10_000 });
  const read = async (tenant: Tenant): Promise<ProcessorRoutes> => {
    const [accounts, routing] = await Promise.all([
      processorAccounts.enabled(tenant),
      reads.one(routingTable, tenant, 'routing'),
    ]);
    return { accounts, rules: routing?.rules ?? [] };
  };
  return {
    routes: (tenant) => cache.get(tenant, () => read(tenant)),
    committed({ writes }) {
      for (const { table, row } of writes) {
        const isAccount = table.name === processorAccounts.table;
        if (isAccount) processorAccounts.forget(row.tenant as Tenant, row.id as string);
        if (isAccount || table.name === routingTable.name) cache.delete(row.tenant as Tenant);
      }
    },
  };
}
