import type { Pool } from '../sql.ts';
import { isAway } from './moved.ts';
import type { PlaceSql } from './sql_at.ts';

/** Reads at all places. Those that do not answer, or are moving, are left out, unless all are. */
export async function readPlaces<T>(
  places: readonly PlaceSql[],
  read: (sql: Pool, place: string) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (places.length === 1) return read(places[0]!.sql, places[0]!.name);
  const found = await Promise.allSettled(places.map(({ sql, name }) => read(sql, name)));
  const failures = found.filter((one) => one.status === 'rejected');
  const failure = failures.find(({ reason }) => !isAway(reason)) ?? (failures.length === found.length && failures[0]);
  if (failure) throw failure.reason;
  return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
}

/**
 * Takes due rows at all places: a share at each first, then what is left where there was more. Another place begins each time, and one that
 * does not answer, or has moved and is found again by the next time, keeps nobody from the others.
 */
export class PlaceTurns {
  #first = 0;

  async take<T>(
    places: readonly PlaceSql[],
    limit: number,
    take: (sql: Pool, most: number) => Promise<T[]>,
  ): Promise<T[]> {
    if (places.length === 1) return take(places[0]!.sql, limit);
    const first = this.#first++ % places.length;
    const taken: T[] = [];
    const failures: unknown[] = [];
    const takeAt = async ({ sql }: PlaceSql, most: number) => {
      try {
        const rows = await take(sql, most);
        taken.push(...rows);
        return rows.length === most;
      } catch (error) {
        if (!isAway(error)) throw error;
        failures.push(error);
        return false;
      }
    };
    const withMore: PlaceSql[] = [];
    for (const [at, place] of [...places.slice(first), ...places.slice(0, first)].entries()) {
      const share = Math.ceil((limit - taken.length) / (places.length - at));
      if (share > 0 && (await takeAt(place, share))) withMore.push(place);
    }
    for (const place of withMore) if (taken.length < limit) await takeAt(place, limit - taken.length);
    if (taken.length === 0 && failures.length > 0) throw failures[0];
    return taken;
  }
}
