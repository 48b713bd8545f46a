import { save, type Table, table, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { PostingKind } from '../../../ledger/chart.ts';
import { isPostedSql, type Lacking, missingKindsSql } from '../../../ledger/missing.ts';
import type { Reader } from '../attempts/topic.ts';
import type { Refund } from './refund.ts';

export const refundsTable: Table<Refund> = table('refunds', {
  int4: 'tenant version inquiries',
  text: 'id payment currency status reason failure_reason attempt processor_reference test_clock',
  int8: 'amount',
  json: 'metadata',
  timestamptz: 'created_at flagged_at due_at lease_until',
});

const posted = (kind: PostingKind) => isPostedSql('r', kind);

/**
 * A refund that has come back had settled before: the processor's books have both. One that has failed and was made after all was
 * corrected by a person; it has never settled, and it may come back, too.
 */
const expected = `case
  when r.status = 'succeeded' and (${posted('refund_failure')} or ${posted('refund_correction')})
    then array['refund', 'refund_failure', 'refund_correction']
  when r.status = 'succeeded' then array['refund', 'refund_settled']
  when r.status <> 'failed' then array['refund']
  when ${posted('refund_correction')} or (${posted('refund_failure')} and ${posted('refund_bounce')})
    then array['refund', 'refund_failure', 'refund_correction', 'refund_bounce']
  when ${posted('refund_settled')} or ${posted('refund_bounce')} then array['refund', 'refund_settled', 'refund_bounce']
  else array['refund', 'refund_failure'] end`;

/** The oldest refunds that lack postings, with the kinds that they lack. */
export function findUnposted(reads: Reads, tenant: Tenant, max: number): Promise<(Refund & Lacking)[]> {
  return reads.rows(
    `select ${refundsTable.columns.join(', ')}, lacking
       from refunds r cross join lateral (select ${missingKindsSql('r', expected)} as lacking) l
      where tenant = $1 and lacking <> '{}' order by id limit $2`,
    [tenant, max],
  );
}

export const saveRefund = (refund: Refund): Write => save(refundsTable, refund);

/** Whether a refund of a payment has no outcome yet. */
export async function isRefundPending({ reads, tenant }: Reader, payment: string): Promise<boolean> {
  const text = `select 1 from refunds where tenant = $1 and payment = $2 and status = 'pending' limit 1`;
  return (await reads.rows(text, [tenant, payment])).length > 0;
}
