import { insert, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import { type ConnectionsAt, firstRowsEverywhere } from '../../../base/places/connections.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { NoticeSource } from '../../../connectors/index.ts';
import { type Lacking, missingKindsSql } from '../../../ledger/missing.ts';
import type { Context } from '../../../operations/operation.ts';
import { everyTenant } from '../../../operations/tenants.ts';
import type { Reader } from '../attempts/topic.ts';
import type { Payment } from '../payments/payment.ts';
import type { Dispute } from './dispute.ts';

export const disputesTable: Table<Dispute> = table('disputes', {
  int4: 'tenant version submission_count inquiries',
  text: 'id payment currency reason status connector processor_account reference open_attempt review test_clock',
  int8: 'amount',
  json: 'evidence metadata',
  timestamptz: 'created_at due_by flagged_at due_at lease_until',
});

const expected = `case
  when d.review = 'currency' then array[]::text[]
  when d.status = 'won' then array['dispute', 'dispute_reversal']
  when d.status = 'lost' then array['dispute', 'dispute_lost']
  else array['dispute'] end`;

/** The oldest disputes that lack postings, with the kinds that they lack. */
export function findUnposted(reads: Reads, tenant: Tenant, max: number): Promise<(Dispute & Lacking)[]> {
  return reads.rows(
    `select ${disputesTable.columns.join(', ')}, lacking
       from disputes d cross join lateral (select ${missingKindsSql('d', expected)} as lacking) l
      where tenant = $1 and lacking <> '{}' order by id limit $2`,
    [tenant, max],
  );
}

/** By the processor's own id of the dispute. */
export async function findDisputeOf({ reads, tenant }: Reader, source: NoticeSource, reference: string) {
  const columns = disputesTable.columns.join(', ');
  const [dispute] = await reads.rows<Dispute>(
    `select ${columns} from disputes
      where tenant = $1 and connector = $2 and reference = $3 and processor_account is not distinct from $4`,
    [tenant, source.connector, reference, source.processor_account],
  );
  return dispute;
}

export const addDispute = (dispute: Dispute): Write => insert(disputesTable, dispute);
export const replaceDispute = (dispute: Dispute): Write => update(disputesTable, dispute);

/** Those that wait for evidence, the most urgent first. */
export function findWaiting(reads: Reads, tenant: Tenant, limit: number): Promise<Dispute[]> {
  return reads.rows<Dispute>(
    `select ${disputesTable.columns.join(', ')} from disputes
      where tenant = $1 and status = 'needs_response' order by due_by, id limit $2`,
    [tenant, limit],
  );
}

/** Those whose money does not fit the payment, the oldest first. */
export function findToReview(reads: Reads, tenant: Tenant, limit: number): Promise<Dispute[]> {
  return reads.rows<Dispute>(
    `select ${disputesTable.columns.join(', ')} from disputes
      where tenant = $1 and review is not null order by id limit $2`,
    [tenant, limit],
  );
}

const toReviewMax = 1_000;

/** The same, of all tenants. */
export async function findAllToReview(at: ConnectionsAt): Promise<Dispute[]> {
  const text = `select ${disputesTable.columns.join(', ')} from disputes
    where tenant = any($1::int4[]) and review is not null order by id`;
  return firstRowsEverywhere<Dispute>(at, text, [await everyTenant(at.directory)], {
    order: (one, other) => (one.id < other.id ? -1 : 1),
    limit: toReviewMax,
  });
}

/** A dispute that holds the money of a payment, or has taken it: one that was not won. */
export async function findHolding({ reads, tenant }: Reader, payment: string) {
  const [row] = await reads.rows<Pick<Dispute, 'id' | 'status'>>(
    `select id, status from disputes where tenant = $1 and payment = $2 and status <> 'won' order by id desc limit 1`,
    [tenant, payment],
  );
  return row;
}

/** How much of each payment was lost in disputes, in the currency of the payment; absent where nothing was. */
export async function findLost({ reads, tenant }: Reader, payments: readonly Pick<Payment, 'id' | 'currency'>[]) {
  const rows = await reads.rows<{ payment: string; amount: number }>(
    `select d.payment, sum(d.amount)::int8 as amount
       from disputes d join unnest($2::text[], $3::text[]) as p (id, currency) on d.payment = p.id and d.currency = p.currency
      where d.tenant = $1 and d.status = 'lost' group by d.payment`,
    [tenant, payments.map(({ id }) => id), payments.map(({ currency }) => currency)],
  );
  return new Map(rows.map(({ payment, amount }) => [payment, amount]));
}

/** By the processor's own id of the dispute, whichever processor it is. */
export async function findDisputesByReference(
  { reads, tenant, connectors }: Reader & Pick<Context, 'connectors'>,
  { reference }: { reference?: string | undefined },
  limit: number,
): Promise<Dispute[]> {
  if (reference === undefined) return [];
  const names = [...connectors.names, ...connectors.all.map(({ name }) => name)];
  return reads.rows<Dispute>(
    `select ${disputesTable.columns.join(', ')} from disputes
      where tenant = $1 and connector = any($2::text[]) and reference = $3 limit $4`,
    [tenant, names, reference, limit],
  );
}
