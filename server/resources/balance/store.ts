import type { Reads, Tenant } from '../../base/reads.ts';
import { type PostingKind, postingKinds } from '../../ledger/chart.ts';
import { type Posting, postingsTable } from '../../ledger/posting.ts';
import { orderOf, type Range } from '../list.ts';
import { kindsOf } from './transaction.ts';

export type TransactionFilter = { type?: string; source?: string; payment?: string };

/**
 * The postings of a range that change the balance, in the order of the range. Where several indexes serve the filter, at most a page of
 * each is merged.
 */
export function findPostings(
  reads: Reads,
  tenant: Tenant,
  filter: TransactionFilter,
  range: Range,
): Promise<Posting[]> {
  const values: unknown[] = [tenant];
  const bind = (value: unknown) => `$${values.push(value)}`;
  const within = range.bounds.map(([comparison, id]) => ` and id ${comparison} ${bind(id)}`).join('');
  const columns = postingsTable.columns.join(', ');
  const parts = waysOf(filter, bind).map(
    (way) => `select ${columns} from ${postingsTable.name} where tenant = $1 and ${way}${within} ${orderOf(range)}`,
  );
  const found = parts.map((part) => `(${part})`).join(' union all ');
  return reads.rows<Posting>(`select ${columns} from (${found}) as found ${orderOf(range)}`, values);
}

/** Conditions, each of which an index serves. */
function waysOf({ type, source, payment }: TransactionFilter, bind: (value: unknown) => string): string[] {
  const kinds = kindsOf(type);
  if (source !== undefined) {
    const ofPayment = payment === undefined ? '' : ` and payment = ${bind(payment)}`;
    return [`source = ${bind(source)}${ofPayment} and ${isOneOf(kinds)}`];
  }
  if (payment !== undefined) {
    const id = bind(payment);
    return [
      `source = ${id} and payment = ${id} and ${isOneOf(kinds)}`,
      `payment = ${id} and source <> payment and ${isOneOf(kinds)}`,
    ];
  }
  // Payments have no index of their own, because most postings are theirs.
  if (type === undefined || type === 'payment') return [isOneOf(kinds)];
  return kinds.map((kind) => `kind = '${kind}'`);
}

/** Names the other kinds: before the table is analyzed, the planner expects few rows of an equation, and sorts instead of reading in order. */
function isOneOf(kinds: readonly PostingKind[]): string {
  const others = postingKinds.filter((kind) => !kinds.includes(kind));
  return `kind not in (${others.map((kind) => `'${kind}'`).join(', ')})`;
}
