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
          An event <code>webhook_endpoint.test</code> is made, and sent to {endpointName(endpoint)} alone, whatever it
          subscribes to.
        </>,
        'What the receiver answers is in the deliveries below.',
      ]}
      run={(api, params, options) => api.webhookEndpoints.test(endpoint.id, params, options)}
      done={() => 'The test event is on its way'}
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
              `${endpointName(endpoint)} gets no new deliveries. Those that wait are canceled when their next attempt is due.`,
              'You can enable it again, and recover what it has missed.',
            ]
          : [
              `New events go to ${endpointName(endpoint)} from now on. The five days after which failures disable it begin anew.`,
              'What it has missed is not sent by this: recover it afterwards.',
            ]
      }
      run={(api, params, options) => api.webhookEndpoints.update(endpoint.id, params, options)}
      done={() => `The endpoint is ${status}`}
      onClose={onClose}
    />
  );
}
