import type { WebhookEndpoint, WebhookEndpointWithSecret } from '@tollgate/node';
import { confirmation, type OpenDialog } from '../../kit/action_dialog.tsx';
import { form, selectField, textField } from '../../kit/form_dialog.tsx';
import { localMinute, secondsOf } from '../../kit/local_time.ts';
import { endpointName, inboxOf } from '../../nouns/endpoint_words.ts';
import { eventsInWords } from '../../nouns/event_types.ts';

const overlaps = [
  { value: '24', label: '24 hours' },
  { value: '72', label: '3 days' },
  { value: '168', label: '7 days' },
  { value: '1', label: '1 hour' },
  { value: '0', label: 'None: the old secret has leaked' },
];

export function rotateSecret(
  endpoint: WebhookEndpoint,
  onRotated: (rotated: WebhookEndpointWithSecret) => void,
): OpenDialog {
  return form({
    title: 'Rotate the secret',
    fields: {
      overlap_hours: selectField('Overlap', overlaps, '24', {
        description: 'How long the old secret is used beside the new one',
      }),
    },
    describe: ({ overlap_hours: hours }) => ({
      confirm: 'Rotate the secret',
      isDangerous: hours === '0',
      params: { overlap_hours: Number(hours) },
      preview: [...overlapSentences(hours), 'The new secret is shown once, next.'],
    }),
    run: (api, params, options) => api.webhookEndpoints.rotateSecret(endpoint.id, params, options),
    done: () => 'Secret rotated',
    onDone: onRotated,
  });
}

function overlapSentences(hours: string): string[] {
  if (hours === '0')
    return ['The old secret is deleted immediately. Your receiver rejects deliveries until it has the new one.'];
  const { label } = overlaps.find(({ value }) => value === hours)!;
  return [
    `For ${label}, deliveries are signed with both secrets, so your receiver can switch at any time.`,
    'Then the old secret is deleted. An earlier overlap ends now.',
  ];
}

const daySeconds = 86_400;

/** Of a day, or since it was disabled. The field keeps what it had when it was opened. */
export function recoverEvents(endpoint: WebhookEndpoint): OpenDialog {
  const now = Math.floor(Date.now() / 1_000);
  const from = now - 30 * daySeconds;
  const isWithin = (since: number | undefined) => since !== undefined && since >= from && since <= now;
  return form({
    title: 'Recover missed events',
    fields: {
      since: textField('Since', localMinute(endpoint.disabled_at ?? now - daySeconds), {
        type: 'datetime-local',
        description: 'At most 30 days ago, in your time zone',
        min: localMinute(from),
        max: localMinute(now),
        problem: (text) => (isWithin(secondsOf(text)) ? undefined : 'At most 30 days ago, and not in the future'),
      }),
    },
    describe({ since: text }) {
      const since = secondsOf(text);
      const shown = since === undefined ? '' : new Date(since * 1_000).toLocaleString();
      return {
        confirm: 'Recover missed events',
        params: since !== undefined && isWithin(since) ? { since } : undefined,
        preview: [
          `Undelivered events since ${shown} that it subscribes to (${eventsInWords(endpoint.enabled_events, 4)}) are sent to ${endpointName(endpoint)}.`,
          'They are sent in the background, oldest first. Events that were delivered or are still being retried are skipped.',
        ],
      };
    },
    run: (api, params, options) => api.webhookEndpoints.recover(endpoint.id, params, options),
    done: () => 'Recovery of missed events started',
  });
}

export function deleteEndpoint(endpoint: WebhookEndpoint): OpenDialog {
  return confirmation({
    title: 'Delete the endpoint',
    confirm: 'Delete the endpoint',
    isDangerous: true,
    preview: [
      `${endpointName(endpoint)} receives nothing more. Undelivered events are no longer sent.`,
      'Its secrets are deleted. This cannot be undone: a new endpoint has a new secret.',
      ...(inboxOf(endpoint) === undefined ? [] : ['The inbox and everything it has received are deleted with it.']),
    ],
    run: (api, options) => api.webhookEndpoints.delete(endpoint.id, options),
    done: () => 'Endpoint deleted',
    leadsTo: () => '/webhooks',
  });
}
