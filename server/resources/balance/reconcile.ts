import type { Connection } from '../../base/sql.ts';
import type { Connector } from '../../connectors/contract.ts';
import { type BookLine, type Difference, type Reconciled, Reconciliation } from '../../ledger/reconcile.ts';
import { type AccountInMode, findTenants } from '../accounts/tenants.ts';
import { findPayments, ledgerLines, type Span } from './reconcile_reads.ts';

const dayMs = 86_400_000;
/** Outcomes that were unknown are settled within this time, so a movement may be posted some days after the processor made it. */
const daysAround = 4;

export type ProcessorStatement = NonNullable<Connector['statement']>;

export type DayOfBooks = {
  connector: string;
  statement: ProcessorStatement;
  /** A day of UTC, such as 2027-01-31. */
  date: string;
  /** One account in both modes; all accounts when not given. */
  account?: string | undefined;
};

/** A difference with the account and the payment that it is about; undefined and null where they are unknown. */
export type NamedDifference = Difference & {
  line: BookLine;
  owner: AccountInMode | undefined;
  payment: string | null;
};

export type DayReconciled = Omit<Reconciled, 'differences'> & { differences: NamedDifference[] };

/** Compares the ledger with a processor's own statement of a day. Changes nothing. */
export async function reconcileDay(client: Connection, day: DayOfBooks): Promise<DayReconciled> {
  const owners = await findTenants(client, day.account);
  const result = await readBooks(client, owners, day);
  return { ...result, differences: await nameDifferences(client, owners, day.connector, result.differences) };
}

async function readBooks(
  client: Connection,
  owners: readonly AccountInMode[],
  { connector, statement, date, account }: DayOfBooks,
): Promise<Reconciled> {
  const tenants = owners.map(({ tenant }) => tenant);
  const known = new Set(tenants);
  // Lines of tenants that do not exist are differences too, unless a single account is reconciled. A payout moves money between the
  // merchant's own accounts, which our ledger does not know.
  const isWanted = ({ tenant, kind }: BookLine) => kind !== 'payout' && (account === undefined || known.has(tenant));
  const comparison = new Reconciliation(date);
  for (const span of spansAround(Date.parse(`${date}T00:00:00Z`))) {
    for await (const page of ledgerLines(client, tenants, connector, span)) comparison.add('ledger', page);
    for await (const page of statement({ from: new Date(span.from), to: new Date(span.to) }))
      comparison.add('processor', page.filter(isWanted));
  }
  return comparison.result();
}

/** The day itself comes first: of the days around it only lines that belong to the day are kept. */
function spansAround(start: number): Span[] {
  const end = start + dayMs;
  return [
    { from: start, to: end },
    { from: start - daysAround * dayMs, to: start },
    { from: end, to: end + daysAround * dayMs },
  ];
}

async function nameDifferences(
  client: Connection,
  owners: readonly AccountInMode[],
  connector: string,
  differences: readonly Difference[],
): Promise<NamedDifference[]> {
  const byTenant = new Map(owners.map((owner) => [owner.tenant, owner]));
  const lines = differences.map(({ ledger, processor }) => (ledger ?? processor)!);
  const payments = await findPayments(client, connector, lines);
  return differences.map((difference, at) => {
    const line = lines[at]!;
    return { ...difference, line, owner: byTenant.get(line.tenant), payment: line.payment ?? payments[at]! };
  });
}
