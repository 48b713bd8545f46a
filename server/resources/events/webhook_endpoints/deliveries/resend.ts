import { insert, update, type Write } from '../../../../base/commit/index.ts';
import type { Id } from '../../../../base/id.ts';
import type { Context } from '../../../../operations/operation.ts';
import type { EventRow } from '../../../../outbox/event.ts';
import { findSubscribed, webhookEndpointsTable } from '../store.ts';
import type { EndpointId } from '../webhook_endpoint.ts';
import { deliveriesTable, newDelivery, testEvent } from './delivery.ts';

/** The endpoints that an event is sent to when the caller names none. A test event is for the tested endpoint alone. */
export async function endpointsFor({ reads, tenant }: Context, event: EventRow): Promise<EndpointId[]> {
  if (event.type !== testEvent) return findSubscribed(reads, tenant, event.type);
  const tested = await reads.one(webhookEndpointsTable, tenant, event.object_id);
  return tested?.status === 'enabled' ? [tested.id] : [];
}

/** Sends an event to endpoints again, whatever the state of its earlier deliveries. */
export function resendWrites(
  { reads, tenant, now }: Context,
  event: Id<'evt'>,
  endpoints: readonly EndpointId[],
): Promise<Write[]> {
  return Promise.all(
    endpoints.map(async (endpoint) => {
      const fresh = newDelivery(tenant, now, event, endpoint);
      const stored = await reads.one(deliveriesTable, tenant, fresh.id);
      if (stored === undefined) return insert(deliveriesTable, fresh);
      return update(deliveriesTable, { ...fresh, version: stored.version + 1 });
    }),
  );
}
