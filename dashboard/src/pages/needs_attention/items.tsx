import { Button, Group, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { AttentionItem, WebhookEndpoint } from '@tollgate/node';
import { useState } from 'react';
import { tollgateCommand } from '../../kit/ca_file.ts';
import { Command } from '../../kit/copy.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { pathOfId } from '../../kit/paths.ts';
import { useRead } from '../../kit/read.ts';
import { wordsOf } from '../../kit/status.tsx';
import { switchEndpoint } from '../../nouns/endpoint_dialogs.tsx';
import { NamedId } from '../../nouns/named_id.tsx';
import { Named } from '../../nouns/names.tsx';
import { type Action, actionOf, sharedSentence } from '../../nouns/urgency.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { Due } from './compact.tsx';
import { keyOf } from './kinds.ts';
import style from './needs_attention.module.css';

/** What is done on the page of the object: how it is called on the button that leads there. */
const actionTitles = {
  'checkout_sessions.review': 'Review the session',
  'disputes.update': 'Answer the dispute',
  'invoices.pay': 'Collect the invoice',
  'payments.cancel': 'Cancel the payment',
  'reconciliation_differences.accept': 'Review the difference',
  'refunds.create': 'View the payment',
  'webhook_endpoints.list_deliveries': 'View the deliveries',
} as const;

const isAction = (operation: string | undefined): operation is keyof typeof actionTitles =>
  operation !== undefined && operation in actionTitles;

/** Items of one kind. What helps with all of them stands above them. */
export function AttentionItems({ items }: { items: readonly AttentionItem[] }) {
  const { may } = useWorkspace();
  const actions = items.map((item) => actionOf(item, isAction(item.operation) && may(item.operation)));
  const shared = sharedSentence(actions);
  return (
    <>
      {shared !== undefined && <p className={style.shared}>{shared}</p>}
      <ul className={`divided ${style.items}`}>
        {items.map((item, at) => (
          <Item key={keyOf(item)} item={item} action={actions[at]!} isShared={shared !== undefined} />
        ))}
      </ul>
    </>
  );
}

type ItemProps = { item: AttentionItem; action: Action; isShared: boolean };

function Item({ item, action: { sentence, command }, isShared }: ItemProps) {
  const { id, object, name, since, due_by, amount, currency, reason } = item;
  return (
    <li>
      <Stack gap={4} miw={0}>
        <div className={style.reason}>{reason}</div>
        <Group gap="0 1rem" c="dimmed" fz="sm" className={style.about}>
          {amount !== undefined && currency !== undefined && (
            <strong className={style.amount}>{formatMoney(amount, currency)}</strong>
          )}
          <span>
            {wordsOf(object)} {name === undefined ? <NamedId id={id} /> : <Named id={id} name={name} />}
          </span>
          <span>
            since <Moment seconds={since} />
          </span>
          {due_by !== undefined && <Due seconds={due_by} />}
        </Group>
        {!isShared && <Text size="sm">{sentence}</Text>}
        {command !== undefined && <Command text={tollgateCommand(command)} />}
      </Stack>
      <Help item={item} />
    </li>
  );
}

/** The one action that helps: here, or on the page of the object. */
function Help({ item: { id, object, operation } }: { item: AttentionItem }) {
  const { may } = useWorkspace();
  const [isOpen, setOpen] = useState(false);
  const path = pathOfId(id);
  if (operation === 'webhook_endpoints.update')
    return (
      <>
        {may('webhook_endpoints.update') && (
          <Button size="xs" variant="default" onClick={() => setOpen(true)}>
            Enable the endpoint
          </Button>
        )}
        {isOpen && <EnableDialog id={id} onClose={() => setOpen(false)} />}
      </>
    );
  if (path === undefined) return null;
  return (
    <Button size="xs" variant="default" component={Link} to={path as never}>
      {isAction(operation) && may(operation) ? actionTitles[operation] : `Open the ${wordsOf(object).toLowerCase()}`}
    </Button>
  );
}

/** Of an endpoint that was disabled because its receiver failed. Until its address is known, its id stands for it. */
function EnableDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { data } = useRead<WebhookEndpoint>(['webhook_endpoints', id], (api, options) =>
    api.webhookEndpoints.retrieve(id, options),
  );
  return switchEndpoint({ id, url: data?.url ?? id, status: 'disabled' })(onClose);
}
