import { Link } from '@tanstack/react-router';
import type { Event, WebhookDelivery } from '@tollgate/node';
import { useState } from 'react';
import { ActionButtons } from '../../kit/action_buttons.tsx';
import { DetailPage, type Fact, Section } from '../../kit/detail_page.tsx';
import { Empty } from '../../kit/empty.tsx';
import { Failure } from '../../kit/failure.tsx';
import { FoldList } from '../../kit/fold_list.tsx';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { deliveryFold } from '../../nouns/deliveries.tsx';
import { endpointName, useEndpoints } from '../../nouns/endpoint_words.ts';
import { NamedId } from '../../nouns/named_id.tsx';
import { MaybeNamed } from '../../nouns/names.tsx';
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
      actions={(event) => <Actions event={event} />}
      facts={factsOf}
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

function factsOf(event: Event): Fact[] {
  const { id } = objectOf(event);
  return [
    ['Created', <Moment key="created" seconds={event.created} precision="second" />],
    ['Object', <MaybeNamed key="object" id={id} name={objectWords(objectOf(event))} />],
    [
      'Events of the object',
      <Link key="others" to="/events" search={{ object_id: id } as never}>
        Show all
      </Link>,
    ],
    ['API version', event.api_version],
  ];
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
  const { data, error } = useRead(['events', event.id, 'deliveries'], (api, options) =>
    api.events.listDeliveries(event.id, options),
  );
  const { data: endpoints } = useEndpoints();
  const folds = (data?.data ?? []).map((delivery) =>
    foldOf(
      delivery,
      event,
      endpoints?.data.find(({ id }) => id === delivery.webhook_endpoint),
    ),
  );
  return (
    <Section title="Deliveries" isFlush>
      {error !== null && <Failure error={error} />}
      {data?.data.length === 0 && (
        <Empty
          icon="webhooks"
          title="Not sent to any endpoint"
          text="No endpoint was enabled and subscribed to it. Use Resend to send it now."
        />
      )}
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
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
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
