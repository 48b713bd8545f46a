import { type Table, table } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import { type Connection, query } from '../../base/sql.ts';
import { tenantsTable } from '../accounts/tenants.ts';
import type { ProcessorAccount } from './processor_account.ts';

export const processorAccountsTable: Table<ProcessorAccount> = table('processor_accounts', {
  int4: 'tenant version',
  text: 'id connector name secret identity poll_cursor',
  bool: 'enabled',
  json: 'settings',
  timestamptz: 'last_verified_at due_at lease_until',
});

/** Those that take new payments, oldest first. */
export function findEnabled(reads: Reads, tenant: Tenant): Promise<ProcessorAccount[]> {
  return reads.rows<ProcessorAccount>(
    `select ${processorAccountsTable.columns.join(', ')} from processor_accounts where tenant = $1 and enabled order by id`,
    [tenant],
  );
}

/** For the command line, where an id is given without its tenant. */
export async function findAccountById(sql: Connection, id: string): Promise<ProcessorAccount | undefined> {
  const columns = processorAccountsTable.columns.join(', ');
  const text = `select ${columns} from processor_accounts where tenant in (select tenant from ${tenantsTable}) and id = $1`;
  return (await query<ProcessorAccount>(sql, text, [id]))[0];
}
