import { BriefCache } from '../../../base/brief_cache.ts';
import type { Clock } from '../../../base/clock.ts';
import { assert, Busy } from '../../../base/errors.ts';
import { isId } from '../../../base/id.ts';
import type { Mode, Reads, Tenant } from '../../../base/reads.ts';
import type { ProcessorAccountId } from '../../../connectors/contract.ts';
import type { OpenedAccount } from '../../../connectors/registration.ts';
import { requireFound } from '../../../operations/descriptor.ts';
import { modeOf } from '../../../operations/tenants.ts';
import type { Vault } from '../../../vault/index.ts';
import { credentialsInUse } from './credentials.ts';
import type { ProcessorAccount } from './processor_account.ts';
import { findEnabled, findSharing, processorAccountsTable } from './store.ts';

export type ProcessorAccounts = ReturnType<typeof cachedProcessorAccounts>;

type OpeningParts = { reads: Reads; vault: Vault; clock: Clock };

/** Processor accounts with their credentials, read at most once a second: every call to a processor needs them. */
export function cachedProcessorAccounts(parts: OpeningParts) {
  const { reads, clock } = parts;
  const opened = new BriefCache<string, OpenedAccount>({ clock, keptMs: 1_000, entriesMax: 10_000 });
  return {
    table: processorAccountsTable.name,
    /** Those that take new payments, oldest first. Not cached: the routes of a tenant are, and two caches would add up. */
    enabled: (tenant: Tenant) => findEnabled(reads, tenant),
    find: (tenant: Tenant, id: ProcessorAccountId) => reads.one(processorAccountsTable, tenant, id),
    /** One that a request names. */
    require: requireFound('processor account', 'processor_accounts:read', async ({ reads, tenant }, id) =>
      isId('pa', id) ? reads.one(processorAccountsTable, tenant, id) : undefined,
    ),
    /** One of another tenant in the same mode that is known to be the same account at the processor. */
    sharedWith: async (tenant: Tenant, mode: Mode, id: ProcessorAccountId): Promise<string | undefined> => {
      const { connector, identity = null } = (await reads.one(processorAccountsTable, tenant, id)) ?? {};
      if (connector === undefined || identity === null) return undefined;
      return findSharing(reads, { tenant, mode, connector, identity });
    },
    open: (tenant: Tenant, id: ProcessorAccountId) => opened.get(`${tenant}/${id}`, () => open(parts, tenant, id)),
    /** After a change by this instance, so that it applies here immediately. */
    forget: (tenant: Tenant, id: string) => opened.delete(`${tenant}/${id}`),
  };
}

/** Between the two reads the account may be changed, which is why it is then read again, or be deleted. */
async function open(
  parts: OpeningParts,
  tenant: Tenant,
  id: ProcessorAccountId,
  before?: ProcessorAccount,
): Promise<OpenedAccount> {
  const row = await parts.reads.one(processorAccountsTable, tenant, id);
  // The caller has just found it, and decides again.
  if (row === undefined) throw new Busy(`there is no processor account ${id}`);
  const credentials = await credentialsInUse(parts, row, parts.clock.now());
  if (credentials === undefined) {
    assert(row.version !== before?.version, `the credentials of ${id} are missing`);
    return open(parts, tenant, id, row);
  }
  const credentialsSince = row.credentials_since?.getTime();
  return { id, tenant, mode: await modeOf(parts.reads, tenant), credentials, settings: row.settings, credentialsSince };
}
