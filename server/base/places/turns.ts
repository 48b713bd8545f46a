import type { Pool } from '../sql.ts';
import { isAway } from './moved.ts';
import type { PlaceSql } from './sql_at.ts';

/** Reads at all places. Those that do not answer, or are moving, are left out, unless all are. */
export async function readPlaces<T>(
  places: readonly PlaceSql[],
  read: (sql: Pool, place: string) => Promise<readonly T[]>,
): Promise<readonly T[]> {
  if (places.length === 1) return read(places[0]!.sql, places[0]!.name);
  return (await fromThoseThere(places.map(({ sql, name }) => read(sql, name)))).flat();
}

/** What the places that are there have answered. Fails where none is, and for any other reason than that a place is away. */
export async function fromThoseThere<T>(answers: readonly Promise<T>[]): Promise<T[]> {
  const ends = await Promise.allSettled(answers);
  const failures = ends.filter((end) => end.status === 'rejected').map(({ reason }) => reason);
  const defect = failures.find((failure) => !isAway(failure));
  if (defect !== undefined) throw defect;
  if (failures.length > 0 && failures.length === ends.length) throw failures[0];
  return ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
}

/**
 * Takes due rows at all places: a share at each first, side by side, then what is left where there was more. Another place begins each time,
 * and one that does not answer, or has moved and is found again by the next time, keeps nobody from the others.
 */
export class PlaceTurns {
  #first = 0;
  /** Of a place, while others had rows, which would have been lost with it. The next call fails with it. */
  #defect: unknown;

  async take<T>(
    places: readonly PlaceSql[],
    limit: number,
    take: (sql: Pool, most: number) => Promise<T[]>,
  ): Promise<T[]> {
    if (places.length === 1) return take(places[0]!.sql, limit);
    this.#failOnce();
    const first = this.#first++ % places.length;
    const taken: T[] = [];
    const failures: unknown[] = [];
    let answers = 0;
    const takeAt = async ({ sql }: PlaceSql, most: number) => {
      try {
        const rows = await take(sql, most);
        answers++;
        taken.push(...rows);
        return rows.length === most;
      } catch (error) {
        failures.push(error);
        return false;
      }
    };
    const inTurn = [...places.slice(first), ...places.slice(0, first)];
    const shareAt = (at: number) => Math.floor(limit / places.length) + (at < limit % places.length ? 1 : 0);
    const wanted = inTurn.filter((_, at) => shareAt(at) > 0);
    const isMore = await Promise.all(wanted.map((place, at) => takeAt(place, shareAt(at))));
    for (const [at, place] of inTurn.entries())
      if ((isMore[at] ?? true) && taken.length < limit) await takeAt(place, limit - taken.length);
    const defect = failures.find((failure) => !isAway(failure));
    if (taken.length > 0) this.#defect = defect;
    else if (defect !== undefined || answers === 0) throw defect ?? failures[0];
    return taken;
  }

  #failOnce(): void {
    const defect = this.#defect;
    this.#defect = undefined;
    if (defect !== undefined) throw defect;
  }
}
