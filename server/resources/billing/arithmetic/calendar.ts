/** Periods of time in UTC seconds. Every boundary is computed from the anchor, so that a short month changes no later one. */

export interface Recurring {
  interval: 'day' | 'week' | 'month' | 'year';
  interval_count: number;
}

/** From `start` up to, and without, `end`. */
export interface Period {
  start: number;
  end: number;
}

const secondsPerDay = 86_400;

/** Days and weeks have a fixed length. Months and years are months, whose length depends on where they are. */
const units = { day: { days: 1 }, week: { days: 7 }, month: { months: 1 }, year: { months: 12 } } as const;

const atMost = { day: 3 * 365, week: 3 * 52, month: 3 * 12, year: 3 } as const;

export function atMostThreeYears({ interval, interval_count }: Recurring): boolean {
  return interval_count <= atMost[interval];
}

/** The anchor plus `n` intervals; `n` may be 0 or negative. */
export function boundary(anchor: number, { interval, interval_count }: Recurring, n: number): number {
  const unit = units[interval];
  if ('days' in unit) return anchor + n * interval_count * unit.days * secondsPerDay;
  return monthsAfter(anchor, n * interval_count * unit.months);
}

/** The same day and time of day, so many months on; a day that the month lacks becomes its last day. */
export function monthsAfter(time: number, months: number): number {
  const date = new Date(time * 1_000);
  const year = date.getUTCFullYear();
  const month = date.getUTCMonth() + months;
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay)) / 1_000;
  return midnight + (time - Math.floor(time / secondsPerDay) * secondsPerDay);
}

/** The period with `start <= time < end`. */
export function periodAt(anchor: number, every: Recurring, time: number): Period {
  const guess = intervalsBetween(anchor, every, time);
  // The guess goes by months alone. In the month of a boundary, the time may still be before it.
  const n = boundary(anchor, every, guess) <= time ? guess : guess - 1;
  return { start: boundary(anchor, every, n), end: boundary(anchor, every, n + 1) };
}

/** The first boundary strictly after this time. */
export function boundaryAfter(anchor: number, every: Recurring, time: number): number {
  return periodAt(anchor, every, time).end;
}

/** How many whole intervals lie between two times; where an interval is made of months, between their months. */
function intervalsBetween(anchor: number, { interval, interval_count }: Recurring, time: number): number {
  const unit = units[interval];
  if ('days' in unit) return Math.floor((time - anchor) / (interval_count * unit.days * secondsPerDay));
  return Math.floor((monthNumber(time) - monthNumber(anchor)) / (interval_count * unit.months));
}

function monthNumber(time: number): number {
  const date = new Date(time * 1_000);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
