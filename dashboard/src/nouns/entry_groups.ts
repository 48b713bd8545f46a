import type { TimelineActor, TimelineEntry } from '@tollgate/node';
import { type EntryType, entryTypes } from './entry_words.ts';

/** The entries of one cause: a request, and everything that came of it. */
export type EntryGroup = {
  key: string;
  /** When its newest change happened, in seconds. */
  at: number;
  by: TimelineActor | undefined;
  /** Causes first: the request, the attempts, postings, events, and who did it. */
  entries: readonly TimelineEntry[];
};

const order = Object.keys(entryTypes) as EntryType[];

/** Groups of entries that are given newest first, the newest group first. A group can go on on the next page: it then grows. */
export function groupedEntries(entries: readonly TimelineEntry[]): EntryGroup[] {
  return [...Map.groupBy(entries, ({ group }) => group)].map(([key, ones]) => ({
    key,
    at: (ones.find(({ type }) => type === 'event') ?? ones[0]!).created,
    by: ones.some(({ by }) => by !== undefined) ? Object.assign({}, ...ones.map(({ by }) => by)) : undefined,
    entries: ones.toReversed().sort((one, other) => order.indexOf(one.type) - order.indexOf(other.type)),
  }));
}
