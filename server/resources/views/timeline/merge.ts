import { firstIdAt, idTime } from '../../../base/id.ts';
import type { TimelineEntry, TimelineSource } from '../../../operations/extension_points/timeline.ts';

/** An entry with its source. */
export type Placed = { entry: TimelineEntry; source: Pick<TimelineSource, 'type' | 'prefix' | 'rank'> };

/** Newest first; within a millisecond, effects before their causes. */
export function newestFirst(a: Placed, b: Placed): number {
  const [left, right] = [a.entry.id, b.entry.id];
  const byTime = idTime(right) - idTime(left) || b.source.rank - a.source.rank;
  return byTime || (left < right ? 1 : -1);
}

/** Ids of this source below it are further down the timeline than the entry at the cursor. Without a cursor, all are. */
export function boundOf(source: Placed['source'], cursor: { id: string; rank: number } | undefined): string {
  if (cursor === undefined) return `${source.prefix}_${'z'.repeat(22)}`;
  if (source.rank === cursor.rank) return cursor.id;
  const time = idTime(cursor.id);
  return firstIdAt(source.prefix, source.rank < cursor.rank ? time + 1 : time);
}
