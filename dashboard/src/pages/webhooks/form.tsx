import { TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { inboxOf } from '../../nouns/endpoint_words.ts';
import { EventChoice } from '../../nouns/event_choice.tsx';
import { eventsInWords } from '../../nouns/event_types.ts';
import { SigningSecret } from '../../nouns/signing_secret.tsx';
import { useWorkspace } from '../../session/workspace.tsx';
import { changesOf, type EndpointFields, urlProblem } from './fields.ts';

/** The button of the list: makes an endpoint, shows its secret, then leads to it. */
export function AddEndpoint() {
  const [made, setMade] = useState<WebhookEndpointWithSecret>();
  const navigate = useNavigate();
  return (
    <>
      <CreateButton
        title="Add endpoint"
        right="change"
        dialog={(onClose) => <AddDialog onClose={onClose} onMade={setMade} />}
      />
      {made && (
        <SigningSecret
          title="Endpoint added. This is its secret."
          secret={made.secret}
          onClose={() => void navigate({ to: `/webhooks/${made.id}` as string })}
        />
      )}
    </>
  );
}

type AddProps = { onClose(): void; onMade(made: WebhookEndpointWithSecret): void };

function AddDialog({ onClose, onMade }: AddProps) {
  const [fields, setFields] = useState<EndpointFields>({ url: '', description: '', enabled_events: [] });
  const { mode } = useWorkspace();
  const { url, description, enabled_events } = fields;
  const isReady = url !== '' && urlProblem(url, mode) === undefined && enabled_events.length > 0;
  return (
    <ActionDialog
      title="Add a webhook endpoint"
      confirm="Add endpoint"
      isWide
      params={isReady ? { url: url.trim(), enabled_events, ...(description !== '' && { description }) } : undefined}
      preview={[
        `${eventsInWords(enabled_events, 4) || 'The selected events'} are sent to ${url.trim() || 'the address'} as they happen. Earlier events are not sent: recover them instead.`,
        'Its secret is shown once, next. Deliveries are signed with it.',
      ]}
      run={(api, params, options) => api.webhookEndpoints.create(params, options)}
      done={() => 'Endpoint added'}
      onDone={onMade}
      onClose={onClose}
    >
      <Fields fields={fields} onChange={setFields} />
    </ActionDialog>
  );
}

export function EditDialog({ endpoint, onClose }: { endpoint: WebhookEndpoint; onClose(): void }) {
  const { url, description = '', enabled_events } = endpoint;
  const [fields, setFields] = useState<EndpointFields>({ url, description, enabled_events });
  const { mode } = useWorkspace();
  const changes = changesOf(endpoint, fields);
  const isReady = changes !== undefined && fields.enabled_events.length > 0;
  const isUrlGood = fields.url === url || urlProblem(fields.url, mode) === undefined;
  return (
    <ActionDialog
      title="Edit the endpoint"
      confirm="Save changes"
      isWide
      params={isReady && isUrlGood ? changes : undefined}
      preview={previewOf(changes)}
      run={(api, params, options) => api.webhookEndpoints.update(endpoint.id, params, options)}
      done={() => 'Endpoint updated'}
      onClose={onClose}
    >
      <Fields fields={fields} onChange={setFields} isInbox={inboxOf(endpoint) !== undefined} />
    </ActionDialog>
  );
}

function previewOf(changes: ReturnType<typeof changesOf>): string[] {
  if (changes === undefined) return ['No changes yet.'];
  const { url, enabled_events } = changes;
  return [
    ...(url ? [`Within a second, deliveries go to ${url}, including pending ones.`] : []),
    ...(enabled_events
      ? [`It then receives: ${eventsInWords(enabled_events, 4)}. Earlier events are not sent: recover them instead.`]
      : []),
    ...('description' in changes ? ['Its description changes.'] : []),
    'Its secret does not change.',
  ];
}

type FieldsProps = { fields: EndpointFields; isInbox?: boolean; onChange(fields: EndpointFields): void };

function Fields({ fields, isInbox = false, onChange }: FieldsProps) {
  const { mode } = useWorkspace();
  const { url, description, enabled_events } = fields;
  return (
    <>
      {!isInbox && (
        <TextInput
          label="Address of the receiver"
          description={mode === 'live' ? 'https, at a public host' : 'https at a public host; in test mode also http'}
          placeholder="https://example.com/hook"
          type="url"
          data-autofocus
          maxLength={2_048}
          value={url}
          error={url === '' ? undefined : urlProblem(url, mode)}
          onChange={(event) => onChange({ ...fields, url: event.currentTarget.value })}
        />
      )}
      <TextInput
        label="Description"
        placeholder="What it is for"
        maxLength={1_000}
        value={description}
        onChange={(event) => onChange({ ...fields, description: event.currentTarget.value })}
      />
      <EventChoice chosen={enabled_events} onChange={(chosen) => onChange({ ...fields, enabled_events: chosen })} />
    </>
  );
}
