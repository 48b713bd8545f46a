import { type Descriptor, listOperation, requireRow, retrieveOperation } from '../../../operations/descriptor.ts';
import { apiError } from '../../../operations/errors.ts';
import { type AnyOperation, operation } from '../../../operations/operation.ts';
import { ListOf, OptionalChoice, OptionalId } from '../../../operations/schemas.ts';
import { type EventRow, eventsTable, familyOf } from '../../../outbox/event.ts';
import { findDeliveriesOf } from '../webhook_endpoints/deliveries/of_events.ts';
import { endpointsFor, resendWrites } from '../webhook_endpoints/deliveries/resend.ts';
import { serializeDelivery } from '../webhook_endpoints/deliveries/serialize.ts';
import { apiError as endpointRefusal } from '../webhook_endpoints/errors.ts';
import { requireEnabled } from '../webhook_endpoints/operations.ts';
import { DeliveryOutput } from '../webhook_endpoints/schema.ts';
import { EventOutput, ResendInput } from './schema.ts';

/** The stored bytes are the event. They are JSON that this program wrote, so reading and writing them again changes nothing. */
function serializeEvent(row: EventRow): object {
  return JSON.parse(row.payload.toString());
}

const resend = (descriptor: Descriptor<EventRow>) => {
  const requireEvent = requireRow(descriptor);
  return operation({
    name: 'events.resend',
    summary: 'Send an event to its webhook endpoints again',
    description:
      'Sends the event immediately, with ten new attempts, whatever the result of earlier ones. A named endpoint need not subscribe to the type.',
    route: 'POST /events/:id/resend',
    callers: ['key', 'operator'],
    input: ResendInput,
    nulls: 'clear', // so that an empty value is seen: a variable that is not set must not send to everybody
    output: descriptor.output,
    errors: endpointRefusal.codes('endpoint_disabled'),
    check({ webhook_endpoint }) {
      const reason = 'it must not be empty; leave it out to send to all endpoints that are enabled and subscribed';
      if (webhook_endpoint === null) throw apiError('parameter_invalid', { param: 'webhook_endpoint', reason });
    },
    async run(context, { webhook_endpoint }) {
      const row = await requireEvent(context);
      const endpoints = webhook_endpoint
        ? [(await requireEnabled(context, webhook_endpoint, 'webhook_endpoint')).id]
        : await endpointsFor(context, row);
      const writes = await resendWrites(context, row.id, endpoints);
      const resent = { action: 'event.resent', subject: row.id, details: { webhook_endpoints: endpoints } };
      const audit = endpoints.length === 0 ? [] : [resent];
      return { result: serializeEvent(row), objectId: row.id, writes, audit, due: context.now };
    },
  });
};

export function eventDescriptor(eventTypes: readonly string[]): Descriptor<EventRow> {
  return {
    resource: 'events',
    noun: 'event',
    notes: {
      retrieve: 'Events are kept for 90 days, or as many as the operator has set.',
      list: 'Events are kept for 90 days, or as many as the operator has set.',
    },
    prefix: 'evt',
    table: eventsTable,
    serialize: serializeEvent,
    output: EventOutput(eventTypes),
  };
}

const deliveries = (descriptor: Descriptor<EventRow>) => {
  const requireEvent = requireRow(descriptor);
  return operation({
    name: 'events.list_deliveries',
    summary: 'List the deliveries of an event',
    description:
      'Returns all of them in one page: one for each webhook endpoint that the event was sent to and that still exists.',
    route: 'GET /events/:id/deliveries',
    scope: 'webhook_endpoints:read',
    right: 'read_activity',
    output: ListOf(DeliveryOutput),
    async run(context) {
      const { id, type } = await requireEvent(context);
      const found = await findDeliveriesOf(context.reads, context.tenant, [id]);
      const data = found.map(({ delivery, attempts }) => serializeDelivery(delivery, attempts, type));
      return { result: { object: 'list', url: `/v1/events/${id}/deliveries`, has_more: false, data }, objectId: id };
    },
  });
};

const list = (descriptor: Descriptor<EventRow>, eventTypes: readonly string[]) => {
  const families = Map.groupBy(eventTypes, familyOf);
  const filtered = listOperation(descriptor, {
    type: OptionalChoice(
      [...eventTypes, ...families.keys()],
      'Only events of this type, or of a family such as `payment.*`. It cannot be given with `object_id`.',
    ),
    object_id: OptionalId('Only events about the object with this id.'),
  });
  const check = ({ type, object_id }: Record<string, unknown>) => {
    if (type && object_id) throw apiError('parameters_exclusive', { param: 'type', other: 'object_id' });
  };
  /** A family is read as the types that it has: a range of the index for each. */
  const run: AnyOperation['run'] = (context, input: { type?: string }) => {
    const types = input.type === undefined ? undefined : families.get(input.type);
    return filtered.run(context, (types === undefined ? input : { ...input, type: types }) as never);
  };
  return { ...filtered, check, run };
};

export function eventOperations(eventTypes: readonly string[]): AnyOperation[] {
  const descriptor = eventDescriptor(eventTypes);
  return [retrieveOperation(descriptor), list(descriptor, eventTypes), resend(descriptor), deliveries(descriptor)];
}
