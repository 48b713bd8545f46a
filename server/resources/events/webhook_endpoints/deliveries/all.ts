import { operation } from '../../../../operations/operation.ts';
import { ListOf } from '../../../../operations/schemas.ts';
import { findTypesAbout } from '../../../../outbox/event.ts';
import { apiError } from '../errors.ts';
import { AllDeliveriesInput, DeliveryOutput } from '../schema.ts';
import { findDeliveriesOf } from './of_events.ts';
import { allDeliveriesUrl, listAllDeliveries, serializeDelivery } from './serialize.ts';

const eventsOfObjectMax = 100;

export const allDeliveries = operation({
  name: 'webhook_endpoints.list_all_deliveries',
  summary: 'List the deliveries to all webhook endpoints',
  description:
    'Returns the deliveries of the last 90 days, or as many as the operator has set, newest first, each with its latest attempts. With `object_id`, those of events about one object.',
  route: 'GET /webhook_endpoints/deliveries',
  right: 'read_activity',
  input: AllDeliveriesInput,
  output: ListOf(DeliveryOutput),
  check({ object_id, starting_after, ending_before }) {
    const position = starting_after === undefined ? 'ending_before' : 'starting_after';
    if (object_id !== undefined && (starting_after ?? ending_before) !== undefined)
      throw apiError('parameters_exclusive', { param: position, other: 'object_id' });
  },
  async run(context, { object_id, ...input }) {
    if (object_id === undefined) return { result: await listAllDeliveries(context, input) };
    const events = await findTypesAbout(context.reads, context.tenant, object_id, eventsOfObjectMax);
    const found = await findDeliveriesOf(context.reads, context.tenant, [...events.keys()]);
    const data = found
      .toReversed()
      .slice(0, input.limit ?? found.length)
      .map(({ delivery, attempts }) => serializeDelivery(delivery, attempts, events.get(delivery.event)));
    return { result: { object: 'list', url: allDeliveriesUrl, has_more: false, data } };
  },
});
