import { newIds } from '../../../base/id.ts';
import type { Money } from '../../../base/money.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { Sql } from '../../../base/sql.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import type { DifferenceKind } from '../../../ledger/reconcile.ts';
import type { NamedDifference } from './reconcile.ts';

/** A difference that a comparison has found, as it is stored for the account. */
export type StoredDifference = {
  id: string;
  /** The first second of the day that was compared, epoch seconds. */
  day: number;
  connector: string;
  processor_account: string | null;
  what: DifferenceKind;
  kind: string;
  reference: string;
  payment: string | null;
  ledger: Money | null;
  processor: Money | null;
};

export const differenceWords: Record<DifferenceKind, string> = {
  missing_in_ledger: 'missing in our ledger',
  missing_at_processor: 'missing at the processor',
  amount_differs: 'the amount differs',
  currency_differs: 'the currency differs',
  doubled_in_ledger: 'once more in our ledger',
  doubled_at_processor: 'once more at the processor',
  gross_differs: 'booked with another amount or in the wrong direction',
  net_differs: 'booked with a net that is not the gross less the fee',
};

/** Which comparison: of a day with a processor, for these tenants. */
export type Comparison = { source: NoticeSource; date: string; tenants: readonly Tenant[] };

/** A day on which everything differs is one finding, and not a hundred thousand. */
const storedMax = 1_000;

/** Replaces the differences of an earlier comparison of the same day. A difference without an account is for the operator alone, and not stored. */
export async function storeDifferences(
  sql: Sql,
  { source, date, tenants }: Comparison,
  differences: readonly NamedDifference[],
  now: number,
): Promise<void> {
  const { connector, processor_account } = source;
  await sql.query(
    `delete from reconciliation_differences
      where tenant = any($1::int4[]) and day = $2 and connector = $3 and processor_account is not distinct from $4`,
    [tenants, date, connector, processor_account],
  );
  const byTenant = Map.groupBy(differences, ({ owner }) => owner?.tenant);
  byTenant.delete(undefined);
  const kept = [...byTenant.values()].flatMap((all) => all.slice(0, storedMax));
  const column = (cell: (difference: NamedDifference) => unknown) => kept.map(cell);
  const money = (line: { money: Money } | undefined) => (line === undefined ? null : JSON.stringify(line.money));
  await sql.query(
    `insert into reconciliation_differences (tenant, id, day, connector, processor_account, what, kind, reference, payment, ledger,
                                             processor)
     select x.tenant, x.id, $1, $2, $3, x.what, x.kind, x.reference, x.payment, x.ledger::json, x.processor::json
       from unnest($4::int4[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[])
         as x (tenant, id, what, kind, reference, payment, ledger, processor)`,
    [
      date,
      connector,
      processor_account,
      column(({ owner }) => owner!.tenant),
      newIds('diff', now, kept.length),
      column(({ what }) => what),
      column(({ line }) => line.kind),
      column(({ line }) => line.reference),
      column(({ payment }) => payment),
      column((one) => money(one.ledger)),
      column((one) => money(one.processor)),
    ],
  );
}

/** A connector without accounts, or an account at a processor. */
export type ComparedSource = { connector: string } | { processor_account: string };

type Accepted = { source: ComparedSource; date: string; tenants: readonly Tenant[]; reference: string };

/** Accepts differences: they no longer need a person, unless a later comparison of the day finds them again. Returns their number. */
export async function removeDifferences(sql: Sql, { source, date, tenants, reference }: Accepted): Promise<number> {
  const [column, name] =
    'connector' in source ? ['connector', source.connector] : ['processor_account', source.processor_account];
  const { rowCount } = await sql.query(
    `delete from reconciliation_differences
      where tenant = any($1::int4[]) and day = $2 and reference = $3 and ${column} = $4
        and (processor_account is null) = $5`,
    [tenants, date, reference, name, 'connector' in source],
  );
  return rowCount ?? 0;
}

/** Those that no later comparison of their day has cleared, and that were not accepted, oldest first. */
export function findDifferences(reads: Reads, tenant: Tenant, limit: number): Promise<StoredDifference[]> {
  return reads.rows<StoredDifference>(
    `select id, extract(epoch from day)::int8 as day, connector, processor_account, what, kind, reference, payment, ledger, processor
       from reconciliation_differences where tenant = $1 order by day, id limit $2`,
    [tenant, limit],
  );
}
