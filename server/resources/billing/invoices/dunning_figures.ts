import type { Reads, Tenant } from '../../../base/reads.ts';
import type { DayCounts, SubscriptionFigures, TimeBucket } from '../../../operations/extension_points/statistics.ts';

/** What dunning has brought in each day, and what was given up, by real time whatever the test clock. */
export const dunningFigures: SubscriptionFigures = {
  async read({ reads, tenant }, days) {
    const ends = await readEnds(reads, tenant, days);
    return { counts: ends.map(countsOf) };
  },
};

type DunningEnd = { at: number; currency: string; status: string; count: number; amount: string };

function countsOf({ at, currency, status, count, amount }: DunningEnd): DayCounts {
  return status === 'paid'
    ? { at, currency, recovered: count, recovered_amount: Number(amount) }
    : { at, currency, lost_invoices: count, lost_amount: Number(amount) };
}

/** What a paid invoice was paid is what was due. */
function readEnds(reads: Reads, tenant: Tenant, days: readonly TimeBucket[]): Promise<DunningEnd[]> {
  return reads.rows<DunningEnd>(
    `select b.at, f.currency, f.status, f.count, f.amount
       from unnest($2::int8[], $3::int8[]) with ordinality as b (first, next, at)
      cross join lateral (
        select currency, status, count(*) as count, sum(amount_due) as amount from invoices
         where tenant = $1 and dunning_ended_at >= to_timestamp(b.first) and dunning_ended_at < to_timestamp(b.next)
         group by currency, status) f`,
    [tenant, days.map(({ start }) => start), days.map(({ end }) => end)],
  );
}
