import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AttentionItem, WebhookDelivery, WebhookEndpoint, WebhookEndpointWithSecret } from '@tollgate/node';
import { useState } from 'react';
import { filterChoices } from '../../generated/catalog.ts';
import { ActionButtons, type ActionEntry } from '../../kit/action_buttons.tsx';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { DetailPage, type Fact, momentFact, Section } from '../../kit/detail_page.tsx';
import { createdFilter, type Filter } from '../../kit/filters.ts';
import { FoldSection } from '../../kit/fold_section.tsx';
import { Metadata } from '../../kit/metadata.tsx';
import { Moment } from '../../kit/moment.tsx';
import { Notice } from '../../kit/notice.tsx';
import { useRead } from '../../kit/read.ts';
import { Status } from '../../kit/status.tsx';
import { deliveryFold } from '../../nouns/deliveries.tsx';
import { switchEndpoint, testEndpoint } from '../../nouns/endpoint_dialogs.tsx';
import { endpointStatus, endpointTitle, inboxOf, useTroubles, whyDisabled } from '../../nouns/endpoint_words.ts';
import { ResendButton } from '../../nouns/resend_dialog.tsx';
import { SigningSecret, VerifySnippet } from '../../nouns/signing_secret.tsx';
import type { Mode } from '../../session/rights.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { deleteEndpoint, recoverEvents, rotateSecret } from './actions.tsx';
import { editEndpoint } from './form.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['webhook_endpoints', id], (api, options) => api.webhookEndpoints.retrieve(id, options));
  const { isLoading, troubles } = useTroubles();
  const trouble = troubles.get(id);
  return (
    <DetailPage<WebhookEndpoint>
      // What is wrong stands above everything else, which would move.
      reading={isLoading ? { ...reading, data: undefined } : reading}
      list={{ path: '/webhooks', title: 'Webhooks' }}
      id={id}
      headline={endpointTitle}
      status={(endpoint) => <Status {...endpointStatus(endpoint, trouble)} />}
      story={(endpoint) => storyOf(endpoint)}
      actions={(endpoint) => <Actions endpoint={endpoint} />}
      notice={(endpoint) => <Trouble endpoint={endpoint} trouble={trouble} />}
      facts={factsOf}
      aside={({ metadata }) => <Metadata metadata={metadata} />}
    >
      {(endpoint) => (
        <>
          <Deliveries endpoint={endpoint} />
          <Section title="Signature">
            <Text mb={6}>
              Deliveries are signed with the secret of this endpoint, which was shown when the endpoint was created. If
              you have lost it, rotate it.
            </Text>
            <VerifySnippet />
          </Section>
        </>
      )}
    </DetailPage>
  );
}

function storyOf({ enabled_events, status }: WebhookEndpoint): string {
  const isAll = enabled_events.includes('*');
  const events = isAll
    ? 'all events'
    : enabled_events.length === 1
      ? 'events of one type'
      : `events of ${enabled_events.length} types`;
  return status === 'enabled'
    ? `Receives ${events}. A delivery that fails is tried again for about three days.`
    : `Receives nothing while it is disabled. It subscribes to ${events}.`;
}

function factsOf(endpoint: WebhookEndpoint): Fact[] {
  const { url, enabled_events, description, created, disabled_at } = endpoint;
  const inbox = inboxOf(endpoint);
  return [
    ['URL', inbox === undefined ? url : undefined],
    [
      'Events',
      enabled_events.includes('*') ? (
        'All events'
      ) : (
        <Group key="events" gap={4} fz="xs">
          {enabled_events.map((name) => (
            <code key={name}>{name}</code>
          ))}
        </Group>
      ),
    ],
    ['Description', description],
    [
      'Inbox',
      inbox && (
        <Link key="inbox" to={`/inbox/${inbox}` as string}>
          {inbox}
        </Link>
      ),
    ],
    momentFact('Created', created),
    momentFact('Disabled', disabled_at),
  ];
}

/** What is wrong, since when, and what helps. */
function Trouble({ endpoint, trouble }: { endpoint: WebhookEndpoint; trouble: AttentionItem | undefined }) {
  const why = whyDisabled(endpoint);
  if (why === undefined && trouble === undefined) return null;
  return (
    <Notice
      tone={why !== undefined && endpoint.disabled_reason === undefined ? 'quiet' : 'bad'}
      title={why === undefined ? 'Deliveries are failing' : 'This endpoint is disabled'}
    >
      {why ?? 'No delivery has succeeded'}
      {trouble && (
        <>
          {why === undefined ? ' since ' : ' That was on '}
          <Moment seconds={trouble.since} />.
        </>
      )}{' '}
      {trouble?.action ?? 'It receives no new deliveries. Enable it, then recover missed events.'}
    </Notice>
  );
}

function Actions({ endpoint }: { endpoint: WebhookEndpoint }) {
  const { mode } = useWorkspace();
  const [rotated, setRotated] = useState<WebhookEndpointWithSecret>();
  return (
    <>
      <ActionButtons actions={actionsOf(endpoint, mode, setRotated)} />
      {rotated && (
        <SigningSecret title="The new secret" secret={rotated.secret} onClose={() => setRotated(undefined)} />
      )}
    </>
  );
}

function actionsOf(
  endpoint: WebhookEndpoint,
  mode: Mode,
  onRotated: (rotated: WebhookEndpointWithSecret) => void,
): ActionEntry[] {
  const isEnabled = endpoint.status === 'enabled';
  const change = switchEndpoint(endpoint);
  return [
    { title: 'Enable', calls: 'webhook_endpoints.update', isPossible: !isEnabled, isMain: true, dialog: change },
    {
      title: 'Send test event',
      calls: 'webhook_endpoints.test',
      isPossible: isEnabled,
      dialog: testEndpoint(endpoint),
    },
    { title: 'Edit', calls: 'webhook_endpoints.update', dialog: editEndpoint(endpoint, mode) },
    {
      title: 'Recover missed events',
      calls: 'webhook_endpoints.recover',
      isPossible: isEnabled,
      isMore: true,
      dialog: (onClose) => recoverEvents(endpoint)(onClose),
    },
    {
      title: 'Rotate secret',
      calls: 'webhook_endpoints.rotate_secret',
      isMore: true,
      dialog: rotateSecret(endpoint, onRotated),
    },
    { title: 'Disable', calls: 'webhook_endpoints.update', isPossible: isEnabled, isMore: true, dialog: change },
    { title: 'Delete', calls: 'webhook_endpoints.delete', isMore: true, dialog: deleteEndpoint(endpoint) },
  ];
}

const filters: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    title: 'Status',
    choices: filterChoices['webhook_endpoints.list_deliveries'].status,
  },
  createdFilter,
];

/** Every delivery to an endpoint. */
function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <FoldSection<WebhookDelivery>
      title="Deliveries"
      queryKey={['webhook_endpoints', endpoint.id, 'deliveries']}
      filters={filters}
      load={(api, params, options) => api.webhookEndpoints.listDeliveries(endpoint.id, params, options)}
      fold={(delivery) => foldOf(delivery, endpoint)}
      empty={{
        text: 'None yet. Send a test event, or trigger one that it subscribes to:',
        command: tollgateCommand('trigger payment.succeeded'),
      }}
    />
  );
}

function foldOf(delivery: WebhookDelivery, endpoint: WebhookEndpoint) {
  const type = delivery.event_type ?? delivery.event;
  return deliveryFold(delivery, {
    title: type,
    url: endpoint.url,
    actions: endpoint.status === 'enabled' && <ResendButton event={{ id: delivery.event, type }} endpoint={endpoint} />,
  });
}
