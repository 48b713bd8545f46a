import { type Table, table } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
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
