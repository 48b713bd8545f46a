import { type Context, operation } from '../../../../operations/operation.ts';
import { ListOf } from '../../../../operations/schemas.ts';
import { findIdsAbout } from '../../../../outbox/event.ts';
import { AllDeliveriesInput, DeliveryOutput } from '../schema.ts';
import { findEndpointIds } from '../store.ts';
import { type DeliveryId, deliveryId } from './delivery.ts';
import { listAllDeliveries } from './serialize.ts';

const eventsOfObjectMax = 100;

export const allDeliveries = operation({
  name: 'webhook_endpoints.list_all_deliveries',
  summary: 'List the deliveries to all webhook endpoints',
  description:
    'Returns the deliveries of the last 90 days, or as many as the operator has set, in pages, newest first, each with its latest attempts. With `object_id`, those of events about one object.',
  route: 'GET /webhook_endpoints/deliveries',
  right: 'read_activity',
  input: AllDeliveriesInput,
  output: ListOf(DeliveryOutput),
  async run(context, { object_id, ...input }) {
    const filters = object_id === undefined ? {} : { ids: await deliveriesAbout(context, object_id) };
    return { result: await listAllDeliveries(context, input, filters) };
  },
});

/** The ids that the deliveries of the newest events about an object have, if there are such deliveries. */
async function deliveriesAbout({ reads, tenant }: Context, object: string): Promise<DeliveryId[]> {
  const [events, endpoints] = await Promise.all([
    findIdsAbout(reads, tenant, object, eventsOfObjectMax),
    findEndpointIds(reads, tenant),
  ]);
  return events.flatMap((event) => endpoints.map((endpoint) => deliveryId(event, endpoint)));
}
