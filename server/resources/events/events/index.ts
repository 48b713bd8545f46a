import { searchable, searchables } from '../../../operations/extension_points/search.ts';
import { timelineSources } from '../../../operations/extension_points/timeline.ts';
import { purgeOlderThan } from '../../../operations/purge.ts';
import { resource } from '../../../operations/resource.ts';
import { eventsTable } from '../../../outbox/event.ts';
import { eventDescriptor, eventOperations } from './operations.ts';
import { eventsInTimelines } from './timeline.ts';

export const events = resource({
  name: 'events',
  about: 'Records of every change, for webhooks and for polling.',
  place: { group: 'Webhooks', position: 20 },
  scopes: ['events'],
  operations: ({ eventTypes }) => eventOperations(eventTypes),
  extensions: [
    timelineSources.with(eventsInTimelines),
    searchables.with(
      searchable(
        eventDescriptor([]),
        ({ type, object_id }) => ({ summary: () => ({ title: type, subtitle: object_id }), texts: [] }),
        {
          foundBy: 'id',
        },
      ),
    ),
  ],
  maintenance: [
    {
      name: 'old events',
      home: 'tenant',
      isLong: true,
      run: (sql, { eventDays }, tenants) =>
        purgeOlderThan(sql, eventDays, { table: eventsTable, id: 'id', prefix: 'evt' }, tenants),
    },
  ],
});
