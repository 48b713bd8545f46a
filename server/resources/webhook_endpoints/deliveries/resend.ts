import { insert, update, type Write } from '../../../base/commit/index.ts';
import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { Sql } from '../../../base/sql.ts';
import { type EventRow, eventsTable } from '../../../outbox/event.ts';
import type { Context } from '../../operation.ts';
import { findEndpoint, findSubscribed } from '../store.ts';
import type { EndpointId } from '../webhook_endpoint.ts';
import { type Delivery, deliveriesTable, idExpression, newDelivery, subscribes, testEvent } from './delivery.ts';
import { findDelivery } from './store.ts';

/** The endpoints that an event is sent to when the caller names none. A test event is for the tested endpoint alone. */
export async function endpointsFor({ reads, tenant }: Context, event: EventRow): Promise<EndpointId[]> {
  if (event.type !== testEvent) return findSubscribed(reads, tenant, event.type);
  const tested = await findEndpoint(reads, tenant, event.object_id as EndpointId);
  return tested?.status === 'enabled' ? [tested.id] : [];
}

/** Sends one event to endpoints again, whatever became of earlier deliveries. */
export function resendWrites(
  { reads, tenant, now }: Context,
  event: Id<'evt'>,
  endpoints: readonly EndpointId[],
): Promise<Write[]> {
  return Promise.all(
    endpoints.map(async (endpoint) => {
      const fresh = newDelivery(tenant, now, event, endpoint);
      return sendAgain(fresh, (await findDelivery(reads, tenant, fresh.id))?.version);
    }),
  );
}

/** `stored` is the version of the delivery that exists already, if there is one. */
function sendAgain(fresh: Delivery, stored: number | undefined): Write {
  return stored === undefined
    ? insert(deliveriesTable, fresh)
    : update(deliveriesTable, { ...fresh, version: stored + 1 });
}

/**
 * Makes an event due again: for one endpoint, or for all that are enabled and subscribed to it now. For the command line; running
 * servers find it within half a second. Gives the endpoints.
 */
export async function resendEvent(
  sql: Sql,
  tenant: Tenant,
  event: string,
  endpoint: string | undefined,
): Promise<string[]> {
  const result = await sql.query<{ endpoint: string }>(
    `insert into deliveries as d (tenant, id, version, event, endpoint, state, attempts, due_at)
     select e.tenant, ${idExpression('e.id', 'w.id')}, 1, e.id, w.id, 'pending', 0, now()
       from ${eventsTable.name} e join webhook_endpoints w on w.tenant = e.tenant
      where e.tenant = $1 and e.id = $2 and w.status = 'enabled'
        and case when $3::text is not null then w.id = $3
                 when e.type = '${testEvent}' then w.id = e.object_id
                 else ${subscribes('w.enabled_events', 'e.type')} end
         on conflict (tenant, id) do update
            set version = d.version + 1, state = 'pending', attempts = 0, due_at = now(), lease_until = null
      returning endpoint`,
    [tenant, event, endpoint ?? null],
  );
  return result.rows.map((row) => row.endpoint);
}
