import { firstIdAt } from '../../../base/id.ts';
import { rateOf } from '../../../base/rate.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { FigureSource, TimeBucket } from '../../../operations/extension_points/statistics.ts';

/** The buckets of a range. The first begins where the range does; the last ends where it does. */
export function bucketsOf({ from, to, seconds }: { from: number; to: number; seconds: number }): TimeBucket[] {
  return Array.from({ length: Math.ceil((to - from) / seconds) }, (_, at) => {
    const start = from + at * seconds;
    return { start, end: Math.min(start + seconds, to) };
  });
}

/** How many objects of a currency that count alike were created in a bucket, and their amount. */
export type Figure = { at: number; currency: string; value: string; count: number; amount: string };

/**
 * An id begins with the time of its creation, so a bucket is a range of ids, as the same bounds are for a list. The values that count
 * are named for the index that begins with them: it has all that is needed.
 */
export function readFigures(
  reads: Reads,
  tenant: Tenant,
  { table, prefix, countedBy, amount }: Omit<FigureSource, 'of'>,
  buckets: readonly TimeBucket[],
  currency: string | null,
  only?: { column: string; value: string },
): Promise<Figure[]> {
  const idAt = (seconds: number) => firstIdAt(prefix, seconds * 1_000);
  return reads.rows<Figure>(
    `select b.at, f.currency, f.value, f.count, f.amount
       from unnest($2::text[], $3::text[]) with ordinality as b (first, next, at)
      cross join lateral (
        select currency, ${countedBy.column} as value, count(*) as count, sum(${amount}) as amount from ${table.name}
         where tenant = $1 and ${countedBy.column} = any($4) and id >= b.first and id < b.next and ($5::text is null or currency = $5)
           ${only === undefined ? '' : `and ${only.column} = $6`}
         group by currency, ${countedBy.column}) f`,
    [
      tenant,
      buckets.map(({ start }) => idAt(start)),
      buckets.map(({ end }) => idAt(end)),
      countedBy.values,
      currency,
      ...(only === undefined ? [] : [only.value]),
    ],
  );
}

const nothing = {
  payments: 0,
  succeeded: 0,
  failed: 0,
  volume: 0,
  refunds: 0,
  refunded: 0,
  disputes: 0,
  disputed: 0,
  withdrawn: 0,
  fees: 0,
};
export type Counts = typeof nothing;

/** What a figure adds to the counts. */
function countsOf(of: FigureSource['of'], figure: Figure): Partial<Counts> {
  const { value, count } = figure;
  const amount = Number(figure.amount);
  if (of === 'fees') return { fees: value === 'fee_correction' ? -amount : amount };
  if (of === 'disputes') return { disputes: count, disputed: amount, withdrawn: value === 'won' ? 0 : amount };
  if (of === 'refunds') return value === 'succeeded' ? { refunds: count, refunded: amount } : {};
  if (value === 'succeeded') return { payments: count, succeeded: count, volume: amount };
  return value === 'failed' ? { payments: count, failed: count } : { payments: count };
}

export type Counted = { at: number; currency: string; counts: Counts };

/** One row for each bucket and currency with anything in it, in order. */
export function pivoted(found: readonly { of: FigureSource['of']; figures: readonly Figure[] }[]): Counted[] {
  const rows = new Map<string, Counted>();
  for (const { of, figures } of found)
    for (const figure of figures) {
      const { at, currency } = figure;
      const added = countsOf(of, figure);
      const name = `${at}/${currency}`;
      const row = rows.get(name) ?? { at, currency, counts: nothing };
      if (Object.keys(added).length > 0) rows.set(name, { at, currency, counts: sum(row.counts, added) });
    }
  return [...rows.values()].sort((one, other) => one.at - other.at || (one.currency < other.currency ? -1 : 1));
}

export function sum(one: Counts, other: Partial<Counts>): Counts {
  const names = Object.keys(nothing) as (keyof Counts)[];
  return Object.fromEntries(names.map((name) => [name, one[name] + (other[name] ?? 0)])) as Counts;
}

/** The counts of all buckets together, by currency. */
export function totalsOf(rows: readonly Counted[]): Omit<Counted, 'at'>[] {
  const groups = [...Map.groupBy(rows, ({ currency }) => currency)].sort(([one], [other]) => (one < other ? -1 : 1));
  return groups.map(([currency, all]) => ({
    currency,
    counts: all.reduce((total, { counts }) => sum(total, counts), nothing),
  }));
}

/** The part of the decided payments that has succeeded, to four digits; undefined while none is decided. */
export function successRate({ succeeded, failed }: Pick<Counts, 'succeeded' | 'failed'>): number | undefined {
  return rateOf(succeeded, succeeded + failed);
}

/** What is left of the volume: open disputes count as lost, as they do in the balance, until they are won. */
export function netOf({ volume, refunded, withdrawn, fees }: Counts): number {
  return volume - refunded - withdrawn - fees;
}
