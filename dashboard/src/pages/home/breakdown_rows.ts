import type { StatisticsBreakdown } from '@tollgate/node';

type Tally = { payments: number; succeeded: number; failed: number };

/** Payments that have something in common; without a value: those that have none, or many that have less in common. */
export type BreakdownRow = Tally & { value?: string; others?: number };

const rowsMax = 5;

/** The rows of a currency that are shown: those with most payments, and one for all others. */
export function rowsOf({ data, other }: Pick<StatisticsBreakdown, 'data' | 'other'>, currency: string): BreakdownRow[] {
  const all = data.filter((row) => row.currency === currency);
  const rest = other.find((row) => row.currency === currency);
  if (all.length <= rowsMax && rest === undefined) return all;
  const left = all.slice(rowsMax - 1);
  const others = {
    ...sumOf([...left, ...(rest === undefined ? [] : [rest])]),
    others: left.length + (rest?.values ?? 0),
  };
  return [...all.slice(0, rowsMax - 1), others];
}

function sumOf(all: readonly Tally[]): Tally {
  const sum = (of: keyof Tally) => all.reduce((total, one) => total + one[of], 0);
  return { payments: sum('payments'), succeeded: sum('succeeded'), failed: sum('failed') };
}

/** What an answer may depend on: of few payments it is read again as they change, of many every minute. */
export function freshness({ payments, succeeded, failed }: Tally): { key: string; everyMs?: number } {
  return payments < 10_000 ? { key: [payments, succeeded, failed].join() } : { key: 'many', everyMs: 60_000 };
}
