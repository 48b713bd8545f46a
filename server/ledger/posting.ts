import { insert, type Table, table, type Write } from '../base/commit/index.ts';
import { type Id, laterId } from '../base/id.ts';
import type { Money } from '../base/money.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import { type LedgerAccount, type PostingKind, transfers } from './chart.ts';

export type PostingId = Id<'txn'>;

/** One movement of money from one account to another. It is balanced by construction, and never changed. */
export type Posting = {
  tenant: Tenant;
  id: PostingId;
  kind: PostingKind;
  debit: LedgerAccount;
  credit: LedgerAccount;
  amount: number;
  currency: string;
  /** The payment, refund, dispute or credit transaction that moved the money. */
  source: string;
  /** Null for credit, which belongs to no payment. */
  payment: Id<'py'> | null;
  /** The processor's reference; null for movements that the processor does not know. */
  reference: string | null;
  /** The day (YYYY-MM-DD, UTC) from which the money is available. */
  available_on: string;
};

export const postingsTable: Table<Posting> = table('postings', {
  int4: 'tenant',
  text: 'id kind debit credit currency source payment reference',
  int8: 'amount',
  date: 'available_on',
});

export type Movement = Pick<Posting, 'kind' | 'source' | 'payment' | 'reference'> & {
  money: Money;
  /** Days until the money is available. */
  inDays?: number;
};

/** The row of a movement, for the transaction that moves the money. */
export function post(tenant: Tenant, now: number, movement: Movement): Write {
  const { kind, source, payment, reference, money, inDays = 0 } = movement;
  return insert(postingsTable, {
    tenant,
    id: laterId('txn', now),
    kind,
    ...transfers[kind],
    amount: money.amount,
    currency: money.currency,
    source,
    payment,
    reference,
    available_on: dayOf(now, inDays),
  });
}

const dayMs = 86_400_000;

/** The days from now until the day that is `days` after the day of an earlier moment; none if it has passed. */
export function daysUntil(now: number, earlier: number, days: number): number {
  return Math.max(0, Math.floor(earlier / dayMs) + days - Math.floor(now / dayMs));
}

/** The day (YYYY-MM-DD, UTC) of a moment, or some days after it. */
export function dayOf(now: number, inDays = 0): string {
  return new Date(now + inDays * dayMs).toISOString().slice(0, 10);
}

/** Whether a text is a day that there is, as YYYY-MM-DD. */
export function isDay(text: string): boolean {
  const start = Date.parse(`${text}T00:00:00Z`);
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(start) && dayOf(start) === text;
}

/** A posting, and its place in the chain. */
export type PlacedPosting = Posting & { position: number; is_sealed: boolean };

const placedColumns = postingsTable.columns.map((column) => `p.${column}`).join(', ');

/** The postings that any of these objects has caused, before an id, newest first. Each has caused one of a kind at most. */
export function findPostingsOf(
  reads: Reads,
  tenant: Tenant,
  { ids, before, limit }: { ids: readonly string[]; before: string; limit: number },
): Promise<PlacedPosting[]> {
  return reads.rows<PlacedPosting>(
    `select ${placedColumns}, p.position, p.position < s.sealed_to as is_sealed
       from postings p cross join ledger_sealer s
      where p.tenant = $1 and p.source = any($2::text[]) and p.id < $3 order by p.id desc limit $4`,
    [tenant, ids, before, limit],
  );
}
