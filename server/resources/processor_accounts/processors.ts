import { BriefCache } from '../../base/brief_cache.ts';
import type { Clock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import { Secret } from '../../base/secret.ts';
import type { ProcessorAccountId } from '../../connectors/contract.ts';
import type { OpenAccount } from '../../connectors/registration.ts';
import type { Vault } from '../../vault/index.ts';
import { modeOf } from '../accounts/tenants.ts';
import type { ProcessorAccount } from './processor_account.ts';
import { findEnabled, processorAccountsTable } from './store.ts';

export type ProcessorAccounts = ReturnType<typeof cachedProcessorAccounts>;

/** Processor accounts, read at most once a second: every payment needs them. */
export function cachedProcessorAccounts({ reads, vault, clock }: { reads: Reads; vault: Vault; clock: Clock }) {
  const limits = { clock, keptMs: 1_000, entriesMax: 10_000 };
  const enabled = new BriefCache<Tenant, ProcessorAccount[]>(limits);
  const opened = new BriefCache<ProcessorAccountId, OpenAccount>(limits);
  return {
    /** Those that take new payments, oldest first. */
    enabled: (tenant: Tenant) => enabled.get(tenant, () => findEnabled(reads, tenant)),
    find: (tenant: Tenant, id: ProcessorAccountId) => reads.one(processorAccountsTable, tenant, id),
    open: (tenant: Tenant, id: ProcessorAccountId) => opened.get(id, () => open(reads, vault, tenant, id)),
  };
}

async function open(reads: Reads, vault: Vault, tenant: Tenant, id: ProcessorAccountId): Promise<OpenAccount> {
  const row = await reads.one(processorAccountsTable, tenant, id);
  assert(row, `there is no processor account ${id}`);
  const sealed = await vault.openSecret(reads, tenant, row.secret);
  assert(sealed, `the credentials of ${id} are missing`);
  const values = Object.entries(JSON.parse(sealed.open()) as Record<string, string>);
  const credentials = Object.fromEntries(values.map(([name, value]) => [name, new Secret(value)]));
  return { id, tenant, mode: await modeOf(reads, tenant), credentials, settings: row.settings };
}
