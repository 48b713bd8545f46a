import type { Registry } from 'prom-client';
import Counter from 'prom-client/lib/counter.js';
import type { AnyUnit } from '../../base/commit/index.ts';
import { getOrMake } from '../../base/get_or_make.ts';
import type { Mode, Tenant } from '../../base/reads.ts';
import type { Pool } from '../../base/sql.ts';
import { modesOf } from '../../operations/tenants.ts';
import { type EventRow, eventsTable } from '../../outbox/event.ts';

/**
 * Counts the events that this instance has committed. A declined payment in test mode wakes nobody, so they are counted by mode; which
 * mode a tenant is, is read before a scrape, and not while somebody waits for a commit.
 */
export class EventCounts {
  readonly #counter: Counter;
  readonly #uncounted = new Map<Tenant, Map<string, number>>();
  readonly #modes = new Map<Tenant, Mode>();

  constructor(registry: Registry) {
    this.#counter = new Counter({
      name: 'tollgate_events_total',
      help: 'Events that this instance has committed, by type and mode: payments that succeeded and failed, disputes, and so on.',
      labelNames: ['type', 'mode'],
      registers: [registry],
    });
  }

  committed({ writes }: AnyUnit): void {
    for (const { table, row } of writes) {
      if (table.name !== eventsTable.name) continue;
      const { tenant, type } = row as Pick<EventRow, 'tenant' | 'type'>;
      const byType = getOrMake(this.#uncounted, tenant, () => new Map<string, number>());
      byType.set(type, (byType.get(type) ?? 0) + 1);
    }
  }

  async refresh(pool: Pool): Promise<void> {
    const unknown = [...this.#uncounted.keys()].filter((tenant) => !this.#modes.has(tenant));
    if (unknown.length > 0) for (const { tenant, mode } of await modesOf(pool, unknown)) this.#modes.set(tenant, mode);
    for (const [tenant, byType] of this.#uncounted) {
      const mode = this.#modes.get(tenant);
      if (mode === undefined) continue;
      for (const [type, count] of byType) this.#counter.inc({ type, mode }, count);
      this.#uncounted.delete(tenant);
    }
  }
}
