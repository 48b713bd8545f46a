import type { Write } from '../base/commit/index.ts';
import type { Reads, Tenant } from '../base/reads.ts';
import { dayOf, type Posting, post, postingsTable } from './posting.ts';

const opposites = { payment: 'payment_correction', fee: 'fee_correction' } as const;

/** Takes back what was posted for a payment that never received its money: the money, and the fee. On no day is anything left. */
export async function takenBack(
  reads: Reads,
  tenant: Tenant,
  payment: Posting['payment'],
  now: number,
): Promise<Write[]> {
  const rows = await reads.rows<Posting & { kind: keyof typeof opposites }>(
    `select ${postingsTable.columns.join(', ')} from postings where tenant = $1 and source = $2 and kind = any($3)`,
    [tenant, payment, Object.keys(opposites)],
  );
  return rows.map(({ kind, source, reference, amount, currency, available_on }) =>
    post(tenant, now, {
      kind: opposites[kind],
      source,
      payment,
      reference,
      money: { amount, currency },
      inDays: Math.max(0, daysBetween(dayOf(now), available_on)),
    }),
  );
}

const dayMs = 86_400_000;

function daysBetween(first: string, last: string): number {
  return (Date.parse(last) - Date.parse(first)) / dayMs;
}
