import { getOrMake } from '../../../base/get_or_make.ts';
import type { ConnectionsAt } from '../../../base/places/connections.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Connector, StatementLine } from '../../../connectors/contract.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import {
  type Booked,
  type BookingFault,
  type BookLine,
  type Difference,
  type Matched,
  type Reconciled,
  Reconciliation,
} from '../../../ledger/reconcile.ts';
import { type AccountInMode, findTenants } from '../../../operations/tenants.ts';
import { findPayments, findUndone, ledgerLines, type Span } from './reconcile_reads.ts';

const dayMs = 86_400_000;
/** Outcomes that were unknown are settled within this time, so a movement may be posted some days after the processor made it. */
const daysAround = 4;

export type ProcessorStatement = NonNullable<Connector['statement']>;

export type DayOfBooks = {
  source: NoticeSource;
  statement: ProcessorStatement;
  /** A day of UTC, such as 2027-01-31. */
  date: string;
  /** One account in both modes; all accounts when not given. */
  account?: string | undefined;
  /** Called with the number of lines that were read. */
  report?: (lines: number) => void;
};

/** A difference with the account and the payment that it is about; undefined and null where they are unknown. */
export type NamedDifference = Difference & {
  line: BookLine;
  owner: AccountInMode | undefined;
  payment: string | null;
};

/** The fees and payouts of the processor, by currency. They are not compared: the ledger has the fees of the gateway, not the processor's. */
export type ProcessorTotals = { currency: string; fee: bigint; net: bigint; payouts: bigint };

/** What a comparison says about one tenant, beside its differences. */
export type DayOfTenant = Matched & { totals: ProcessorTotals[] };

export type DayReconciled = Omit<Reconciled, 'differences'> & {
  differences: NamedDifference[];
  totals: ProcessorTotals[];
  /** Of each tenant with lines in the books. */
  tenants: ReadonlyMap<Tenant, DayOfTenant>;
};

/** Compares the ledger with a processor's own statement of a day. Changes nothing. */
export async function reconcileDay(at: ConnectionsAt, day: DayOfBooks): Promise<DayReconciled> {
  const owners = await findTenants(at.directory, day.account);
  const { comparison, totals, booked } = await readBooks(at, owners, day);
  const { differences: all, ...result } = comparison.result();
  const { differences, undone } = await withoutUndone(at, day, [...all, ...booked]);
  const named = await nameDifferences(at, owners, day.source, differences);
  const matches = comparison.matches();
  for (const { tenant } of undone) matchesOf(matches, tenant).matched += 1;
  for (const tenant of totals.keys()) matchesOf(matches, tenant);
  const tenants = new Map(
    [...matches].map(([tenant, one]) => [tenant, { ...one, totals: inOrder(totals.get(tenant)) }]),
  );
  const sums: CurrencyTotals = new Map();
  for (const ofTenant of totals.values()) for (const one of ofTenant.values()) addTo(sums, one);
  const matched = result.matched + undone.length;
  return { ...result, matched, differences: named, totals: inOrder(sums), tenants };
}

const matchesOf = (matches: Map<Tenant, Matched>, tenant: Tenant): Matched =>
  getOrMake(matches, tenant, () => ({ matched: 0, matchedOnAnotherDay: 0 }));

/**
 * An approval that was undone has two lines at the processor, which we know as attempts. Neither is a difference where the other one is
 * there as well; money that was taken and never given back is one.
 */
async function withoutUndone(at: ConnectionsAt, { statement, date }: DayOfBooks, all: readonly Difference[]) {
  const missing = all.filter(({ what }) => what === 'missing_in_ledger');
  const counterparts = await findUndone(
    at,
    missing.map(({ processor }) => processor!),
  );
  const wanted = new Set(counterparts.flat());
  const seen = new Set<string>();
  for (const span of wanted.size === 0 ? [] : spansAround(Date.parse(`${date}T00:00:00Z`)))
    for await (const page of statement({ from: new Date(span.from), to: new Date(span.to) }))
      for (const { reference } of page) if (wanted.has(reference)) seen.add(reference);
  const undone = new Set(missing.filter((_, number) => counterparts[number]!.some((reference) => seen.has(reference))));
  const differences = all.filter((difference) => !undone.has(difference));
  return { differences, undone: [...undone].map(({ processor }) => processor!) };
}

async function readBooks(
  at: ConnectionsAt,
  owners: readonly AccountInMode[],
  { source, statement, date, account, report = () => {} }: DayOfBooks,
): Promise<{ comparison: Reconciliation; totals: Map<Tenant, CurrencyTotals>; booked: Difference[] }> {
  const tenants = owners.map(({ tenant }) => tenant);
  const known = new Set(tenants);
  // Lines of tenants that do not exist are differences too, unless a single account is reconciled.
  const isWanted = ({ tenant }: BookLine) => account === undefined || known.has(tenant);
  const comparison = new Reconciliation(date);
  const totals = new Map<Tenant, CurrencyTotals>();
  const booked: Difference[] = [];
  const [day, ...around] = spansAround(Date.parse(`${date}T00:00:00Z`));
  for (const span of [day!, ...around]) {
    for await (const page of ledgerLines(at, tenants, source, span)) {
      report(page.length);
      comparison.add('ledger', page);
    }
    for await (const page of statement({ from: new Date(span.from), to: new Date(span.to) })) {
      report(page.length);
      const lines = page.filter(isWanted);
      if (span === day) for (const line of lines) addTotals(totals, line);
      if (span === day) booked.push(...lines.flatMap(bookingDifferences));
      // A payout moves money between the merchant's own accounts, which our ledger does not know, and a release none that was captured.
      const compared = lines.filter(({ kind }) => kind !== 'payout' && kind !== 'release');
      comparison.add('processor', compared);
    }
  }
  return { comparison, totals, booked };
}

/**
 * What must hold within a line of a processor's statement. Fees and nets are in no other books: a processor that books a refund in the
 * wrong direction, or keeps more than it says, shows here alone.
 */
export function bookingDifferences(line: StatementLine): Difference[] {
  const { gross, fee, net } = line;
  if (gross === undefined || fee === undefined || net === undefined) return [];
  const booked = { gross, fee, net };
  return faultsOf(line, booked).map((what) => ({ what, booked, ledger: undefined, processor: line }));
}

function faultsOf({ kind, money }: StatementLine, { gross, fee, net }: Booked): BookingFault[] {
  const faults: BookingFault[] = [];
  if (!grossOf[kind](gross, money.amount)) faults.push('gross_differs');
  if (gross - fee !== net) faults.push('net_differs');
  return faults;
}

/** The gross that a line can have, by what it is about. A payment that was captured in part is booked in full; a payout can come back. */
const grossOf: Readonly<Record<StatementLine['kind'], (gross: number, amount: number) => boolean>> = {
  payment: (gross, amount) => gross >= amount,
  dispute_reversal: (gross, amount) => gross === amount,
  refund: (gross, amount) => gross === -amount,
  dispute: (gross, amount) => gross === -amount,
  release: (gross, amount) => gross === -amount,
  payout: (gross, amount) => Math.abs(gross) === amount,
};

type CurrencyTotals = Map<string, ProcessorTotals>;

function addTotals(totals: Map<Tenant, CurrencyTotals>, line: StatementLine): void {
  const { tenant, kind, money, gross, fee = 0, net } = line;
  if (net === undefined && kind !== 'payout') return;
  // What is collected from the merchant, or has come back, is a payout too, in the other direction. Its fee is kept like any other.
  const payouts = kind === 'payout' ? -BigInt(gross ?? -money.amount) : 0n;
  const kept = { currency: money.currency, fee: BigInt(fee), net: BigInt(kind === 'payout' ? -fee : net!), payouts };
  addTo(
    getOrMake(totals, tenant, () => new Map()),
    kept,
  );
}

function addTo(totals: CurrencyTotals, { currency, fee, net, payouts }: ProcessorTotals): void {
  const sum = getOrMake(totals, currency, () => ({ currency, fee: 0n, net: 0n, payouts: 0n }));
  sum.fee += fee;
  sum.net += net;
  sum.payouts += payouts;
}

function inOrder(totals: CurrencyTotals = new Map()): ProcessorTotals[] {
  return [...totals.values()].sort((a, b) => (a.currency < b.currency ? -1 : 1));
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
  at: ConnectionsAt,
  owners: readonly AccountInMode[],
  source: NoticeSource,
  differences: readonly Difference[],
): Promise<NamedDifference[]> {
  const byTenant = new Map(owners.map((owner) => [owner.tenant, owner]));
  const lines = differences.map(({ ledger, processor }) => (ledger ?? processor)!);
  const payments = await findPayments(at, source, lines);
  return differences.map((difference, number) => {
    const line = lines[number]!;
    return { ...difference, line, owner: byTenant.get(line.tenant), payment: line.payment ?? payments[number]! };
  });
}
