import type { Recurring } from './calendar.ts';
import { share } from './proration.ts';

/** How many periods of one interval there are in how many months: a year has 12 months, 52 weeks or 365 days. */
const periodsInMonths = { day: [365, 12], week: [52, 12], month: [1, 1], year: [1, 12] } as const;

/** An amount that recurs, for a month. */
export function monthlyAmount(amount: number, { interval, interval_count }: Recurring): number {
  const [periods, months] = periodsInMonths[interval];
  return share(amount, periods, months * interval_count);
}
