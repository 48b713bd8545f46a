import { Link } from '@tanstack/react-router';
import type { Inbox } from '@tollgate/node';
import { Empty } from '../../kit/empty.tsx';
import { endpointStatus, useEndpoints, useTroubles } from '../../kit/endpoint_words.ts';
import { eventsInWords } from '../../kit/event_types.ts';
import { IdLink } from '../../kit/id_link.tsx';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import { Moment } from '../../kit/moment.tsx';
import { Status } from '../../kit/status.tsx';
import { usePlace } from '../../session/place.tsx';
import { MakeInbox } from './actions.tsx';
import { Answers } from './answers.tsx';

const inboxes: ListDescriptor<Inbox> = {
  name: 'inbox',
  title: 'Inbox',
  icon: 'inbox',
  columns: [
    {
      id: 'id',
      title: 'Inbox',
      cell: ({ id }) => (
        <Link to={`/inbox/${id}` as string} style={{ color: 'inherit', fontWeight: 600, textDecoration: 'none' }}>
          {id}
        </Link>
      ),
    },
    { id: 'answer', title: 'Answer', cell: ({ answer }) => <Answers answer={answer} /> },
    { id: 'events', title: 'Events', isWideOnly: true, cell: (inbox) => <Events inbox={inbox} /> },
    { id: 'status', title: 'Endpoint', isWideOnly: true, cell: (inbox) => <EndpointStatus inbox={inbox} /> },
    {
      id: 'endpoint',
      title: 'Endpoint id',
      isWideOnly: true,
      isHidden: true,
      cell: ({ webhook_endpoint }) => <IdLink id={webhook_endpoint} canCopy />,
    },
    { id: 'created', title: 'Created', align: 'right', cell: ({ created }) => <Moment seconds={created} /> },
  ],
  filters: [],
  load: (api, params, options) => api.inbox.list(params, options),
  empty: () => ({
    title: 'No inbox yet',
    text: 'An inbox is a receiver that is built in: make one, and look at what is delivered without writing a receiver.',
  }),
  actions: <MakeInbox />,
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
  const troubles = useTroubles();
  return endpoint && <Status {...endpointStatus(endpoint, troubles.get(endpoint.id))} />;
}

export function InboxesPage() {
  const { mode } = usePlace();
  return mode === 'live' ? <OnlyInTest /> : <ListPage list={inboxes} />;
}

/** Real events go to receivers of your own. */
export function OnlyInTest() {
  return (
    <Empty
      isPage
      icon="inbox"
      title="Inboxes exist in test mode only"
      text="Switch to test mode, above. Live events go to the endpoints of your own receivers."
    />
  );
}
