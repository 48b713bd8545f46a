import type { WebhookEndpoint } from '@tollgate/node';
import { useRead } from '../../kit/read.ts';
import { StatusDialog } from '../../nouns/endpoint_dialogs.tsx';

/** Of an endpoint that was disabled because its receiver failed. Until its address is known, its id stands for it. */
export function EnableDialog({ id, onClose }: { id: string; onClose(): void }) {
  const { data } = useRead<WebhookEndpoint>(['webhook_endpoints', id], (api, options) =>
    api.webhookEndpoints.retrieve(id, options),
  );
  return <StatusDialog endpoint={{ id, url: data?.url ?? id, status: 'disabled' }} onClose={onClose} />;
}
