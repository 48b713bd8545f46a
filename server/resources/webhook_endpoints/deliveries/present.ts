import { createdSeconds } from '../../../base/id.ts';
import { type ListPage, pageOf, rangeOf } from '../../list.ts';
import type { Context } from '../../operation.ts';
import { type ListInput, timestampOf } from '../../shapes.ts';
import type { EndpointId } from '../webhook_endpoint.ts';
import type { Delivery, DeliveryAttempt } from './delivery.ts';
import { findAttempts, findDeliveries } from './store.ts';

export async function listDeliveries(
  context: Context,
  endpoint: EndpointId,
  { status, ...input }: ListInput & { status?: string },
): Promise<ListPage> {
  const { reads, tenant } = context;
  const range = rangeOf(input, 'whd');
  const rows = await findDeliveries(reads, tenant, endpoint, status, range);
  const ids = rows.slice(0, range.limit).map(({ id }) => id);
  const attempts = Map.groupBy(await findAttempts(reads, tenant, ids), ({ delivery }) => delivery);
  const present = (row: Delivery) => presentDelivery(row, attempts.get(row.id) ?? []);
  return pageOf(range, rows, { url: `/v1/webhook_endpoints/${endpoint}/deliveries`, present });
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
    ...(due_at === null ? {} : { next_attempt_at: timestampOf(due_at) }),
    created: createdSeconds(id),
  };
}

function presentAttempt({ at, duration_ms, status, error, response }: DeliveryAttempt): object {
  return {
    at: timestampOf(at),
    duration_ms,
    ...(status === null ? {} : { status }),
    ...(error === null ? {} : { error }),
    ...(response === null ? {} : { response: response.toString() }), // invalid UTF-8 is shown as �
  };
}
