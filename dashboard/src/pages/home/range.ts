import { instantOf } from '../../kit/days.ts';
import type { Search } from '../../kit/filters.ts';

export const ranges = { '24h': '24 hours', '7d': '7 days', '30d': '30 days' } as const;
type RangeName = keyof typeof ranges;

/** A range of time in parts: part n is from edge n to before edge n + 1, in epoch seconds. Days are those of the browser. */
export type Span = { unit: 'hour' | 'day'; edges: readonly number[] };

const hour = 3_600;
const day = 24 * hour;
const daysMax = 366;
/** So few days are shown by the hour. */
const daysByHour = 2;

/** The range that the address names: `range=30d`, or `from=2026-11-01&to=2026-11-16`. */
export function rangeOf({ range, from, to }: Search): RangeName | { from: string; to: string } {
  if (from !== undefined && to !== undefined && rangeProblem(from, to) === undefined) return { from, to };
  return range !== undefined && Object.hasOwn(ranges, range) ? (range as RangeName) : '7d';
}

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
  const [first, last] = typeof range === 'object' ? [range.from, range.to] : [undefined, today];
  const end = midnight(last, 1)!;
  const days = [end];
  const start = first === undefined ? midnight(today, range === '7d' ? -6 : -29)! : midnight(first, 0)!;
  for (let back = 0; days[0]! > start; back--) days.unshift(midnight(last, back)!);
  return days.length - 1 <= daysByHour ? { unit: 'hour', edges: steps(start, end) } : { unit: 'day', edges: days };
}

/** The last hour is shorter where clocks change by half an hour. */
function steps(from: number, to: number): number[] {
  return [...Array.from({ length: Math.ceil((to - from) / hour) }, (_, n) => from + n * hour), to];
}

/** When a day begins here, some days later. */
function midnight(text: string, daysLater: number): number | undefined {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const at = new Date(Number(year), Number(month) - 1, Number(date) + daysLater).getTime();
  return Math.floor(at / 1_000);
}

/** `2026-11-16`, here. */
export function dayOf(seconds: number): string {
  const date = new Date(seconds * 1_000);
  return [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
}

/**
 * The questions to ask: the API's days have 24 hours. A day of 23 or 25 hours, when clocks change, is asked for by itself, so that all
 * others begin at midnight.
 */
export function questionsOf({ unit, edges }: Span): { from: number; to: number }[] {
  if (unit === 'hour') return [{ from: edges[0]!, to: edges.at(-1)! }];
  const questions: { from: number; to: number; isWhole: boolean }[] = [];
  for (const [at, from] of edges.slice(0, -1).entries()) {
    const to = edges[at + 1]!;
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
  return unit === 'day'
    ? { created_from: dayOf(from), created_to: dayOf(to - 1) }
    : { created_from: instantOf(from), created_to: instantOf(to) };
}

const hourWords = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const dayWords = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const weekdayWords = new Intl.DateTimeFormat(undefined, { weekday: 'short', day: 'numeric', month: 'short' });

/** Below the chart. */
export function shortName({ unit, edges }: Span, part: number): string {
  return (unit === 'day' ? dayWords : hourWords).format(edges[part]! * 1_000);
}

/** `Mon, Nov 16`, or `Mon, Nov 16, 13:00 – 14:00`. */
export function partName({ unit, edges }: Span, part: number): string {
  const [from, to] = [edges[part]! * 1_000, edges[part + 1]! * 1_000];
  const words = weekdayWords.format(from);
  return unit === 'day' ? words : `${words}, ${hourWords.format(from)} – ${hourWords.format(to)}`;
}
