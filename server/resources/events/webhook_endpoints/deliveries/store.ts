import type { Reads, Tenant } from '../../../../base/reads.ts';
import type { DeliveryAttempt, DeliveryId } from './delivery.ts';

const attemptsShownMax = 10; // after weeks of resends, the latest are shown
const earlierBytesShown = 256;

/**
 * The latest attempts of each of these deliveries, oldest first. The response of the latest one is whole; of the earlier ones only the
 * beginning is read, because a page of 100 would otherwise be tens of megabytes.
 */
export function findAttempts(
  reads: Reads,
  tenant: Tenant,
  deliveries: readonly DeliveryId[],
): Promise<DeliveryAttempt[]> {
  return reads.rows<DeliveryAttempt>(
    `select a.tenant, a.delivery, a.at, a.duration_ms, a.status, a.error,
            case when a.place = 1 then a.response else substr(a.response, 1, ${earlierBytesShown}) end as response
       from unnest($2::text[]) as x (delivery)
      cross join lateral (
        select t.*, row_number() over (order by t.id desc) as place
          from delivery_attempts t where t.tenant = $1 and t.delivery = x.delivery
         order by t.id desc limit ${attemptsShownMax}) a
      order by a.id`,
    [tenant, deliveries],
  );
}

/** Those that will be sent, now or later. */
export async function countUndelivered(reads: Reads, tenant: Tenant): Promise<number> {
  const [row] = await reads.rows<{ count: number }>(
    'select count(*) as count from deliveries where tenant = $1 and due_at is not null',
    [tenant],
  );
  return row!.count;
}
