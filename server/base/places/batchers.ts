import { Batcher } from '../batcher.ts';
import { getOrMake } from '../get_or_make.ts';
import type { Pool } from '../sql.ts';
import type { Tenant } from '../tenant.ts';
import type { SqlAt } from './sql_at.ts';

type PlacedBatches<Item, Result> = {
  itemsMax: number;
  /** As in `Batcher`. */
  spacedMs?: number;
  tenantOf: (item: Item) => Tenant;
  /** A statement, or several, that may be repeated. */
  run: (sql: Pool, items: readonly Item[]) => Promise<readonly Result[]>;
};

/** Calls that arrive close together become one call at each place: those of one place never wait for another. */
export class PlacedBatcher<Item, Result> {
  readonly #sqlAt: SqlAt;
  readonly #batches: PlacedBatches<Item, Result>;
  readonly #byPlace = new Map<string, Batcher<Item, Result>>();

  constructor(sqlAt: SqlAt, batches: PlacedBatches<Item, Result>) {
    this.#sqlAt = sqlAt;
    this.#batches = batches;
  }

  add(item: Item): Promise<Result> {
    const { tenantOf, run, ...limits } = this.#batches;
    const make = () => new Batcher<Item, Result>({ ...limits, run: (items) => this.#sqlAt.each(items, tenantOf, run) });
    return getOrMake(this.#byPlace, this.#sqlAt.placeOf(tenantOf(item)), make).add(item);
  }
}
