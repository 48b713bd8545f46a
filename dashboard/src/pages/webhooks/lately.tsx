import { useRead } from '../../kit/read.ts';
import { deliveryStatus } from '../../nouns/deliveries.tsx';
import style from './lately.module.css';

const shown = 20;

/** What became of the latest deliveries, oldest first: one glance tells whether a receiver works. */
export function Lately({ id }: { id: string }) {
  const { data } = useRead(['webhook_endpoints', id, 'lately'], (api, options) =>
    api.webhookEndpoints.listDeliveries(id, { limit: shown }, options),
  );
  const deliveries = data?.data.toReversed() ?? [];
  const delivered = deliveries.filter(({ status }) => status === 'delivered').length;
  const words = deliveries.length === 0 ? 'No deliveries' : `${delivered} of ${deliveries.length} delivered`;
  if (data === undefined) return <span className={style.lately} />;
  return (
    <span className={style.lately} role="img" aria-label={words} title={words}>
      {deliveries.map((delivery) => (
        <span key={delivery.id} data-tone={deliveryStatus(delivery).tone} />
      ))}
      {deliveries.length === 0 && <em>none</em>}
    </span>
  );
}
