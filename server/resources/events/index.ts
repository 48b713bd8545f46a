import { eventDaysKept, eventsTable } from '../../outbox/event.ts';
import { purgeOlderThan } from '../purge.ts';
import { resource } from '../resource.ts';
import { eventOperations } from './operations.ts';

export const events = resource({
  name: 'events',
  about: 'Records of every change, for webhooks and for polling.',
  scopes: ['events'],
  operations: ({ eventTypes }) => eventOperations(eventTypes),
  chores: [
    {
      name: 'old events',
      isLong: true,
      run: (pool) => purgeOlderThan(pool, eventDaysKept, { table: eventsTable, id: 'id', prefix: 'evt' }),
    },
  ],
});
