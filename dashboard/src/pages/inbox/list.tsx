import type { Inbox } from '@tollgate/node';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { createdColumn } from '../../kit/columns.tsx';
import { IdLink } from '../../kit/id_link.tsx';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import { RowLink } from '../../kit/row_link.tsx';
import { Status } from '../../kit/status.tsx';
import { TestModeOnly } from '../../kit/test_mode_only.tsx';
import { endpointStatus, useEndpoints, useTroubles } from '../../nouns/endpoint_words.ts';
import { eventsInWords } from '../../nouns/event_types.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { NewInbox } from './actions.tsx';
import { Answers } from './answers.tsx';

const inboxes: ListDescriptor<Inbox> = {
  name: 'inbox',
  title: 'Inbox',
  icon: 'inbox',
  columns: [
    { id: 'id', title: 'Inbox', room: 14, cell: ({ id }) => <RowLink id={id}>{id}</RowLink> },
    { id: 'answer', title: 'Response', cell: ({ answer }) => <Answers answer={answer} /> },
    { id: 'events', title: 'Events', isText: true, isWideOnly: true, cell: (inbox) => <Events inbox={inbox} /> },
    { id: 'status', title: 'Endpoint', isWideOnly: true, cell: (inbox) => <EndpointStatus inbox={inbox} /> },
    {
      id: 'endpoint',
      title: 'Endpoint id',
      isWideOnly: true,
      isHidden: true,
      cell: ({ webhook_endpoint }) => <IdLink id={webhook_endpoint} canCopy />,
    },
    { ...createdColumn, isWideOnly: true },
  ],
  filters: [],
  load: (api, params, options) => api.inbox.list(params, options),
  empty: () => ({
    title: 'No inbox yet',
    text: 'An inbox is a built-in receiver that shows what is delivered. Create one, then trigger an event:',
    command: tollgateCommand('trigger payment.succeeded'),
  }),
  actions: <NewInbox />,
};

function useEndpointOf({ webhook_endpoint }: Inbox) {
  return useEndpoints().data?.data.find(({ id }) => id === webhook_endpoint);
}

function Events({ inbox }: { inbox: Inbox }) {
  const endpoint = useEndpointOf(inbox);
  return endpoint && eventsInWords(endpoint.enabled_events);
}

function EndpointStatus({ inbox }: { inbox: Inbox }) {
  const endpoint = useEndpointOf(inbox);
  const { troubles } = useTroubles();
  return endpoint && <Status {...endpointStatus(endpoint, troubles.get(endpoint.id))} />;
}

export function Page() {
  const { mode } = useWorkspace();
  return mode === 'live' ? <OnlyInTest /> : <ListPage list={inboxes} />;
}

/** Real events go to receivers of your own. */
export function OnlyInTest() {
  return <TestModeOnly title="Inboxes" icon="inbox" text="Live events are sent to your webhook endpoints." />;
}
