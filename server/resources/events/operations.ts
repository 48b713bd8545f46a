import { type EventRow, eventsTable } from '../../outbox/event.ts';
import { refusal } from '../errors.ts';
import { type AnyOperation, operation } from '../operation.ts';
import { OptionalChoice } from '../shapes.ts';
import { type Kind, listOperation, requireRow, retrieveOperation } from '../standard.ts';
import { endpointsFor, resendWrites } from '../webhook_endpoints/deliveries/resend.ts';
import { refusal as endpointRefusal } from '../webhook_endpoints/errors.ts';
import { requireEnabled } from '../webhook_endpoints/operations.ts';
import { EventOutput, ResendInput } from './schema.ts';

/** The stored bytes are the event. They are JSON that this program wrote, so reading and writing them again changes nothing. */
function presentEvent(row: EventRow): object {
  return JSON.parse(row.payload.toString());
}

const resend = (kind: Kind<EventRow>) => {
  const requireEvent = requireRow(kind);
  return operation({
    name: 'events.resend',
    summary: 'Send an event to its webhook endpoints again',
    description:
      'Sends the event at once, with ten new attempts, whatever became of earlier ones. A named endpoint need not subscribe to the type.',
    route: 'POST /events/:id/resend',
    callers: ['key', 'operator'],
    input: ResendInput,
    nulls: 'clear', // so that an empty value is seen: a variable that is not set must not send to everybody
    output: kind.output,
    errors: endpointRefusal.codes('endpoint_disabled'),
    check({ webhook_endpoint }) {
      const reason = 'it must not be empty; leave it out to send to all endpoints that are enabled and subscribed';
      if (webhook_endpoint === null) throw refusal('parameter_invalid', { param: 'webhook_endpoint', reason });
    },
    async run(context, { webhook_endpoint }) {
      const row = await requireEvent(context);
      const endpoints = webhook_endpoint
        ? [(await requireEnabled(context, webhook_endpoint, 'webhook_endpoint')).id]
        : await endpointsFor(context, row);
      const writes = await resendWrites(context, row.id, endpoints);
      const resent = { action: 'event.resent', subject: row.id, details: { webhook_endpoints: endpoints } };
      const audit = endpoints.length === 0 ? [] : [resent];
      return { result: presentEvent(row), objectId: row.id, writes, audit, due: context.now };
    },
  });
};

export function eventKind(eventTypes: readonly string[]): Kind<EventRow> {
  return {
    resource: 'events',
    noun: 'event',
    notes: {
      retrieve: 'Events are kept for 90 days.',
      list: 'Events are kept for 90 days.',
    },
    prefix: 'evt',
    table: eventsTable,
    present: presentEvent,
    output: EventOutput(eventTypes),
  };
}

export function eventOperations(eventTypes: readonly string[]): AnyOperation[] {
  const kind = eventKind(eventTypes);
  const list = listOperation(kind, { type: OptionalChoice(eventTypes, 'Only events of this type.') });
  return [retrieveOperation(kind), list, resend(kind)];
}
