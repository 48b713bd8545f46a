import type {
  DayCounts,
  SubscriptionCounts,
  SubscriptionFigures,
  TimeBucket,
} from '../../../operations/extension_points/statistics.ts';
import type { Context } from '../../../operations/operation.ts';

const daySeconds = 86_400;

/** The days in UTC that a range touches. */
export function daysOf({ from, to }: { from: number; to: number }): TimeBucket[] {
  const first = Math.floor(from / daySeconds);
  return Array.from({ length: Math.ceil(to / daySeconds) - first }, (_, at) => {
    const start = (first + at) * daySeconds;
    return { start, end: start + daySeconds };
  });
}

/** What happens in a day, and is added up over days. What is at its end is not. */
const flows = ['new', 'lost', 'recovered', 'recovered_amount', 'lost_invoices', 'lost_amount'] as const;
const nothing: SubscriptionCounts = {
  mrr: 0,
  active: 0,
  new: 0,
  lost: 0,
  recovered: 0,
  recovered_amount: 0,
  lost_invoices: 0,
  lost_amount: 0,
};

export type CountedDay = { at: number; currency: string; counts: SubscriptionCounts };

/** Asks all sources, and joins their answers: one row for each day and currency with anything in it, in order. */
export async function readDays(
  context: Pick<Context, 'reads' | 'tenant' | 'now'>,
  sources: readonly SubscriptionFigures[],
  days: readonly TimeBucket[],
): Promise<{ since: number | undefined; rows: CountedDay[] }> {
  const answers = await Promise.all(sources.map((source) => source.read(context, days)));
  const known = Math.max(...answers.map(({ since = 0 }) => since));
  const isKnown = ({ at }: DayCounts) => days[at - 1]!.start >= known;
  const rows = joined(answers.flatMap(({ counts }) => counts).filter(isKnown));
  return { since: known > days[0]!.start ? known : undefined, rows };
}

export function joined(counts: readonly DayCounts[]): CountedDay[] {
  const rows = new Map<string, CountedDay>();
  for (const { at, currency, ...some } of counts) {
    const key = `${at}/${currency}`;
    const before = rows.get(key)?.counts ?? nothing;
    rows.set(key, { at, currency, counts: { ...before, ...some } });
  }
  return [...rows.values()]
    .filter(({ counts: all }) => Object.values(all).some((count) => count !== 0))
    .sort((one, other) => one.at - other.at || (one.currency < other.currency ? -1 : 1));
}

/** By currency: what happened in all days together, and what is at the end of the last of them. */
export function totalsOfDays(rows: readonly CountedDay[], last: number): Omit<CountedDay, 'at'>[] {
  const groups = [...Map.groupBy(rows, ({ currency }) => currency)].sort(([one], [other]) => (one < other ? -1 : 1));
  return groups.map(([currency, all]) => {
    const { mrr, active } = all.find(({ at }) => at === last)?.counts ?? nothing;
    const sums = flows.map((flow) => [flow, all.reduce((sum, { counts }) => sum + counts[flow], 0)]);
    return { currency, counts: { ...nothing, ...Object.fromEntries(sums), mrr, active } };
  });
}
