import type { StatisticsSubscriptions } from '@tollgate/node';

const day = 86_400;
const daysMax = 366;
const names = ['new', 'lost', 'recovered', 'recovered_amount', 'lost_invoices', 'lost_amount'] as const;

type RecurringDay = { start: number; mrr: number | null; active: number | null; new: number; lost: number };

/** Subscriptions of one currency: as they were before a range and are at its end, what happened in it, and each day of it. */
export type Recurring = {
  currency: string;
  mrr: { now: number; before: number | undefined };
  active: { now: number; before: number | undefined };
  total: Record<(typeof names)[number], number>;
  days: readonly RecurringDay[];
};

/**
 * The days to ask for, which are those of UTC: all that a range touches, and the one before, with whose end it began. A day that has not
 * begun has no figures.
 */
export function daysAround(edges: readonly number[], now: Date): { from: number; to: number } {
  const [first, end] = [Math.floor(edges[0]! / day) * day, Math.ceil(edges.at(-1)! / day) * day];
  const tomorrow = (Math.floor(now.getTime() / 1_000 / day) + 1) * day;
  const to = Math.max(first + day, Math.min(end, tomorrow));
  return { from: Math.max(first - day, to - daysMax * day), to };
}

/** By currency, the one with most subscriptions first. */
export function recurringOf({ from, to, since, data }: StatisticsSubscriptions): Recurring[] {
  const first = Math.max(from, since ?? from);
  const starts = Array.from({ length: Math.round((to - from) / day) }, (_, at) => from + at * day).slice(1);
  return [...Map.groupBy(data, ({ currency }) => currency)]
    .map(([currency, found]) => {
      const on = new Map(found.map((one) => [one.start, one]));
      // A day without a row has none of this currency; one before the history is not known.
      const at = (start: number, of: 'mrr' | 'active') => (start < first ? undefined : (on.get(start)?.[of] ?? 0));
      const value = (of: 'mrr' | 'active') => ({ now: at(to - day, of) ?? 0, before: at(from, of) });
      const inRange = found.filter(({ start }) => start > from);
      const sum = (of: (typeof names)[number]) => inRange.reduce((total, one) => total + one[of], 0);
      return {
        currency,
        mrr: value('mrr'),
        active: value('active'),
        total: Object.fromEntries(names.map((name) => [name, sum(name)])) as Recurring['total'],
        days: starts.map((start) => ({
          start,
          mrr: at(start, 'mrr') ?? null,
          active: at(start, 'active') ?? null,
          new: on.get(start)?.new ?? 0,
          lost: on.get(start)?.lost ?? 0,
        })),
      };
    })
    .sort((one, other) => other.active.now - one.active.now || (one.currency < other.currency ? -1 : 1));
}
