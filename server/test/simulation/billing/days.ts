/** The calendar by Julian day numbers: no `Date`, so that it shares nothing with the gateway's. */
export type IntervalModel = { unit: 'day' | 'week' | 'month' | 'year'; count: number };

export const daySeconds = 86_400;
const epochDay = 2_440_588; // 1970-01-01

/** The day number of a date, by Fliegel and Van Flandern. A month may be outside 1 to 12. */
function dayNumber(year: number, month: number, day: number): number {
  const y = year + Math.floor((month - 1) / 12);
  const m = ((((month - 1) % 12) + 12) % 12) + 1;
  const early = Math.trunc((m - 14) / 12);
  const years = Math.trunc((1_461 * (y + 4_800 + early)) / 4);
  const months = Math.trunc((367 * (m - 2 - 12 * early)) / 12);
  const centuries = Math.trunc((3 * Math.trunc((y + 4_900 + early) / 100)) / 4);
  return years + months - centuries + day - 32_075;
}

function dateOf(number: number): { year: number; month: number; day: number } {
  let l = number + 68_569;
  const n = Math.trunc((4 * l) / 146_097);
  l -= Math.trunc((146_097 * n + 3) / 4);
  const i = Math.trunc((4_000 * (l + 1)) / 1_461_001);
  l = l - Math.trunc((1_461 * i) / 4) + 31;
  const j = Math.trunc((80 * l) / 2_447);
  const day = l - Math.trunc((2_447 * j) / 80);
  const isLate = Math.trunc(j / 11);
  return { year: 100 * (n - 49) + i + isLate, month: j + 2 - 12 * isLate, day };
}

/** Seconds since 1970 of a moment in UTC. */
export function at(year: number, month: number, day: number, hour = 0, minute = 0, second = 0): number {
  return (dayNumber(year, month, day) - epochDay) * daySeconds + hour * 3_600 + minute * 60 + second;
}

/** The same day of another month, or the last day of that month. */
export function plusMonths(time: number, months: number): number {
  const { year, month, day } = dateOf(Math.floor(time / daySeconds) + epochDay);
  const first = dayNumber(year, month + months, 1);
  const length = dayNumber(year, month + months + 1, 1) - first;
  const days = first + Math.min(day, length) - 1 - epochDay;
  return days * daySeconds + (time - Math.floor(time / daySeconds) * daySeconds);
}

export function plusIntervals(time: number, { unit, count }: IntervalModel, times: number): number {
  if (unit === 'day') return time + times * count * daySeconds;
  if (unit === 'week') return time + times * count * 7 * daySeconds;
  return plusMonths(time, times * count * (unit === 'year' ? 12 : 1));
}
