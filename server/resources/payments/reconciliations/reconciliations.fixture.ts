import { newId } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Connection } from '../../../base/sql.ts';
import { dayOf } from '../../../ledger/posting.ts';
import { accountOf } from '../../../operations/tenants.ts';
import type { DayOfTenant, NamedDifference } from './reconcile.ts';
import { recordComparison } from './record.ts';

/** A day as a test wants it: what was compared, and the lines that only the processor has. */
export type DayWish = Partial<DayOfTenant> & {
  /** Epoch milliseconds. */
  now?: number;
  date?: string;
  connector?: string;
  processor_account?: `pa_${string}` | null;
  missing?: readonly { reference: string; amount?: number; currency?: string; payment?: string }[];
};

/** Records a comparison, as the command does. Returns the ids of the day and of its differences, in their order. */
export async function addComparison(
  sql: Connection,
  tenant: number,
  wish: DayWish = {},
): Promise<{ id: string; differences: string[] }> {
  const { now = Date.now() } = wish;
  const { date = dayOf(now, -1), connector = 'simulator', processor_account = null, missing = [] } = wish;
  const { matched = 3, matchedOnAnotherDay = 0, totals = [] } = wish;
  const owner = await accountOf(sql, tenant as Tenant);
  const differences = missing.map(
    ({ reference, amount = 2_000, currency = 'eur', payment = null }): NamedDifference => {
      const line = { ...owner, kind: 'payment', reference, money: { amount, currency }, at: new Date(date) };
      return { what: 'missing_in_ledger', ledger: undefined, processor: line, line, owner, payment };
    },
  );
  const comparison = { source: { connector, processor_account }, date, tenants: [owner.tenant] };
  const tenants = new Map([[owner.tenant, { matched, matchedOnAnotherDay, totals }]]);
  await recordComparison(sql, comparison, { differences, tenants }, now);
  const { rows } = await sql.query(
    `select r.id, array(select d.id from reconciliation_differences d where d.tenant = r.tenant and d.reconciliation = r.id
                         order by d.reference) as differences
       from reconciliations r
      where r.tenant = $1 and r.day = $2 and r.connector = $3 and r.processor_account is not distinct from $4`,
    [tenant, date, connector, processor_account],
  );
  return rows[0];
}

let comparedDays = 0;

/** A day with one difference, of an account at a processor that nothing else has; later than those before, and so are its ids. */
export async function addDifference(sql: Connection, tenant: number): Promise<{ id: string; difference: string }> {
  const now = Date.now();
  const processor_account = newId('pa', now);
  const date = dayOf(now, comparedDays++ - 1_000);
  const wish = { date, processor_account, missing: [{ reference: 'ch_1' }] };
  const { id, differences } = await addComparison(sql, tenant, wish);
  return { id, difference: differences[0]! };
}
