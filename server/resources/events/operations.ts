import { Type } from 'typebox';
import { isId } from '../../base/id.ts';
import { type EventRow, eventsTable } from '../../outbox/event.ts';
import { refusal } from '../errors.ts';
import { listPage } from '../list.ts';
import { type AnyOperation, type Context, operation } from '../operation.ts';
import { ListOf, listParameters, Parameters } from '../shapes.ts';
import { endpointsFor, requireEnabled, resendWrites } from '../webhook_endpoints/operations.ts';
import { EventOutput, ResendInput } from './schema.ts';

/** The stored bytes are the event. They are JSON that this program wrote, so reading and writing them again changes nothing. */
function presentEvent(row: EventRow): object {
  return JSON.parse(row.payload.toString());
}

async function requireEvent({ tenant, id, reads }: Context): Promise<EventRow> {
  const row = isId('evt', id) ? await reads.one(eventsTable, tenant, id) : undefined;
  if (row === undefined) throw refusal('resource_missing', { param: 'id', resource: 'event' });
  return row;
}

const retrieve = (eventTypes: readonly string[]) =>
  operation({
    name: 'events.retrieve',
    summary: 'Retrieve an event',
    method: 'GET',
    route: '/events/:id',
    scope: 'events:read',
    input: Parameters({}),
    nulls: 'absent',
    output: EventOutput(eventTypes),
    async run(context) {
      const row = await requireEvent(context);
      return { result: presentEvent(row), objectId: row.id };
    },
  });

const list = (eventTypes: readonly string[]) =>
  operation({
    name: 'events.list',
    summary: 'List events',
    method: 'GET',
    route: '/events',
    scope: 'events:read',
    input: Parameters({
      ...listParameters,
      type: Type.Optional(Type.String({ enum: [...eventTypes], description: 'Only events of this type.' })),
    }),
    nulls: 'absent',
    output: ListOf(EventOutput(eventTypes)),
    async run(context, input) {
      const source = {
        table: eventsTable,
        prefix: 'evt',
        url: '/v1/events',
        filters: { type: input.type },
        present: presentEvent,
      };
      return { result: await listPage(context, input, source) };
    },
  });

const resend = (eventTypes: readonly string[]) =>
  operation({
    name: 'events.resend',
    summary: 'Send an event to its webhook endpoints again',
    method: 'POST',
    route: '/events/:id/resend',
    scope: 'events:write',
    callers: ['key', 'operator'],
    input: ResendInput,
    nulls: 'clear', // so that an empty value is seen: a variable that is not set must not send to everybody
    output: EventOutput(eventTypes),
    check({ webhook_endpoint }) {
      const reason = 'it must not be empty; leave it out to send to all endpoints that are enabled and subscribed';
      if (webhook_endpoint === null) throw refusal('parameter_invalid', { param: 'webhook_endpoint', reason });
    },
    async run(context, { webhook_endpoint }) {
      const row = await requireEvent(context);
      const endpoints =
        webhook_endpoint === undefined || webhook_endpoint === null
          ? await endpointsFor(context, row)
          : [(await requireEnabled(context, webhook_endpoint, 'webhook_endpoint')).id];
      const writes = await resendWrites(context, row.id, endpoints);
      const resent = { action: 'event.resent', subject: row.id, details: { webhook_endpoints: endpoints } };
      const audit = endpoints.length === 0 ? [] : [resent];
      return { result: presentEvent(row), objectId: row.id, writes, audit, due: context.now };
    },
  });

export function eventOperations(eventTypes: readonly string[]): AnyOperation[] {
  return [retrieve(eventTypes), list(eventTypes), resend(eventTypes)];
}
