import type { WebhookEndpoint } from '@tollgate/node';
import { StatusDialog } from '../../kit/endpoint_dialogs.tsx';
import { useRead } from '../../kit/read.ts';

/** Of an endpoint that was disabled because its receiver failed. Until its address is known, its id stands for it. */
export function EnableDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { data } = useRead<WebhookEndpoint>(['webhook_endpoints', id], (api, options) =>
    api.webhookEndpoints.retrieve(id, options),
  );
  return <StatusDialog endpoint={{ id, url: data?.url ?? id, status: 'disabled' }} onClose={onClose} />;
}
