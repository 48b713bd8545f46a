import type { WebhookDelivery, WebhookEndpoint } from '@tollgate/node';
import { localCaFile, tollgateCommand } from '../../kit/ca_file.ts';
import { createdColumn, idColumn } from '../../kit/columns.tsx';
import { curlOf } from '../../kit/curl.ts';
import { createdFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { useRead } from '../../kit/read.ts';
import { RowLink } from '../../kit/row_link.tsx';
import { Status } from '../../kit/status.tsx';
import { deliveryStatus } from '../../nouns/deliveries.tsx';
import { endpointName, endpointStatus, useTroubles } from '../../nouns/endpoint_words.ts';
import { eventsInWords } from '../../nouns/event_types.ts';
import { AddEndpoint } from './form.tsx';
import style from './recent.module.css';

export const Page = listPage<WebhookEndpoint>({
  name: 'webhook_endpoints',
  title: 'Webhooks',
  icon: 'webhooks',
  columns: [
    {
      id: 'url',
      title: 'Endpoint',
      isText: true,
      room: 14,
      cell: (endpoint) => <RowLink id={endpoint.id}>{endpointName(endpoint)}</RowLink>,
    },
    { id: 'status', title: 'Status', cell: (endpoint) => <ShownStatus endpoint={endpoint} /> },
    {
      id: 'recent',
      title: 'Recent deliveries',
      room: 11,
      isWideOnly: true,
      cell: ({ id }) => <RecentDeliveries id={id} />,
    },
    {
      id: 'events',
      title: 'Events',
      isText: true,
      isWideOnly: true,
      cell: ({ enabled_events }) => <span title={enabled_events.join('\n')}>{eventsInWords(enabled_events)}</span>,
    },
    {
      id: 'description',
      title: 'Description',
      isText: true,
      isWideOnly: true,
      isHidden: true,
      cell: ({ description }) => description,
    },
    idColumn,
    { ...createdColumn, isWideOnly: true },
  ],
  filters: [createdFilter],
  load: (api, params, options) => api.webhookEndpoints.list(params, options),
  empty: (mode) => ({
    title: `No ${mode} endpoints yet`,
    text:
      mode === 'test'
        ? 'Add the address of your receiver. Without one, create an inbox, or forward events to a program on your machine:'
        : 'Add the https address of your receiver, here or by the API:',
    command:
      mode === 'test'
        ? tollgateCommand('listen --forward-to http://127.0.0.1:3000/hook')
        : curlOf({
            origin: location.origin,
            method: 'POST',
            path: '/v1/webhook_endpoints',
            parameters: { url: 'https://example.com/hook', enabled_events: ['payment.*'] },
            key: 'sk_live_tg_…',
            caFile: localCaFile(),
          }),
  }),
  actions: <AddEndpoint />,
});

function ShownStatus({ endpoint }: { endpoint: WebhookEndpoint }) {
  const trouble = useTroubles().troubles.get(endpoint.id);
  return <Status {...endpointStatus(endpoint, trouble)} />;
}

const shown = 20;
/** Of all endpoints: one request, however many rows show it. */
const newest = 100;

/** Those of an endpoint, newest first; undefined while they are read. Only one with few of the newest of all is asked for by itself. */
function useRecentDeliveries(id: string): readonly WebhookDelivery[] | undefined {
  const ofAll = useRead(['webhook_endpoints', 'recent'], (api, options) =>
    api.webhookEndpoints.listAllDeliveries({ limit: newest }, options),
  ).data;
  const among = ofAll?.data.filter(({ webhook_endpoint }) => webhook_endpoint === id);
  const isQuiet = among !== undefined && among.length < shown && ofAll!.has_more;
  const own = useRead(
    ['webhook_endpoints', id, 'recent'],
    (api, options) => api.webhookEndpoints.listDeliveries(id, { limit: shown }, options),
    { isEnabled: isQuiet },
  ).data;
  return isQuiet ? own?.data : among?.slice(0, shown);
}

/** What became of the latest deliveries, oldest first: one glance tells whether a receiver works. */
function RecentDeliveries({ id }: { id: string }) {
  const deliveries = useRecentDeliveries(id)?.toReversed();
  if (deliveries === undefined) return <span className={style.recent} />;
  const delivered = deliveries.filter(({ status }) => status === 'delivered').length;
  const words = deliveries.length === 0 ? 'No deliveries' : `${delivered} of ${deliveries.length} delivered`;
  return (
    <span className={style.recent} role="img" aria-label={words} title={words}>
      {deliveries.map((delivery) => (
        <span key={delivery.id} data-tone={deliveryStatus(delivery).tone} />
      ))}
      {deliveries.length === 0 && <em>none</em>}
    </span>
  );
}
