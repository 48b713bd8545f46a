import type { WebhookEndpoint } from '@tollgate/node';
import { confirmation, type OpenDialog } from '../kit/action_dialog.tsx';
import { endpointName } from './endpoint_words.ts';

type Endpoint = Pick<WebhookEndpoint, 'id' | 'url' | 'status'>;

export function testEndpoint(endpoint: Endpoint): OpenDialog {
  return confirmation({
    title: 'Send a test event',
    confirm: 'Send webhook_endpoint.test',
    preview: [
      <>
        The event <code>webhook_endpoint.test</code> is sent to {endpointName(endpoint)} only, whatever events it
        subscribes to.
      </>,
      'The response appears in the deliveries below.',
    ],
    run: (api, options) => api.webhookEndpoints.test(endpoint.id, {}, options),
    done: () => 'Test event sent',
  });
}

export function switchEndpoint(endpoint: Endpoint): OpenDialog {
  const isEnabled = endpoint.status === 'enabled';
  const status = isEnabled ? 'disabled' : 'enabled';
  return confirmation({
    title: isEnabled ? 'Disable the endpoint' : 'Enable the endpoint',
    confirm: `${isEnabled ? 'Disable' : 'Enable'} the endpoint`,
    isDangerous: isEnabled,
    preview: isEnabled
      ? [
          `${endpointName(endpoint)} receives no new deliveries. Pending ones are canceled when their next attempt is due.`,
          'You can enable it again and recover missed events.',
        ]
      : [
          `New events are sent to ${endpointName(endpoint)}. The five days after which failures disable it start over.`,
          'Missed events are not sent automatically: recover them afterwards.',
        ],
    run: (api, options) => api.webhookEndpoints.update(endpoint.id, { status }, options),
    done: () => `Endpoint ${status}`,
  });
}
