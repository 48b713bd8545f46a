import type { ReactNode } from 'react';
import { amountBounds } from './amount_words.ts';
import { isDay, shownDay, startOf } from './days.ts';
import { isId, type SearchKind } from './found_ids.ts';
import { currencies } from './money.ts';
import { wordsOf } from './tones.ts';

/** `words`: for values that do not say by themselves what they mean. */
type Choices = { choices: readonly string[]; words?: Readonly<Record<string, string>> };

/** The filters of a list, as they stand in the address of the page. */
export type Filter = {
  name: string;
  title: string;
  /** Shown when it is set, or when somebody wants to see all. */
  isRare?: boolean;
} & (
  | ({ kind: 'choice' } & Choices)
  /** Several, with commas between: `failed,canceled`. */
  | ({ kind: 'choices' } & Choices)
  | { kind: 'text'; placeholder: string; suggestions?: readonly string[] }
  | ObjectFilter
  /** Words by which objects of the list itself are found. */
  | { kind: 'words'; name: 'q'; of: SearchKind }
  /** In the main unit of each currency: `129`, `>100`, `50..200`. */
  | { kind: 'amount'; name: 'amount' }
  /** Two days, the last one included, in the zone of the browser; or two instants, `2026-11-16T09:00Z`, to before the last. */
  | { kind: 'days'; name: 'created' }
);

/**
 * Another object, by its id or, if the search knows its kind, by words that find at most `max`. The page says how it is chosen and shown:
 * the kit knows no noun.
 */
export type ObjectFilter = { kind: 'object'; of?: SearchKind; max: number; Select: ObjectField; Name: ObjectName };

/** `onChange` gets an id, or the words that were typed. */
export type ObjectField = (props: { value: string; onChange(value: string): void }) => ReactNode;
/** What an id, or words, are shown as. */
export type ObjectName = (props: { value: string }) => ReactNode;

export const currencyFilter = {
  kind: 'text',
  name: 'currency',
  title: 'Currency',
  placeholder: 'eur',
  suggestions: currencies.map((code) => code.toLowerCase()),
} as const satisfies Filter;

export const amountFilter = { kind: 'amount', name: 'amount', title: 'Amount' } as const satisfies Filter;

export const wordsFilter = (of: SearchKind) =>
  ({ kind: 'words', name: 'q', title: 'Search', of }) as const satisfies Filter;

export const createdFilter = { kind: 'days', name: 'created', title: 'Created' } as const satisfies Filter;

export type Search = Readonly<Record<string, string | undefined>>;

/** The names that a filter uses in the address. */
export function namesOf(filter: Filter): string[] {
  return filter.kind === 'days' ? [`${filter.name}_from`, `${filter.name}_to`] : [filter.name];
}

const valuesIn = (text: string) => text.split(',').filter(Boolean);

/** The parameters of the API for the filters that are set. What the API would refuse is sent, so that its words are shown. */
export function paramsOf(filters: readonly Filter[], search: Search): Record<string, unknown> {
  return Object.assign({}, ...filters.map((filter) => paramOf(filter, search)));
}

function paramOf(filter: Filter, search: Search): Record<string, unknown> {
  const [first, last] = namesOf(filter).map((name) => search[name] || undefined);
  if (filter.kind === 'days') {
    const bounds = { ...within('gte', startOf(first, 0)), ...within('lt', startOf(last, 1)) };
    return Object.keys(bounds).length > 0 ? { [filter.name]: bounds } : {};
  }
  if (first === undefined) return {};
  if (filter.kind === 'amount') return { amount_decimal: amountBounds(first) };
  if (filter.kind === 'words' || (filter.kind === 'object' && filter.of !== undefined && !isId(first))) return {}; // looked up first
  if (filter.kind !== 'choices') return { [filter.name]: first };
  const values = valuesIn(first);
  return { [filter.name]: values.length === 1 ? values[0] : values };
}

/** What in the address is neither a day nor an amount, in words; undefined if everything can be asked for. */
export function mistakeIn(filters: readonly Filter[], search: Search): string | undefined {
  const mistakes = filters.flatMap((filter) =>
    namesOf(filter).flatMap((name) => {
      const value = search[name] || undefined;
      if (value === undefined) return [];
      if (filter.kind === 'days' && !isDay(value)) return [`${name}=${value} is not a date. Write it as 2026-11-30.`];
      if (filter.kind === 'amount' && amountBounds(value) === undefined)
        return [`${name}=${value} is not an amount. Write it as 129, >100 or 50..200.`];
      return [];
    }),
  );
  return mistakes.length === 0 ? undefined : mistakes.join(' ');
}

function within(bound: 'gte' | 'lt', seconds: number | undefined): Record<string, number> {
  return seconds === undefined ? {} : { [bound]: seconds };
}

export function choiceWords({ words }: Choices, choice: string): string {
  return words?.[choice] ?? wordsOf(choice);
}

/** What is shown on the button of a filter that is set; undefined if it is not. */
export function shownValue(filter: Filter, search: Search): string | undefined {
  const [first, last] = namesOf(filter).map((name) => search[name] || undefined);
  if (filter.kind === 'days') {
    if (first === undefined && last === undefined) return undefined;
    return first === last ? first : `${shownDay(first) ?? '…'} to ${shownDay(last) ?? 'today'}`;
  }
  if (first === undefined) return undefined;
  if (filter.kind === 'choice') return choiceWords(filter, first);
  if (filter.kind === 'choices')
    return first
      .split(',')
      .map((choice) => choiceWords(filter, choice))
      .join(', ');
  return first;
}

/** The filters that are set, as they stand in the address, in one order: equal filters are equal texts. */
export function queryOf(names: readonly string[], search: Search): string {
  return new URLSearchParams(
    names.flatMap((name) => (search[name] ? [[name, search[name]] as [string, string]] : [])),
  ).toString();
}

/** The filters of a view, and no others. A name that the page does not have is left out. */
export function searchOf(names: readonly string[], query: string): Search {
  const given = new URLSearchParams(query);
  return Object.fromEntries(names.map((name) => [name, given.get(name) ?? undefined]));
}
