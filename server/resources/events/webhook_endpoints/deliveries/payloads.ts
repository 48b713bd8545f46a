import type { SqlAt } from '../../../../base/places/sql_at.ts';
import { query } from '../../../../base/sql.ts';
import { eventsTable } from '../../../../outbox/event.ts';
import type { LeasedDelivery } from './due.ts';

type Loaded = { payload: Promise<Buffer | null>; users: number };

/**
 * The bytes of large events, from the moment they are sent until they are answered. Deliveries of one event share them. Small payloads
 * come with the lease.
 */
export class Payloads {
  readonly #leases: SqlAt;
  readonly #loaded = new Map<string, Loaded>();

  constructor(leases: SqlAt) {
    this.#leases = leases;
  }

  /** How many events are in memory. */
  get size(): number {
    return this.#loaded.size;
  }

  /** Calls `use` with the payload of a delivery; null when its event is no longer stored. */
  async with<T>(delivery: LeasedDelivery, use: (payload: Buffer | null) => Promise<T>): Promise<T> {
    if (delivery.payload !== null || delivery.bytes === null) return use(delivery.payload);
    const name = `${delivery.tenant}/${delivery.event}`;
    const loaded = this.#loaded.get(name) ?? { payload: this.#load(delivery), users: 0 };
    this.#loaded.set(name, loaded);
    loaded.users++;
    try {
      return await use(await loaded.payload);
    } finally {
      if (--loaded.users === 0) this.#loaded.delete(name);
    }
  }

  async #load({ tenant, event }: LeasedDelivery): Promise<Buffer | null> {
    const text = `select payload from ${eventsTable.name} where tenant = $1 and id = $2`;
    const [row] = await this.#leases.at(tenant, (sql) =>
      query<{ payload: Buffer }>(sql, text, [tenant, event], 'event_payload'),
    );
    return row?.payload ?? null;
  }
}
