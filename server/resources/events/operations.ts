import { Type } from 'typebox';
import { refusal } from '../../base/errors.ts';
import { isId } from '../../base/id.ts';
import { type EventRow, eventsTable, eventTypes } from '../../outbox/event.ts';
import { listPage } from '../list.ts';
import { operation } from '../operation.ts';
import { ListOf, listParameters, Parameters } from '../shapes.ts';
import { EventOutput } from './schema.ts';

/** The stored bytes are the event. They are JSON that this program wrote, so reading and writing them again changes nothing. */
function presentEvent(row: EventRow): object {
  return JSON.parse(row.payload.toString());
}

const retrieve = operation({
  name: 'events.retrieve',
  summary: 'Retrieve an event',
  method: 'GET',
  route: '/events/:id',
  scope: 'events:read',
  input: Parameters({}),
  nulls: 'absent',
  output: EventOutput,
  async run({ tenant, id, reads }) {
    const row = isId('evt', id) ? await reads.one(eventsTable, tenant, id) : undefined;
    if (row === undefined) throw refusal('resource_missing', { param: 'id', resource: 'event' });
    return { result: presentEvent(row), objectId: id };
  },
});

const list = operation({
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
  output: ListOf(EventOutput),
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

export const eventOperations = [retrieve, list];
