import type { Tollgate, WebhookDelivery } from '@tollgate/node';
import { Moment } from '../../kit/moment.tsx';
import { useRead } from '../../kit/read.ts';
import { Status } from '../../kit/status.tsx';
import { deliveryFold, deliveryStatus } from '../../nouns/deliveries.tsx';
import { endpointName, useEndpoints } from '../../nouns/endpoint_words.ts';
import { Entries } from './entries.tsx';
import style from './workbench.module.css';

const newest = 50;

export function DeliveriesTab({ subject }: { subject: string | undefined }) {
  const { data, error } = useRead(['webhook_endpoints', 'workbench', subject], (api, options) =>
    deliveriesOf(api, subject, options),
  );
  const { data: endpoints } = useEndpoints();
  const addressOf = ({ webhook_endpoint: id }: WebhookDelivery) => {
    const endpoint = endpoints?.data.find((one) => one.id === id);
    return endpoint === undefined ? id : endpointName(endpoint);
  };
  return (
    <Entries
      label="Deliveries"
      items={data?.data}
      error={error}
      nothing="No deliveries. An event is sent to each webhook endpoint that is enabled and subscribed to it."
      row={(delivery) => <Row delivery={delivery} address={addressOf(delivery)} />}
      detail={(delivery) => (
        <div className={style.delivery}>
          {deliveryFold(delivery, { title: delivery.event_type, url: addressOf(delivery) }).body()}
        </div>
      )}
    />
  );
}

function deliveriesOf(api: Tollgate, subject: string | undefined, options: { signal: AbortSignal }) {
  if (subject?.startsWith('evt_')) return api.events.listDeliveries(subject, options);
  if (subject?.startsWith('we_')) return api.webhookEndpoints.listDeliveries(subject, { limit: newest }, options);
  const about = subject === undefined ? {} : { object_id: subject };
  return api.webhookEndpoints.listAllDeliveries({ ...about, limit: newest }, options);
}

function Row({ delivery, address }: { delivery: WebhookDelivery; address: string }) {
  return (
    <>
      <Status {...deliveryStatus(delivery)} />
      <span className={`truncated ${style.what}`}>
        <code>{delivery.event_type ?? delivery.event}</code> <span className="quiet">{address}</span>
      </span>
      <span className={style.when}>
        <Moment seconds={delivery.created} precision="second" />
      </span>
    </>
  );
}
