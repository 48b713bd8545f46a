import { Select, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@tollgate/node';
import { useState } from 'react';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { localMinute, secondsOf } from '../../kit/local_time.ts';
import { endpointName, inboxOf } from '../../nouns/endpoint_words.ts';
import { eventsInWords } from '../../nouns/event_types.ts';

type DialogProps = { endpoint: WebhookEndpoint; onClose(): void };

const overlaps = [
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
  { value: '1', label: '1 hour' },
  { value: '0', label: 'None: the old secret has leaked' },
];

type RotateProps = DialogProps & { onRotated(rotated: WebhookEndpointWithSecret): void };

export function RotateDialog({ endpoint, onClose, onRotated }: RotateProps) {
  const [hours, setHours] = useState('24');
  const { label } = overlaps.find(({ value }) => value === hours)!;
  return (
    <ActionDialog
      title="Rotate the secret"
      confirm="Rotate the secret"
      isDangerous={hours === '0'}
      params={{ overlap_hours: Number(hours) }}
      preview={
        hours === '0'
          ? [
              'The old secret is deleted immediately. Your receiver rejects deliveries until it has the new one.',
              'The new secret is shown once, next.',
            ]
          : [
              `For ${label}, deliveries are signed with both secrets, so your receiver can switch at any time.`,
              'Then the old secret is deleted. An earlier overlap ends now.',
              'The new secret is shown once, next.',
            ]
      }
      run={(api, params, options) => api.webhookEndpoints.rotateSecret(endpoint.id, params, options)}
      done={() => 'Secret rotated'}
      onDone={onRotated}
      onClose={onClose}
    >
      <Select
        label="Overlap"
        description="How long the old secret is used beside the new one"
        allowDeselect={false}
        data={overlaps}
        value={hours}
        onChange={(value) => setHours(value ?? '24')}
      />
    </ActionDialog>
  );
}

const daySeconds = 86_400;

export function RecoverDialog({ endpoint, onClose }: DialogProps) {
  const [now] = useState(() => Math.floor(Date.now() / 1_000));
  const [text, setText] = useState(() => localMinute(endpoint.disabled_at ?? now - daySeconds));
  const since = secondsOf(text);
  const isWithin = since !== undefined && since >= now - 30 * daySeconds && since <= now;
  const shown = since === undefined ? '' : new Date(since * 1_000).toLocaleString();
  return (
    <ActionDialog
      title="Recover missed events"
      confirm="Recover missed events"
      params={isWithin ? { since } : undefined}
      preview={[
        `Undelivered events since ${shown} that it subscribes to (${eventsInWords(endpoint.enabled_events, 4)}) are sent to ${endpointName(endpoint)}.`,
        'They are sent in the background, oldest first. Events that were delivered or are still being retried are skipped.',
      ]}
      run={(api, params, options) => api.webhookEndpoints.recover(endpoint.id, params, options)}
      done={() => 'Recovery of missed events started'}
      onClose={onClose}
    >
      <TextInput
        type="datetime-local"
        label="Since"
        description="At most 30 days ago, in your time zone"
        min={localMinute(now - 30 * daySeconds)}
        max={localMinute(now)}
        value={text}
        error={isWithin ? undefined : 'At most 30 days ago, and not in the future'}
        onChange={(event) => setText(event.currentTarget.value)}
      />
    </ActionDialog>
  );
}

export function DeleteDialog({ endpoint, onClose }: DialogProps) {
  const navigate = useNavigate();
  return (
    <ActionDialog
      title="Delete the endpoint"
      confirm="Delete the endpoint"
      isDangerous
      params={{}}
      preview={[
        `${endpointName(endpoint)} receives nothing more. Undelivered events are no longer sent.`,
        'Its secrets are deleted. This cannot be undone: a new endpoint has a new secret.',
        ...(inboxOf(endpoint) === undefined ? [] : ['The inbox and everything it has received are deleted with it.']),
      ]}
      run={(api, _, options) => api.webhookEndpoints.delete(endpoint.id, options)}
      done={() => 'Endpoint deleted'}
      onDone={() => void navigate({ to: '/webhooks' as string })}
      onClose={onClose}
    />
  );
}
