import type { Search } from './filters.ts';

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
