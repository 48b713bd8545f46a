import { BriefCache } from '../../base/brief_cache.ts';
import type { Clock } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { ProcessorAccountId } from '../../connectors/contract.ts';
import type { OpenAccount } from '../../connectors/registration.ts';
import type { Vault } from '../../vault/index.ts';
import { modeOf } from '../accounts/tenants.ts';
import { credentialsInUse } from './credentials.ts';
import type { ProcessorAccount } from './processor_account.ts';
import { findEnabled, processorAccountsTable } from './store.ts';

export type ProcessorAccounts = ReturnType<typeof cachedProcessorAccounts>;

type OpeningParts = { reads: Reads; vault: Vault; clock: Clock };

/** Processor accounts, read at most once a second: every payment needs them. */
export function cachedProcessorAccounts(parts: OpeningParts) {
  const { reads, clock } = parts;
  const limits = { clock, keptMs: 1_000, entriesMax: 10_000 };
  const enabled = new BriefCache<Tenant, ProcessorAccount[]>(limits);
  const opened = new BriefCache<string, OpenAccount>(limits);
  return {
    /** Those that take new payments, oldest first. */
    enabled: (tenant: Tenant) => enabled.get(tenant, () => findEnabled(reads, tenant)),
    find: (tenant: Tenant, id: ProcessorAccountId) => reads.one(processorAccountsTable, tenant, id),
    open: (tenant: Tenant, id: ProcessorAccountId) => opened.get(`${tenant}/${id}`, () => open(parts, tenant, id)),
  };
}

async function open(parts: OpeningParts, tenant: Tenant, id: ProcessorAccountId): Promise<OpenAccount> {
  const row = await parts.reads.one(processorAccountsTable, tenant, id);
  assert(row, `there is no processor account ${id}`);
  const credentials = await credentialsInUse(parts, row, parts.clock.now());
  return { id, tenant, mode: await modeOf(parts.reads, tenant), credentials, settings: row.settings };
}
