import type { WebhookEndpoint } from '@tollgate/node';
import { ActionDialog } from '../../kit/action_dialog.tsx';
import { useRead } from '../../kit/read.ts';

/** Of an endpoint that was disabled because its receiver failed. */
export function EnableDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { data } = useRead<WebhookEndpoint>(['webhook_endpoints', id], (api, options) =>
    api.webhookEndpoints.retrieve(id, options),
  );
  const url = data?.url ?? id;
  return (
    <ActionDialog
      title="Enable this endpoint"
      confirm="Enable the endpoint"
      params={{ status: 'enabled' as const }}
      preview={[
        `Events that happen from now on are sent to ${url}.`,
        'What it has missed is not sent by itself: recover it on the page of the endpoint.',
        'If the receiver goes on failing, the endpoint is disabled again after five days, or at once when it answers 410.',
      ]}
      run={(api, params, options) => api.webhookEndpoints.update(id, params, options)}
      done={() => `${url} is enabled`}
      onClose={onClose}
    />
  );
}
