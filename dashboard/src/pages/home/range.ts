import { dayOf, instantOf, startOf } from '../../kit/days.ts';
import type { Search } from '../../kit/filters.ts';

export const ranges = {
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '12m': '12 months',
} as const;
type RangeName = keyof typeof ranges;

/** A range of time in parts: part n is from edge n to before edge n + 1, in epoch seconds. Days and months are those of the browser. */
export type Span = { unit: 'hour' | 'day' | 'month'; edges: readonly number[] };

const hour = 3_600;
const day = 24 * hour;
const daysMax = 366;
/** So few days are shown by the hour, and so many by the month. */
const daysByHour = 2;
const daysByMonth = 120;

/** The range that the address names: `range=30d`, or `from=2026-11-01&to=2026-11-16`. */
export function rangeOf({ range, from, to }: Search): RangeName | { from: string; to: string } {
  if (from !== undefined && to !== undefined && rangeProblem(from, to) === undefined) return { from, to };
  return range !== undefined && Object.hasOwn(ranges, range) ? (range as RangeName) : '7d';
}

/** When a day begins here, some days later. An instant is no day. */
const midnight = (day: string, daysLater: number) => (day.includes('T') ? undefined : startOf(day, daysLater));

/** Why two days are no range. */
export function rangeProblem(from: string, to: string): string | undefined {
  const [first, last] = [midnight(from, 0), midnight(to, 1)];
  if (first === undefined || last === undefined) return 'Select two days';
  if (last <= first) return 'The last day must not be before the first';
  return last - first > daysMax * day + 2 * hour ? `At most ${daysMax} days` : undefined;
}

export function spanOf(search: Search, now: Date): Span {
  const range = rangeOf(search);
  if (range === '24h') {
    const end = (Math.floor(now.getTime() / 1_000 / hour) + 1) * hour;
    return { unit: 'hour', edges: steps(end - day, end) };
  }
  const today = dayOf(now.getTime() / 1_000);
  const { from, to } = typeof range === 'object' ? range : { from: firstDayOf(range, now), to: today };
  const [start, end] = [midnight(from, 0)!, midnight(to, 1)!];
  const count = Math.round((end - start) / day);
  if (count <= daysByHour) return { unit: 'hour', edges: steps(start, end) };
  return count < daysByMonth
    ? { unit: 'day', edges: daysOf(start, end) }
    : { unit: 'month', edges: monthsOf(start, end) };
}

function firstDayOf(range: Exclude<RangeName, '24h'>, now: Date): string {
  const [year, month, date] = [now.getFullYear(), now.getMonth(), now.getDate()];
  const back = { '7d': 6, '30d': 29, '90d': 89 };
  const first = range === '12m' ? new Date(year, month - 11, 1) : new Date(year, month, date - back[range]);
  return dayOf(first.getTime() / 1_000);
}

/** Every midnight between two moments, and both of them. */
function daysOf(from: number, to: number): number[] {
  const days = [from];
  for (let n = 1; days.at(-1)! < to; n++) days.push(Math.min(midnight(dayOf(from), n)!, to));
  return days;
}

/** The first of every month between two moments, and both of them. */
function monthsOf(from: number, to: number): number[] {
  return daysOf(from, to).filter((edge) => edge === from || edge === to || new Date(edge * 1_000).getDate() === 1);
}

/**
 * As many hours, days or months before a range. Where the range has not ended, neither has this one: its last part ends at the same
 * hour, so that what is compared is equally long.
 */
export function spanBefore({ unit, edges }: Span, now: Date): Span {
  const [start, end] = [edges[0]!, edges.at(-1)!];
  if (unit === 'hour') return { unit, edges: edges.map((edge) => edge - (end - start)) };
  const back =
    unit === 'day' ? { days: Math.round((end - start) / day), months: 0 } : { days: 0, months: edges.length - 1 };
  const shifted = edges.map((edge) => earlier(edge, back));
  const last = { start: edges.at(-2)!, shifted: shifted.at(-2)! };
  const hoursNow = Math.ceil(now.getTime() / 1_000 / hour) * hour - last.start;
  const isUnderWay = hoursNow > 0 && last.start + hoursNow < end;
  const stop = isUnderWay ? Math.min(last.shifted + hoursNow, shifted.at(-1)!) : shifted.at(-1)!;
  return { unit, edges: [...shifted.slice(0, -1), stop] };
}

function earlier(midnight: number, { days, months }: { days: number; months: number }): number {
  const date = new Date(midnight * 1_000);
  const [year, month] = [date.getFullYear(), date.getMonth() - months];
  // Six months before August 31 is the end of February: the beginning of March would come after the next edge.
  const lastOfMonth = new Date(year, month + 1, 0).getDate();
  return new Date(year, month, Math.min(date.getDate(), lastOfMonth) - days).getTime() / 1_000;
}

/** The last hour is shorter where clocks change by half an hour. */
function steps(from: number, to: number): number[] {
  return [...Array.from({ length: Math.ceil((to - from) / hour) }, (_, n) => from + n * hour), to];
}

/**
 * The questions to ask: the API's days have 24 hours. A day of 23 or 25 hours, when clocks change, is asked for by itself, so that all
 * others begin at midnight.
 */
export function questionsOf({ unit, edges }: Span): { from: number; to: number }[] {
  const [start, end] = [edges[0]!, edges.at(-1)!];
  if (unit === 'hour') return [{ from: start, to: end }];
  const days = daysOf(start, end);
  const questions: { from: number; to: number; isWhole: boolean }[] = [];
  for (const [at, from] of days.slice(0, -1).entries()) {
    const to = days[at + 1]!;
    const isWhole = to - from === day;
    const last = questions.at(-1);
    if (last?.isWhole && isWhole) last.to = to;
    else questions.push({ from, to, isWhole });
  }
  return questions.map(({ from, to }) => ({ from, to }));
}

/** The filters of a list that has exactly the objects of some parts: of all of them, unless one is named. */
export function filtersOf({ unit, edges }: Span, part?: number): Search {
  const [from, to] = part === undefined ? [edges[0]!, edges.at(-1)!] : [edges[part]!, edges[part + 1]!];
  return unit === 'hour'
    ? { created_from: instantOf(from), created_to: instantOf(to) }
    : { created_from: dayOf(from), created_to: dayOf(to - 1) };
}

const hourWords = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const shortHourWords = new Intl.DateTimeFormat(undefined, { hour: 'numeric' });
const dayWords = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const weekdayWords = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });
const monthWords = new Intl.DateTimeFormat(undefined, { month: 'short' });
const longMonthWords = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric' });
const dayOfYearWords = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', year: 'numeric' });
const momentWords = new Intl.DateTimeFormat(undefined, {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

/** Below the chart. */
export function shortName({ unit, edges }: Span, part: number): string {
  return { hour: shortHourWords, day: dayWords, month: monthWords }[unit].format(edges[part]! * 1_000);
}

/** `Mon, Nov 16`, `Mon, Nov 16, 13:00 – 14:00`, or `November 2026`. */
export function partName({ unit, edges }: Span, part: number): string {
  const [from, to] = [edges[part]! * 1_000, edges[part + 1]! * 1_000];
  if (unit === 'month') return longMonthWords.format(from);
  const words = weekdayWords.format(from);
  return unit === 'day' ? words : `${words}, ${hourWords.format(from)} – ${hourWords.format(to)}`;
}

/** `Nov 4 – 10`, with years unless all of it is in this one. */
export function spanName({ unit, edges }: Span): string {
  const [from, to] = [edges[0]! * 1_000, edges.at(-1)! * 1_000];
  if (unit === 'hour') return momentWords.formatRange(from, to);
  return daysOfThisYear(from).formatRange(from, to - 1);
}

/** Whether a range has not ended: what it is compared with ends at the same hour. */
export function isUnderWay({ edges }: Span, now: Date): boolean {
  return now.getTime() / 1_000 < edges.at(-1)!;
}

/** `Nov 17`: the day on which a part begins. */
export function firstDay({ edges }: Span, part: number): string {
  const at = edges[part]! * 1_000;
  return daysOfThisYear(at).format(at);
}

function daysOfThisYear(at: number): Intl.DateTimeFormat {
  return new Date(at).getFullYear() === new Date().getFullYear() ? dayWords : dayOfYearWords;
}
