import { insert, remove, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import { type ConnectionsAt, rowsEverywhere } from '../../../base/places/connections.ts';
import type { Mode, Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import { rowsPerStep } from '../../../operations/purge.ts';
import { everyTenant, findEveryTenant } from '../../../operations/tenants.ts';
import { destroySecretsSql } from '../../../vault/index.ts';
import type { ProcessorAccount } from './processor_account.ts';

export const processorAccountsTable: Table<ProcessorAccount> = table('processor_accounts', {
  int4: 'tenant version',
  text: 'id connector name secret previous_secret identity poll_cursor',
  bool: 'enabled',
  json: 'settings',
  timestamptz: 'previous_until last_verified_at credentials_since due_at lease_until',
});

const columns = processorAccountsTable.columns.join(', ');

export const addProcessorAccount = (row: ProcessorAccount): Write => insert(processorAccountsTable, row);
export const replaceProcessorAccount = (row: ProcessorAccount): Write => update(processorAccountsTable, row);
export const removeProcessorAccount = (row: ProcessorAccount): Write => remove(processorAccountsTable, row);

/** Those that take new payments, oldest first. */
export function findEnabled(reads: Reads, tenant: Tenant): Promise<ProcessorAccount[]> {
  return reads.rows<ProcessorAccount>(
    `select ${columns} from processor_accounts where tenant = $1 and enabled order by id`,
    [tenant],
  );
}

/** Those of these tenants that have any. */
export async function findOwners(at: ConnectionsAt, tenants: readonly Tenant[]): Promise<Set<Tenant>> {
  const text = 'select distinct tenant from processor_accounts where tenant = any($1)';
  const rows = await rowsEverywhere<{ tenant: Tenant }>(at, text, [tenants], tenants);
  return new Set(rows.map(({ tenant }) => tenant));
}

/** Those of several tenants that take new payments. */
export async function findEnabledOf(at: ConnectionsAt, tenants: readonly Tenant[]): Promise<ProcessorAccount[]> {
  const text = `select ${columns} from processor_accounts where tenant = any($1) and enabled order by tenant, id`;
  const rows = await rowsEverywhere<ProcessorAccount>(at, text, [tenants], tenants);
  return rows.sort((one, other) => one.tenant - other.tenant); // within a tenant they are in order
}

/** Whether there are this many already. */
export async function hasProcessorAccounts(reads: Reads, tenant: Tenant, count: number): Promise<boolean> {
  const rows = await reads.rows('select from processor_accounts where tenant = $1 limit $2', [tenant, count]);
  return rows.length === count;
}

/** For the command line, where an id is given without its tenant. */
export async function findOwnerOf(at: ConnectionsAt, id: string): Promise<Tenant | undefined> {
  const text = 'select tenant from processor_accounts where tenant = any($2::int4[]) and id = $1';
  const values = [id, await everyTenant(at.directory)];
  const row = await at.find(async ({ sql }) => (await query<{ tenant: Tenant }>(sql, text, values))[0]);
  return row?.tenant;
}

/** A processor account of another tenant in the same mode that is the same account at the processor. */
export async function findSharing(
  reads: Reads,
  { tenant, mode, connector, identity }: { tenant: Tenant; mode: Mode; connector: string; identity: string },
): Promise<string | undefined> {
  const others = (await findEveryTenant(reads, mode)).filter((other) => other !== tenant);
  const rows = await reads.everywhere.rows<{ id: string }>(
    `select id from processor_accounts
      where tenant = any($1::int4[]) and connector = $2 and identity = $3 order by id limit 1`,
    [others, connector, identity],
  );
  return rows[0]?.id;
}

/** Destroys the webhook secret before a rotation, once its day is over. */
export async function destroyPreviousSecrets(pool: Pool): Promise<void> {
  await query(
    pool,
    `with over as (
       select tenant, id, previous_secret from processor_accounts
        where previous_until <= now() limit ${rowsPerStep} for update skip locked),
     cleared as (
       update processor_accounts p set previous_secret = null, previous_until = null, version = version + 1
         from over o where p.tenant = o.tenant and p.id = o.id returning o.tenant, o.previous_secret as id)
     ${destroySecretsSql('cleared')}`,
    [],
  );
}
