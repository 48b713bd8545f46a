import type { Event } from '@tollgate/node';
import { eventTypes } from '../../generated/catalog.ts';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { createdColumn, idColumn } from '../../kit/columns.tsx';
import { createdFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { Created } from '../../kit/moment.tsx';
import { RowLink } from '../../kit/row_link.tsx';
import { wordsOf } from '../../kit/status.tsx';
import { objectWords } from '../../nouns/object_words.ts';

/** What an event is about: every object has an id and a kind. */
export function objectOf({ data }: Event): { id: string; object: string } {
  return data.object as { id: string; object: string };
}

/** Its name as it was then. It is no link: the row leads to the event. */
const wordsOfObject = (object: { id: string; object: string }) => objectWords(object) ?? object.id;

export const Page = listPage<Event>({
  name: 'events',
  title: 'Events',
  icon: 'events',
  columns: [
    { id: 'type', title: 'Type', isText: true, room: 14, cell: ({ id, type }) => <RowLink id={id}>{type}</RowLink> },
    { id: 'kind', title: 'Kind', isWideOnly: true, cell: (event) => wordsOf(objectOf(event).object) },
    {
      id: 'object',
      title: 'Object',
      isText: true,
      room: 12,
      isWideOnly: true,
      cell: (event) => wordsOfObject(objectOf(event)),
    },
    {
      id: 'changed',
      title: 'Changed',
      isText: true,
      isWideOnly: true,
      cell: ({ data }) => Object.keys(data.previous_attributes ?? {}).join(', '),
    },
    idColumn,
    { ...createdColumn, room: 11, cell: (event) => <Created of={event} precision="second" /> },
  ],
  filters: [
    { kind: 'text', name: 'type', title: 'Type', placeholder: 'payment.succeeded', suggestions: eventTypes },
    { kind: 'text', name: 'object_id', title: 'Object', placeholder: 'py_…' },
    createdFilter,
  ],
  load: (api, params, options) => api.events.list(params, options),
  empty: (mode) => ({
    title: `No ${mode} events yet`,
    text: 'Every change creates an event. Events are kept for 90 days.',
    command: mode === 'test' ? tollgateCommand('trigger payment.succeeded') : undefined,
  }),
});
