import { useNavigate } from '@tanstack/react-router';
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@tollgate/node';
import { useState } from 'react';
import type { OpenDialog } from '../../kit/action_dialog.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { field, form, textField } from '../../kit/form_dialog.tsx';
import { inboxOf } from '../../nouns/endpoint_words.ts';
import { EventChoice } from '../../nouns/event_choice.tsx';
import { eventsInWords } from '../../nouns/event_types.ts';
import { SigningSecret } from '../../nouns/signing_secret.tsx';
import type { Mode } from '../../session/rights.ts';
import { useWorkspace } from '../../session/workspace.tsx';
import { changesOf, type EndpointFields, urlProblem } from './fields.ts';

/** The button of the list: makes an endpoint, shows its secret, then leads to it. */
export function AddEndpoint() {
  const [made, setMade] = useState<WebhookEndpointWithSecret>();
  const { mode } = useWorkspace();
  const navigate = useNavigate();
  return (
    <>
      <CreateButton title="Add endpoint" calls="webhook_endpoints.create" dialog={addEndpoint(mode, setMade)} />
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

function addEndpoint(mode: Mode, onMade: (made: WebhookEndpointWithSecret) => void): OpenDialog {
  return form({
    title: 'Add a webhook endpoint',
    isWide: true,
    fields: fieldsOf({ url: '', description: '', enabled_events: [] }, mode),
    describe({ url, description, enabled_events }) {
      const isReady = url !== '' && urlProblem(url, mode) === undefined && enabled_events.length > 0;
      return {
        confirm: 'Add endpoint',
        params: isReady ? { url: url.trim(), enabled_events, ...(description !== '' && { description }) } : undefined,
        preview: [
          `${eventsInWords(enabled_events, 4) || 'The selected events'} are sent to ${url.trim() || 'the address'} as they happen. Earlier events are not sent: recover them instead.`,
          'Its secret is shown once, next. Deliveries are signed with it.',
        ],
      };
    },
    run: (api, params, options) => api.webhookEndpoints.create(params, options),
    done: () => 'Endpoint added',
    onDone: onMade,
  });
}

export function editEndpoint(endpoint: WebhookEndpoint, mode: Mode): OpenDialog {
  const { id, url, description = '', enabled_events } = endpoint;
  return form({
    title: 'Edit the endpoint',
    isWide: true,
    fields: fieldsOf({ url, description, enabled_events }, mode),
    describe(fields) {
      const changes = changesOf(endpoint, fields);
      const isUrlGood = fields.url === url || urlProblem(fields.url, mode) === undefined;
      return {
        confirm: 'Save changes',
        params: isUrlGood && fields.enabled_events.length > 0 ? changes : undefined,
        preview: previewOf(changes),
        hidden: inboxOf(endpoint) === undefined ? [] : ['url'],
      };
    },
    run: (api, params, options) => api.webhookEndpoints.update(id, params, options),
    done: () => 'Endpoint updated',
  });
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

function fieldsOf({ url, description, enabled_events }: EndpointFields, mode: Mode) {
  return {
    url: textField('Address of the receiver', url, {
      description: mode === 'live' ? 'https, at a public host' : 'https at a public host; in test mode also http',
      placeholder: 'https://example.com/hook',
      type: 'url',
      hasFocus: true,
      maxLength: 2_048,
      problem: (text) => (text === '' ? undefined : urlProblem(text, mode)),
    }),
    description: textField('Description', description, { placeholder: 'What it is for', maxLength: 1_000 }),
    enabled_events: field(enabled_events, (input) => <EventChoice {...input} />),
  };
}
