import type { AnyWrite } from './unit.ts';

const batchesWatched = 64;
const mostBatches = 56;

/**
 * The columns of a kind of write that have one value in all rows of most batches: a new payment has a dozen columns that are null, and the
 * payments of a merchant have one tenant. They are sent as one value each, because PostgreSQL spends a quarter of a commit on unpacking
 * arrays. They change seldom, since every set of them is a separate statement, which has to be prepared.
 */
export class SameColumns {
  readonly #columns: readonly string[];
  #usual: readonly string[] = [];
  #counts: Uint8Array;
  #batches = 0;

  /** `columns` are those that may be sent as one value. */
  constructor(columns: readonly string[]) {
    this.#columns = columns;
    this.#counts = new Uint8Array(columns.length);
  }

  /** The columns to send as one value; none if this batch is unusual. */
  of(rows: readonly AnyWrite[]): readonly string[] {
    if (rows.length > 1) this.#watch(rows); // a single row is no evidence
    return this.#usual.every((column) => isSame(rows, column)) ? this.#usual : [];
  }

  #watch(rows: readonly AnyWrite[]): void {
    for (const [at, column] of this.#columns.entries()) if (isSame(rows, column)) this.#counts[at]!++;
    this.#batches++;
    if (this.#batches < batchesWatched) return;
    this.#usual = this.#columns.filter((_, at) => this.#counts[at]! >= mostBatches);
    this.#counts.fill(0);
    this.#batches = 0;
  }
}

function isSame(rows: readonly AnyWrite[], column: string): boolean {
  const first = rows[0]!.row[column] ?? null;
  for (let at = 1; at < rows.length; at++) {
    const cell = rows[at]!.row[column] ?? null;
    if (cell !== first && !isSameTime(cell, first)) return false;
  }
  return true;
}

function isSameTime(one: unknown, other: unknown): boolean {
  return one instanceof Date && other instanceof Date && one.getTime() === other.getTime();
}
