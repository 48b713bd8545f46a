import type { WebhookDelivery, WebhookEndpoint } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import type { Filter } from '../../kit/filters.ts';
import { FoldSection } from '../../kit/fold_section.tsx';
import { deliveryFold } from '../../nouns/deliveries.tsx';
import { ResendButton } from '../../nouns/resend_dialog.tsx';

const filters: readonly Filter[] = [
  {
    kind: 'choice',
    name: 'status',
    title: 'Status',
    choices: filterChoices['webhook_endpoints.list_deliveries'].status,
  },
  { kind: 'days', name: 'created', title: 'Created' },
];

/** Every delivery to an endpoint. */
export function Deliveries({ endpoint }: { endpoint: WebhookEndpoint }) {
  return (
    <FoldSection<WebhookDelivery>
      title="Deliveries"
      queryKey={['webhook_endpoints', endpoint.id, 'deliveries']}
      filters={filters}
      load={(api, params, options) => api.webhookEndpoints.listDeliveries(endpoint.id, params, options)}
      fold={(delivery) => foldOf(delivery, endpoint)}
      empty={{
        icon: 'webhooks',
        title: 'Nothing was sent yet',
        text: 'Send a test event, or make something happen that it subscribes to:',
        command: 'npx tollgate trigger payment.succeeded',
      }}
    />
  );
}

function foldOf(delivery: WebhookDelivery, endpoint: WebhookEndpoint) {
  const type = delivery.event_type ?? delivery.event;
  return deliveryFold(delivery, {
    title: type,
    url: endpoint.url,
    actions: endpoint.status === 'enabled' && <ResendButton event={{ id: delivery.event, type }} endpoint={endpoint} />,
  });
}
