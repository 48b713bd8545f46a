import { createdSeconds } from '../../../../base/id.ts';
import { type ListPage, listPage } from '../../../../operations/list.ts';
import type { Context } from '../../../../operations/operation.ts';
import { type ListInput, timestampOf } from '../../../../operations/schemas.ts';
import { findTypes } from '../../../../outbox/event.ts';
import type { EndpointId } from '../webhook_endpoint.ts';
import { type Delivery, type DeliveryAttempt, deliveriesTable, deliveryStates } from './delivery.ts';
import { findAttempts } from './store.ts';

export async function listDeliveries(
  context: Context,
  endpoint: EndpointId,
  { status, ...input }: ListInput & { status?: string },
): Promise<ListPage> {
  const source = {
    table: deliveriesTable,
    prefix: 'whd',
    url: `/v1/webhook_endpoints/${endpoint}/deliveries`,
    columns: ['endpoint', 'state'],
    merged: { column: 'state', values: deliveryStates },
    serialize: (delivery: Delivery) => delivery,
  };
  const page = await listPage(context, input, source, { endpoint, state: status });
  const rows = page.data as Delivery[];
  const ids = rows.map(({ id }) => id);
  const types = await findTypes(
    context.reads,
    context.tenant,
    rows.map(({ event }) => event),
  );
  const attempts = Map.groupBy(await findAttempts(context.reads, context.tenant, ids), ({ delivery }) => delivery);
  return { ...page, data: rows.map((row) => serializeDelivery(row, attempts.get(row.id) ?? [], types.get(row.event))) };
}

export function serializeDelivery(
  delivery: Delivery,
  attempts: readonly DeliveryAttempt[],
  type: string | undefined,
): object {
  const { id, event, endpoint, state, due_at } = delivery;
  return {
    id,
    object: 'webhook_delivery',
    event,
    ...(type !== undefined && { event_type: type }),
    webhook_endpoint: endpoint,
    status: state,
    attempts: attempts.map(serializeAttempt),
    ...(due_at === null ? {} : { next_attempt_at: timestampOf(due_at) }),
    created: createdSeconds(id),
  };
}

function serializeAttempt({ at, duration_ms, status, error, response }: DeliveryAttempt): object {
  return {
    at: timestampOf(at),
    duration_ms,
    ...(status === null ? {} : { status }),
    ...(error === null ? {} : { error }),
    ...(response === null ? {} : { response: response.toString() }), // invalid UTF-8 is shown as �
  };
}
