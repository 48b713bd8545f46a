import { currencies } from './money.ts';
import { wordsOf } from './tones.ts';

/** The filters of a list, as they stand in the address of the page. */
export type Filter =
  /** `words`: for values that do not say by themselves what they mean. */
  | {
      kind: 'choice';
      name: string;
      title: string;
      choices: readonly string[];
      words?: Readonly<Record<string, string>>;
    }
  | { kind: 'text'; name: string; title: string; placeholder: string; suggestions?: readonly string[] }
  /** Two days, the last one included, in the zone of the browser; or two instants, `2026-11-16T09:00Z`, to before the last. */
  | { kind: 'days'; name: 'created'; title: string };

export const currencyFilter = {
  kind: 'text',
  name: 'currency',
  title: 'Currency',
  placeholder: 'eur',
  suggestions: currencies.map((code) => code.toLowerCase()),
} as const satisfies Filter;

export const createdFilter = { kind: 'days', name: 'created', title: 'Created' } as const satisfies Filter;

export type Search = Readonly<Record<string, string | undefined>>;

/** The names that a filter uses in the address. */
export function namesOf(filter: Filter): string[] {
  return filter.kind === 'days' ? [`${filter.name}_from`, `${filter.name}_to`] : [filter.name];
}

/** The parameters of the API for the filters that are set. What the API would refuse is sent, so that its words are shown. */
export function paramsOf(filters: readonly Filter[], search: Search): Record<string, unknown> {
  const params: Record<string, unknown> = {};
  for (const filter of filters) {
    const [first, last] = namesOf(filter).map((name) => search[name] || undefined);
    if (filter.kind !== 'days') {
      if (first !== undefined) params[filter.name] = first;
      continue;
    }
    const bounds = { ...within('gte', startOf(first, 0)), ...within('lt', startOf(last, 1)) };
    if (Object.keys(bounds).length > 0) params[filter.name] = bounds;
  }
  return params;
}

function within(bound: 'gte' | 'lt', seconds: number | undefined): Record<string, number> {
  return seconds === undefined ? {} : { [bound]: seconds };
}

const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/;

/** An instant for an address: the minute, in UTC. */
export function instantOf(seconds: number): string {
  return `${new Date(seconds * 1_000).toISOString().slice(0, 16)}Z`;
}

/** When a day begins here, some days later; or an instant. */
function startOf(day: string | undefined, daysLater: number): number | undefined {
  if (day !== undefined && instant.test(day)) return Math.floor(Date.parse(day) / 1_000) || undefined;
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return undefined;
  return Math.floor(new Date(Number(year), Number(month) - 1, Number(date) + daysLater).getTime() / 1_000);
}

export function choiceWords({ words }: Filter & { kind: 'choice' }, choice: string): string {
  return words?.[choice] ?? wordsOf(choice);
}

/** What is shown on the button of a filter that is set; undefined if it is not. */
export function shownValue(filter: Filter, search: Search): string | undefined {
  const [first, last] = namesOf(filter).map((name) => search[name] || undefined);
  if (filter.kind === 'choice') return first && choiceWords(filter, first);
  if (filter.kind === 'text') return first;
  if (first === undefined && last === undefined) return undefined;
  return first === last ? first : `${shownDay(first) ?? '…'} to ${shownDay(last) ?? 'today'}`;
}

/** An instant is shown in the zone of the browser, as the moments of the list are. */
function shownDay(day: string | undefined): string | undefined {
  if (day === undefined || !instant.test(day)) return day;
  const date = new Date(day);
  if (Number.isNaN(date.getTime())) return day;
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16).replace('T', ' ');
}
