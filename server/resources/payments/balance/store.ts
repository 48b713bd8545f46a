import type { Reads, Tenant } from '../../../base/reads.ts';
import { type PostingKind, postingKinds } from '../../../ledger/chart.ts';
import { type Posting, postingsTable } from '../../../ledger/posting.ts';
import { mergedParts, partOf, type Range } from '../../../operations/range.ts';
import { bindings, type FilteredScan, type ScanLimits, type ScanResult, scan } from '../../../operations/scan.ts';
import { kindsOf } from './transaction.ts';

export type TransactionFilter = { type?: string; source?: string; payment?: string };

/** The postings of a range that change the balance, in the order of the range. Without a filter they are walked, within the limits. */
export async function findPostings(
  reads: Reads,
  tenant: Tenant,
  filter: TransactionFilter,
  range: Range,
  limits: ScanLimits = {},
): Promise<ScanResult<Posting>> {
  const { type, source, payment } = filter;
  if ((type ?? source ?? payment) === undefined)
    return scan<Posting>({ reads, owner: tenant }, range, everyKind, limits);
  return { rows: await filteredPostings(reads, tenant, filter, range) };
}

/** Most postings change the balance, but a year of credit does not: no statement reads past all of it. */
const everyKind: FilteredScan = {
  rows: (range, bind) => [`select ${columns} from ${postingsTable.name} where tenant = $1 ${partOf(range, [], bind)}`],
  parts: 1,
  conditions: () => [isOneOf(kindsOf(undefined))],
  firstStepFactor: 1.5,
  shown: { columns: postingsTable.columns.map((column) => `found.${column}`).join(', '), join: '' },
};

/** Where several indexes serve the filter, at most a page of each is merged. */
function filteredPostings(reads: Reads, tenant: Tenant, filter: TransactionFilter, range: Range): Promise<Posting[]> {
  const { values, bind } = bindings(tenant);
  const parts = waysOf(filter, bind).map(
    ({ from = postingsTable.name, where = 'true', within = [] }) =>
      `select ${columns} from ${from} where tenant = $1 and ${where} ${partOf(range, within, bind)}`,
  );
  return reads.rows<Posting>(mergedParts(parts, columns, range), values);
}

const columns = postingsTable.columns.join(', ');

/** A condition, and the columns whose index gives the rows in order; the primary key, when there are none. */
type Way = { from?: string; where?: string; within?: readonly (readonly [column: string, value: string])[] };

/** Ways to the rows, each of which an index serves. */
function waysOf({ type, source, payment }: TransactionFilter, bind: (value: unknown) => string): Way[] {
  const kinds = kindsOf(type);
  if (source !== undefined)
    return [{ from: causedBy(bind(source)), where: andPayment(payment && bind(payment), kinds) }];
  if (payment !== undefined) {
    const id = bind(payment);
    return [
      { from: causedBy(id), where: andPayment(id, kinds) },
      ...kinds.map((kind) => ({ where: 'source <> payment', within: [['payment', id], kindIs(kind)] as const })),
    ];
  }
  return kinds.map((kind) => ({ within: [kindIs(kind)] }));
}

const kindIs = (kind: PostingKind) => ['kind', `'${kind}'`] as const;

/** The postings with a source: one of each kind at most. The offset keeps the planner from looking for them along the primary key. */
function causedBy(source: string): string {
  return `(select ${columns} from ${postingsTable.name} where tenant = $1 and source = ${source} offset 0) as few`;
}

function andPayment(payment: string | undefined, kinds: readonly PostingKind[]): string {
  return payment === undefined ? isOneOf(kinds) : `payment = ${payment} and ${isOneOf(kinds)}`;
}

/** Names the other kinds: before the table is analyzed, the planner expects few rows of an equation, and sorts instead of reading in order. */
function isOneOf(kinds: readonly PostingKind[]): string {
  const others = postingKinds.filter((kind) => !kinds.includes(kind));
  return `kind not in (${others.map((kind) => `'${kind}'`).join(', ')})`;
}
