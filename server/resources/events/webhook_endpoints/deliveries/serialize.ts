import { type ListPage, listPage } from '../../../../operations/list.ts';
import type { Context } from '../../../../operations/operation.ts';
import type { ListInput } from '../../../../operations/schemas.ts';
import { from, serializer, timeInId } from '../../../../operations/serializer.ts';
import { findTypes } from '../../../../outbox/event.ts';
import { AttemptOutput, DeliveryOutput } from '../schema.ts';
import type { EndpointId } from '../webhook_endpoint.ts';
import { type Delivery, type DeliveryAttempt, type DeliveryId, deliveriesTable, deliveryStates } from './delivery.ts';
import { findAttempts } from './store.ts';

const source = { table: deliveriesTable, prefix: 'whd', serialize: (delivery: Delivery) => delivery };

/** The deliveries to one endpoint. */
export async function listDeliveries(
  context: Context,
  endpoint: EndpointId,
  { status, ...input }: ListInput & { status?: string },
): Promise<ListPage> {
  const url = `/v1/webhook_endpoints/${endpoint}/deliveries`;
  const merged = { column: 'state', values: deliveryStates };
  const filtered = { ...source, url, columns: ['endpoint', 'state'], merged };
  return withAttempts(context, await listPage(context, input, filtered, { endpoint, state: status }));
}

/** The deliveries to all endpoints, or those with some ids. */
export async function listAllDeliveries(
  context: Context,
  input: ListInput,
  filters: { ids?: readonly DeliveryId[] },
): Promise<ListPage> {
  const url = '/v1/webhook_endpoints/deliveries';
  return withAttempts(context, await listPage(context, input, { ...source, url, columns: [] }, filters));
}

async function withAttempts(context: Context, page: ListPage): Promise<ListPage> {
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

const serializeAttempt = serializer<DeliveryAttempt, typeof AttemptOutput>(AttemptOutput, {
  response: from(['response'], ({ response }) => response?.toString()), // invalid UTF-8 is shown as �
});

type DeliveryWithEvent = Omit<Delivery, 'attempts'> & {
  attempts: readonly DeliveryAttempt[];
  event_type: string | undefined;
};

const serialize = serializer<DeliveryWithEvent, typeof DeliveryOutput>(DeliveryOutput, {
  webhook_endpoint: 'endpoint',
  status: 'state',
  attempts: from(['attempts'], ({ attempts }) => attempts.map(serializeAttempt)),
  next_attempt_at: 'due_at',
  created: timeInId,
});

export function serializeDelivery(
  delivery: Delivery,
  attempts: readonly DeliveryAttempt[],
  type: string | undefined,
): object {
  return serialize({ ...delivery, attempts, event_type: type });
}
