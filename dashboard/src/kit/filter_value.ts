import { shownDay } from './days.ts';
import { choiceWords, type Filter, namesOf, type Search } from './filters.ts';

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
