import { type Table, table } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { ComparedDay, ReconciliationDifference } from './reconciliation.ts';

export const reconciliationsTable: Table<ComparedDay> = table('reconciliations', {
  int4: 'tenant version matched matched_on_another_day differences open_differences',
  text: 'id connector processor_account',
  date: 'day',
  json: 'totals',
  timestamptz: 'compared_at',
});

export const differencesTable: Table<ReconciliationDifference> = table('reconciliation_differences', {
  int4: 'tenant version',
  text: 'id reconciliation connector processor_account what kind reference payment status note',
  date: 'day',
  json: 'ledger processor booked changed_by',
  timestamptz: 'changed_at',
});

/** Those that no later comparison of their day has cleared, and that nobody has accepted, oldest first. */
export function findOpenDifferences(reads: Reads, tenant: Tenant, limit: number): Promise<ReconciliationDifference[]> {
  return reads.rows<ReconciliationDifference>(
    `select ${differencesTable.columns.join(', ')} from reconciliation_differences
      where tenant = $1 and status <> 'accepted' order by day, id limit $2`,
    [tenant, limit],
  );
}
