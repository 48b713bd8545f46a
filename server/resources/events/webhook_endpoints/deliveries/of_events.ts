import type { Reads, Tenant } from '../../../../base/reads.ts';
import { type Delivery, type DeliveryAttempt, deliveriesTable, idExpression } from './delivery.ts';
import { findAttempts } from './store.ts';

export type DeliveryWithAttempts = { delivery: Delivery; attempts: DeliveryAttempt[] };

/** The deliveries of these events, with their latest attempts. The id of a delivery follows from the event and the endpoint. */
export async function findDeliveriesOf(
  reads: Reads,
  tenant: Tenant,
  events: readonly string[],
): Promise<DeliveryWithAttempts[]> {
  if (events.length === 0) return [];
  const columns = deliveriesTable.columns.map((column) => `d.${column}`).join(', ');
  const deliveries = await reads.rows<Delivery>(
    `select ${columns} from unnest($2::text[]) as x (event)
      cross join webhook_endpoints w
       join deliveries d on d.tenant = w.tenant and d.id = ${idExpression('x.event', 'w.id')} and d.event = x.event
      where w.tenant = $1 order by d.id`,
    [tenant, events],
  );
  const ids = deliveries.map(({ id }) => id);
  const attempts = Map.groupBy(await findAttempts(reads, tenant, ids), ({ delivery }) => delivery);
  return deliveries.map((delivery) => ({ delivery, attempts: attempts.get(delivery.id) ?? [] }));
}
