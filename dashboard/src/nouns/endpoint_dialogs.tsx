import type { WebhookEndpoint } from '@tollgate/node';
import { ActionDialog } from '../kit/action_dialog.tsx';
import { endpointName } from './endpoint_words.ts';

type DialogProps = { endpoint: Pick<WebhookEndpoint, 'id' | 'url' | 'status'>; onClose(): void };

export function TestDialog({ endpoint, onClose }: DialogProps) {
  return (
    <ActionDialog
      title="Send a test event"
      confirm="Send webhook_endpoint.test"
      params={{}}
      preview={[
        <>
          The event <code>webhook_endpoint.test</code> is sent to {endpointName(endpoint)} only, whatever events it
          subscribes to.
        </>,
        'The response appears in the deliveries below.',
      ]}
      run={(api, params, options) => api.webhookEndpoints.test(endpoint.id, params, options)}
      done={() => 'Test event sent'}
      onClose={onClose}
    />
  );
}

export function StatusDialog({ endpoint, onClose }: DialogProps) {
  const isEnabled = endpoint.status === 'enabled';
  const status = isEnabled ? 'disabled' : 'enabled';
  return (
    <ActionDialog
      title={isEnabled ? 'Disable the endpoint' : 'Enable the endpoint'}
      confirm={`${isEnabled ? 'Disable' : 'Enable'} the endpoint`}
      isDangerous={isEnabled}
      params={{ status } as const}
      preview={
        isEnabled
          ? [
              `${endpointName(endpoint)} receives no new deliveries. Pending ones are canceled when their next attempt is due.`,
              'You can enable it again and recover missed events.',
            ]
          : [
              `New events are sent to ${endpointName(endpoint)}. The five days after which failures disable it start over.`,
              'Missed events are not sent automatically: recover them afterwards.',
            ]
      }
      run={(api, params, options) => api.webhookEndpoints.update(endpoint.id, params, options)}
      done={() => `Endpoint ${status}`}
      onClose={onClose}
    />
  );
}
