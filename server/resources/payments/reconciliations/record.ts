import { newIds } from '../../../base/id.ts';
import type { Money } from '../../../base/money.ts';
import { type ConnectionsAt, rowsEverywhere } from '../../../base/places/connections.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Sql } from '../../../base/sql.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import type { DayOfTenant, DayReconciled, NamedDifference } from './reconcile.ts';
import type { ReconciliationDifference, StatementTotals } from './reconciliation.ts';

/** A connector without accounts, or an account at a processor. */
export type ComparedSource = { connector: string } | { processor_account: string };

type WantedDifferences = { source: ComparedSource; date: string; tenants: readonly Tenant[]; reference: string };

/** The differences of a day with a reference that nobody has accepted. */
export async function findUnaccepted(
  at: ConnectionsAt,
  { source, date, tenants, reference }: WantedDifferences,
): Promise<Pick<ReconciliationDifference, 'tenant' | 'id'>[]> {
  const [column, name] =
    'connector' in source ? ['connector', source.connector] : ['processor_account', source.processor_account];
  const text = `select tenant, id from reconciliation_differences
    where tenant = any($1::int4[]) and day = $2 and reference = $3 and ${column} = $4
      and (processor_account is null) = $5 and status <> 'accepted'
    order by tenant, id`;
  const values = [tenants, date, reference, name, 'connector' in source];
  return rowsEverywhere(at, text, values, tenants);
}

/** Which comparison: of a day with a processor, for these tenants. */
export type Comparison = { source: NoticeSource; date: string; tenants: readonly Tenant[] };

/** What was found, as far as it is recorded. */
export type FoundBooks = Pick<DayReconciled, 'differences' | 'tenants'>;

/** A day on which everything differs is one finding, and not a hundred thousand. */
const storedMax = 1_000;

/**
 * Keeps what a comparison has found, in place of what an earlier one of the same day and processor has found. A difference that is found
 * again stays what it is, with what people have decided about it. One without an account is for the operator alone, and not stored. To
 * be run in a transaction.
 */
export async function recordComparison(
  sql: Sql,
  comparison: Comparison,
  found: FoundBooks,
  now: number,
): Promise<void> {
  const { source, tenants } = comparison;
  const byTenant = new Map(tenants.map((tenant) => [tenant, [] as NamedDifference[]]));
  for (const difference of found.differences) byTenant.get(difference.owner?.tenant as Tenant)?.push(difference);
  const earlier = await recordedTenants(sql, comparison);
  // An account at a processor is compared for its owner. A connector without accounts is compared for all: a tenant without a line has no day.
  const isConcerned = (tenant: Tenant) =>
    source.processor_account !== null || found.tenants.has(tenant) || earlier.has(tenant);
  const days = [...byTenant]
    .filter(([tenant, differences]) => differences.length > 0 || isConcerned(tenant))
    .map(([tenant, differences]) => ({ tenant, differences, ...(found.tenants.get(tenant) ?? nothing) }));
  const ids = await storeDays(sql, comparison, days, now);
  await replaceDifferences(sql, comparison, days, { ids, now });
  await countOpen(sql, ids);
}

const nothing: DayOfTenant = { matched: 0, matchedOnAnotherDay: 0, totals: [] };

type RecordedDay = DayOfTenant & { tenant: Tenant; differences: readonly NamedDifference[] };
type DayIds = ReadonlyMap<Tenant, string>;

const keyOf = ({ source, date, tenants }: Comparison) => [tenants, date, source.connector, source.processor_account];

async function recordedTenants(sql: Sql, comparison: Comparison): Promise<ReadonlySet<Tenant>> {
  const { rows } = await sql.query<{ tenant: Tenant }>(
    `select tenant from reconciliations
      where tenant = any($1::int4[]) and day = $2 and connector = $3 and processor_account is not distinct from $4`,
    keyOf(comparison),
  );
  return new Set(rows.map(({ tenant }) => tenant));
}

/** In the order of the tenants: comparisons that are recorded at the same moment wait for each other. */
async function storeDays(
  sql: Sql,
  { source, date }: Comparison,
  days: readonly RecordedDay[],
  now: number,
): Promise<DayIds> {
  const column = (cell: (day: RecordedDay) => unknown) => days.map(cell);
  const { rows } = await sql.query<{ tenant: Tenant; id: string }>(
    `insert into reconciliations as r (tenant, id, version, day, connector, processor_account, matched, matched_on_another_day,
                                       differences, open_differences, totals, compared_at)
     select x.tenant, x.id, 1, $1, $2, $3, x.matched, x.late, x.differences, x.differences, x.totals::json, $4
       from unnest($5::int4[], $6::text[], $7::int4[], $8::int4[], $9::int4[], $10::text[])
         as x (tenant, id, matched, late, differences, totals)
      order by x.tenant
     on conflict (tenant, day, connector, processor_account) do update
        set version = r.version + 1, matched = excluded.matched, matched_on_another_day = excluded.matched_on_another_day,
            differences = excluded.differences, open_differences = excluded.open_differences, totals = excluded.totals,
            compared_at = excluded.compared_at
     returning r.tenant, r.id`,
    [
      ...[date, source.connector, source.processor_account, new Date(now)],
      column(({ tenant }) => tenant),
      newIds('recon', Date.parse(date), days.length), // lists are in the order of days
      column(({ matched }) => matched),
      column(({ matchedOnAnotherDay }) => matchedOnAnotherDay),
      column(({ differences }) => differences.length),
      column(({ totals }) => JSON.stringify(totals.map(textsOf))),
    ],
  );
  return new Map(rows.map(({ tenant, id }) => [tenant, id]));
}

function textsOf({ currency, fee, net, payouts }: DayOfTenant['totals'][number]): StatementTotals {
  return { currency, fees: String(fee), net: String(net), paid_out: String(payouts) };
}

type StoredLine = Pick<ReconciliationDifference, 'tenant' | 'id' | 'what' | 'kind' | 'reference'> &
  Record<'ledger' | 'processor' | 'booked', object | null>;
type FoundLine = Omit<StoredLine, 'id'> & { payment: string | null };

/** Deletes what was not found again, and adds what is new. Of several that are alike, as many stay as were found. */
async function replaceDifferences(
  sql: Sql,
  comparison: Comparison,
  days: readonly RecordedDay[],
  { ids, now }: { ids: DayIds; now: number },
): Promise<void> {
  const { rows: stored } = await sql.query<StoredLine>(
    `select tenant, id, what, kind, reference, ledger, processor, booked from reconciliation_differences
      where tenant = any($1::int4[]) and day = $2 and connector = $3 and processor_account is not distinct from $4
      order by tenant, id for update`,
    keyOf(comparison),
  );
  const unseen = Map.groupBy(stored, signatureOf);
  const found = days.flatMap(({ differences }) => differences.slice(0, storedMax).map(lineOf));
  const lines = found.map((line) => ({ line, id: unseen.get(signatureOf(line))?.shift()?.id }));
  const gone = [...unseen.values()].flat();
  await sql.query(
    `delete from reconciliation_differences d using unnest($1::int4[], $2::text[]) as x (tenant, id)
      where d.tenant = x.tenant and d.id = x.id`,
    [gone.map(({ tenant }) => tenant), gone.map(({ id }) => id)],
  );
  const kept = lines.flatMap(({ line, id }) => (id === undefined ? [] : [{ ...line, id }]));
  await sql.query(
    `update reconciliation_differences d set version = d.version + 1, reconciliation = x.reconciliation, payment = x.payment
       from unnest($1::int4[], $2::text[], $3::text[], $4::text[]) as x (tenant, id, reconciliation, payment)
      where d.tenant = x.tenant and d.id = x.id
        and (d.reconciliation, d.payment) is distinct from (x.reconciliation, x.payment)`,
    [
      kept.map(({ tenant }) => tenant),
      kept.map(({ id }) => id),
      kept.map(({ tenant }) => ids.get(tenant)),
      kept.map(({ payment }) => payment),
    ],
  );
  const fresh = lines.flatMap(({ line, id }) => (id === undefined ? [line] : []));
  await addDifferences(sql, comparison, fresh, { ids, now });
}

async function addDifferences(
  sql: Sql,
  { source, date }: Comparison,
  lines: readonly FoundLine[],
  { ids, now }: { ids: DayIds; now: number },
): Promise<void> {
  const column = (cell: (line: FoundLine) => unknown) => lines.map(cell);
  const json = (value: object | null) => (value === null ? null : JSON.stringify(value));
  await sql.query(
    `insert into reconciliation_differences (tenant, id, day, connector, processor_account, reconciliation, what, kind, reference,
                                             payment, ledger, processor, booked)
     select x.tenant, x.id, $1, $2, $3, x.reconciliation, x.what, x.kind, x.reference, x.payment, x.ledger::json, x.processor::json,
            x.booked::json
       from unnest($4::int4[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::text[],
                   $13::text[])
         as x (tenant, id, reconciliation, what, kind, reference, payment, ledger, processor, booked)`,
    [
      ...[date, source.connector, source.processor_account],
      column(({ tenant }) => tenant),
      newIds('diff', now, lines.length),
      column(({ tenant }) => ids.get(tenant)),
      column(({ what }) => what),
      column(({ kind }) => kind),
      column(({ reference }) => reference),
      column(({ payment }) => payment),
      column(({ ledger }) => json(ledger)),
      column(({ processor }) => json(processor)),
      column(({ booked }) => json(booked)),
    ],
  );
}

/** What a difference is recognized by when its day is compared again. */
function signatureOf({ tenant, what, kind, reference, ledger, processor, booked }: Omit<StoredLine, 'id'>): string {
  return JSON.stringify([tenant, what, kind, reference, ledger, processor, booked]);
}

function lineOf({ what, line, owner, payment, ledger, processor, booked }: NamedDifference): FoundLine {
  const moneyOf = (side: { money: Money } | undefined) =>
    side === undefined ? null : { amount: side.money.amount, currency: side.money.currency };
  const { kind, reference } = line;
  return {
    tenant: owner!.tenant,
    what,
    kind,
    reference,
    payment,
    ledger: moneyOf(ledger),
    processor: moneyOf(processor),
    booked: booked === undefined ? null : { gross: booked.gross, fee: booked.fee, net: booked.net },
  };
}

async function countOpen(sql: Sql, ids: DayIds): Promise<void> {
  await sql.query(
    `update reconciliations r
        set open_differences = r.differences - (
              select count(*) from reconciliation_differences d
               where d.tenant = r.tenant and d.reconciliation = r.id and d.status = 'accepted')
       from unnest($1::int4[], $2::text[]) as x (tenant, id)
      where r.tenant = x.tenant and r.id = x.id`,
    [[...ids.keys()], [...ids.values()]],
  );
}
