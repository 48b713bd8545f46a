import { insert, update, type Write } from '../../../base/commit/index.ts';
import type { Id } from '../../../base/id.ts';
import type { EventRow } from '../../../outbox/event.ts';
import type { Context } from '../../operation.ts';
import { findEndpoint, findSubscribed } from '../store.ts';
import type { EndpointId } from '../webhook_endpoint.ts';
import { type Delivery, deliveriesTable, newDelivery, testEvent } from './delivery.ts';
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
