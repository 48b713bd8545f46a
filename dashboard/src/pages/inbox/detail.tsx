import { Link } from '@tanstack/react-router';
import type { Inbox, WebhookEndpoint } from '@tollgate/node';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { DetailPage, type Fact, momentFact } from '../../kit/detail_page.tsx';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { testEndpoint } from '../../nouns/endpoint_dialogs.tsx';
import { whyDisabled } from '../../nouns/endpoint_words.ts';
import { eventsInWords } from '../../nouns/event_types.ts';
import { NamedId } from '../../nouns/named_id.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { changeResponse, deleteInbox } from './actions.tsx';
import { Answers, meaningOf } from './answers.tsx';
import { OnlyInTest } from './list.tsx';
import { Received } from './received.tsx';

export function Detail({ id }: { id: string }) {
  const { mode } = useWorkspace();
  return mode === 'live' ? <OnlyInTest /> : <ShownInbox id={id} />;
}

function ShownInbox({ id }: { id: string }) {
  const reading = useRead(['inbox', id], (api, options) => api.inbox.retrieve(id, options));
  const endpointId = reading.data?.webhook_endpoint ?? '';
  const { data: endpoint } = useRead(
    ['webhook_endpoints', endpointId],
    (api, options) => api.webhookEndpoints.retrieve(endpointId, options),
    { isEnabled: endpointId !== '' },
  );
  return (
    <DetailPage<Inbox>
      reading={reading}
      list={{ path: '/inbox', title: 'Inbox' }}
      id={id}
      headline={() => 'Inbox'}
      status={({ answer }) => <Answers answer={answer} />}
      story={(inbox) => storyOf(inbox, endpoint)}
      actions={(inbox) => <Actions inbox={inbox} endpoint={endpoint} />}
      notice={() => endpoint && <Disabled endpoint={endpoint} />}
      facts={(inbox) => factsOf(inbox, endpoint)}
    >
      {(inbox) => <Received inbox={inbox} />}
    </DetailPage>
  );
}

function storyOf({ answer }: Inbox, endpoint: WebhookEndpoint | undefined): string {
  const events = endpoint === undefined ? 'events' : eventsInWords(endpoint.enabled_events, 4);
  const response = answer === 'timeout' ? 'Does not respond' : `Responds ${answer}`;
  return `Receives ${events === 'All events' ? 'all events' : events} in test mode. ${response}: ${meaningOf(answer)}.`;
}

function factsOf({ webhook_endpoint, created }: Inbox, endpoint: WebhookEndpoint | undefined): Fact[] {
  return [
    ['Endpoint', <NamedId key="endpoint" id={webhook_endpoint} />],
    ['Events', endpoint === undefined ? '…' : eventsInWords(endpoint.enabled_events, 4)],
    momentFact('Created', created),
  ];
}

/** It receives nothing while its endpoint is disabled. */
function Disabled({ endpoint }: { endpoint: WebhookEndpoint }) {
  const why = whyDisabled(endpoint);
  if (why === undefined) return null;
  return (
    <Notice tone="bad" title="The endpoint of this inbox is disabled">
      {why} Change the response to 200 and enable <Link to={`/webhooks/${endpoint.id}` as string}>the endpoint</Link>.
    </Notice>
  );
}

function Actions({ inbox, endpoint }: { inbox: Inbox; endpoint: WebhookEndpoint | undefined }) {
  return (
    <ActionButtons
      actions={[
        {
          title: 'Send test event',
          calls: 'webhook_endpoints.test',
          isPossible: endpoint?.status === 'enabled',
          dialog: (onClose) => testEndpoint(endpoint!)(onClose),
        },
        {
          title: 'Change response',
          calls: 'inbox.update',
          dialog: changeResponse(inbox),
        },
        {
          title: 'Delete',
          calls: 'inbox.delete',
          dialog: deleteInbox(inbox),
        },
      ]}
    />
  );
}
