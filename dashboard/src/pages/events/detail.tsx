import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { Event, WebhookDelivery } from '@tollgate/node';
import { useState } from 'react';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { counted } from '../../kit/counted.ts';
import { DetailPage, type Fact, Section } from '../../kit/detail_page.tsx';
import { Failure } from '../../kit/failure.tsx';
import { FoldList } from '../../kit/fold_list.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { statusInWords } from '../../kit/status.tsx';
import { TitleRow } from '../../kit/title_row.tsx';
import { deliveryFold } from '../../nouns/deliveries.tsx';
import { endpointName, useEndpoints } from '../../nouns/endpoint_words.ts';
import { NamedId } from '../../nouns/named_id.tsx';
import { MaybeNamed, SubscriptionLink } from '../../nouns/names.tsx';
import { objectWords } from '../../nouns/object_words.ts';
import { ResendButton, ResendDialog } from '../../nouns/resend_dialog.tsx';
import style from './changed.module.css';
import { objectOf } from './list.tsx';

export function Detail({ id }: { id: string }) {
  const reading = useRead(['events', id], (api, options) => api.events.retrieve(id, options));
  return (
    <DetailPage<Event>
      reading={reading}
      list={{ path: '/events', title: 'Events' }}
      id={id}
      headline={({ type }) => type}
      story={(event) => <Story event={event} />}
      actions={(event) => <Actions event={event} />}
      facts={factsOf}
      showsJson
    >
      {(event) => (
        <>
          <Deliveries event={event} />
          <Changed event={event} />
        </>
      )}
    </DetailPage>
  );
}

/** What it is about, and who has received it. */
function Story({ event }: { event: Event }) {
  const { data } = useDeliveries(event.id);
  const object = objectOf(event);
  const about = `About the ${[statusInWords(object.object), objectWords(object)].filter(Boolean).join(' ')}.`;
  return data === undefined ? about : `${about} ${deliveredWords(data.data)}`;
}

function deliveredWords(deliveries: readonly WebhookDelivery[]): string {
  if (deliveries.length === 0) return 'Not sent to any endpoint.';
  const delivered = deliveries.filter(({ status }) => status === 'delivered').length;
  if (delivered === deliveries.length)
    return `Delivered to ${delivered === 1 ? 'its endpoint' : `all ${delivered} endpoints`}.`;
  return `Delivered to ${delivered} of ${counted(deliveries.length, 'endpoint')}.`;
}

function useDeliveries(id: string) {
  return useRead(['events', id, 'deliveries'], (api, options) => api.events.listDeliveries(id, options));
}

function factsOf(event: Event): Fact[] {
  const { id } = objectOf(event);
  return [
    ['Created', <Moment key="created" seconds={event.created} precision="second" />],
    ['Object', <ObjectLink key="object" event={event} />],
    [
      'Its events',
      <Link key="others" to="/events" search={{ object_id: id } as never} className="plain-link">
        Show all
      </Link>,
    ],
    ['API version', event.api_version],
  ];
}

function ObjectLink({ event }: { event: Event }) {
  const object = objectOf(event);
  if (object.object === 'subscription') return <SubscriptionLink id={object.id} />;
  return <MaybeNamed id={object.id} name={objectWords(object)} />;
}

function Actions({ event }: { event: Event }) {
  return (
    <ActionButtons
      actions={[
        {
          title: 'Resend',
          calls: 'events.resend',
          dialog: (onClose) => <ResendDialog event={event} onClose={onClose} />,
        },
      ]}
    />
  );
}

/** What became of the event, at each endpoint. */
function Deliveries({ event }: { event: Event }) {
  const [opened, setOpened] = useState<string>();
  const { data, error, refetch } = useDeliveries(event.id);
  const { data: endpoints } = useEndpoints();
  const folds = (data?.data ?? []).map((delivery) =>
    foldOf(
      delivery,
      event,
      endpoints?.data.find(({ id }) => id === delivery.webhook_endpoint),
    ),
  );
  return (
    <Section
      title="Deliveries"
      isFlush
      none={data?.data.length === 0 && 'No endpoint was enabled and subscribed to it. Use Resend to send it now.'}
    >
      {error !== null && <Failure error={error} onRetry={() => void refetch()} />}
      {error === null && data === undefined && <Skeleton height={34} m="md" w="auto" aria-busy />}
      <FoldList label="Deliveries" folds={folds} opened={opened} onOpen={setOpened} />
    </Section>
  );
}

type Target = { id: string; url: string; status: string };

function foldOf(delivery: WebhookDelivery, event: Event, endpoint: Target | undefined) {
  return deliveryFold(delivery, {
    title: endpoint === undefined ? delivery.webhook_endpoint : endpointName(endpoint),
    url: endpoint?.url ?? delivery.webhook_endpoint,
    actions: (
      <>
        <NamedId id={delivery.webhook_endpoint} />
        {endpoint?.status === 'enabled' && <ResendButton event={event} endpoint={endpoint} />}
      </>
    ),
  });
}

/** Of an update: what each member was, and what it is. */
function Changed({ event }: { event: Event }) {
  const before = Object.entries((event.data.previous_attributes ?? {}) as Record<string, unknown>);
  const object = event.data.object as Record<string, unknown>;
  if (before.length === 0) return null;
  return (
    <Section title="Changes">
      <table className={style.changed}>
        <TitleRow titles={['Field', 'Before', 'After']} />
        <tbody>
          {before.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{shown(value)}</td>
              <td>{shown(object[name])}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '–';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
