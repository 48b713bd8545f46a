import { insert, update, type Write } from '../../base/commit/index.ts';
import { createdSeconds, type Id } from '../../base/id.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  deliveriesTable,
  deliveryId,
  type EndpointId,
  testEvent,
} from '../../outbox/delivery.ts';
import type { EventRow } from '../../outbox/event.ts';
import { listPage, type Page } from '../list.ts';
import type { Context } from '../operation.ts';
import type { ListInput } from '../shapes.ts';
import { findAttempts, findDelivery, findEndpoint, findSubscribed } from './store.ts';

export function newDelivery(context: Context, event: Id<'evt'>, endpoint: EndpointId): Delivery {
  return {
    tenant: context.tenant,
    id: deliveryId(event, endpoint),
    version: 1,
    event,
    endpoint,
    state: 'pending',
    attempts: 0,
    due_at: new Date(context.now),
    lease_until: null,
  };
}

/** The write that sends an event to an endpoint (again). `stored` is the version of the delivery that is there, if there is one. */
function sendAgain(fresh: Delivery, stored: number | undefined): Write {
  return stored === undefined
    ? insert(deliveriesTable, fresh)
    : update(deliveriesTable, { ...fresh, version: stored + 1 });
}

/** The endpoints that an event goes to when nobody names one. One that tries out an endpoint is for that endpoint alone. */
export async function endpointsFor({ reads, tenant }: Context, event: EventRow): Promise<EndpointId[]> {
  if (event.type !== testEvent) return findSubscribed(reads, tenant, event.type);
  const tried = await findEndpoint(reads, tenant, event.object_id as EndpointId);
  return tried?.status === 'enabled' ? [tried.id] : [];
}

/** Sends one event to endpoints again, whatever became of it before. */
export function resendWrites(context: Context, event: Id<'evt'>, endpoints: readonly EndpointId[]): Promise<Write[]> {
  return Promise.all(
    endpoints.map(async (endpoint) => {
      const fresh = newDelivery(context, event, endpoint);
      return sendAgain(fresh, (await findDelivery(context.reads, context.tenant, fresh.id))?.version);
    }),
  );
}

export async function listDeliveries(
  context: Context,
  endpoint: EndpointId,
  { status, ...input }: ListInput & { status?: string },
): Promise<Page> {
  const page = await listPage(context, input, {
    table: deliveriesTable,
    prefix: 'whd',
    url: `/v1/webhook_endpoints/${endpoint}/deliveries`,
    filters: { endpoint, state: status },
    present: (delivery) => delivery,
  });
  const rows = page.data as Delivery[];
  const ids = rows.map(({ id }) => id);
  const attempts = Map.groupBy(await findAttempts(context.reads, context.tenant, ids), ({ delivery }) => delivery);
  return { ...page, data: rows.map((row) => presentDelivery(row, attempts.get(row.id) ?? [])) };
}

export function presentDelivery(delivery: Delivery, attempts: readonly DeliveryAttempt[]): object {
  const { id, event, endpoint, state, due_at } = delivery;
  return {
    id,
    object: 'webhook_delivery',
    event,
    webhook_endpoint: endpoint,
    status: state,
    attempts: attempts.map(presentAttempt),
    ...(due_at === null ? {} : { next_attempt_at: seconds(due_at) }),
    created: createdSeconds(id),
  };
}

function presentAttempt({ at, duration_ms, status, error, response }: DeliveryAttempt): object {
  return {
    at: seconds(at),
    duration_ms,
    ...(status === null ? {} : { status }),
    ...(error === null ? {} : { error }),
    ...(response === null ? {} : { response: response.toString() }), // bytes that are no text show as �
  };
}

function seconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1_000);
}
