import type { AttentionSource } from '../../../operations/extension_points/needs_attention.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { findTroubled, type Troubled } from './store.ts';

export const troubledEndpoints: AttentionSource = {
  kind: 'webhook_endpoint',
  about: 'deliveries to a webhook endpoint fail, or it was disabled because they did',
  scope: 'webhook_endpoints:read',
  right: 'change',
  objects: ['webhook_endpoint'],
  async find(reads, tenant, limit) {
    return (await findTroubled(reads, tenant, limit)).map(attentionTo);
  },
};

function attentionTo({ id, url, since, disabled_reason }: Troubled) {
  const about = { id, object: 'webhook_endpoint', since: timestampOf(since) };
  if (disabled_reason === null)
    return {
      ...about,
      reason: `No delivery to ${url} has succeeded since then.`,
      action: 'See what the receiver has answered, and fix it. After five days the endpoint is disabled.',
      operation: 'webhook_endpoints.list_deliveries',
    };
  const why = disabled_reason === 'gone' ? 'has answered 410' : 'has failed for five days';
  return {
    ...about,
    reason: `The endpoint was disabled: ${url} ${why}.`,
    action: 'Fix the receiver, enable the endpoint, and recover the events that it has missed.',
    operation: 'webhook_endpoints.update',
  };
}
