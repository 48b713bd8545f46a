import { insert, remove, table, update, type Write } from '../../base/commit/index.ts';
import type { Id } from '../../base/id.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryId,
  deliveriesTable,
  type EndpointId,
  idExpression,
  subscribes,
} from '../../outbox/delivery.ts';
import type { EventType } from '../../outbox/event.ts';
import type { WebhookEndpoint } from './webhook_endpoint.ts';

export const webhookEndpointsTable = table<WebhookEndpoint>(
  'webhook_endpoints',
  {
    tenant: 'int4',
    id: 'text',
    version: 'int4',
    url: 'text',
    enabled_events: 'json',
    status: 'text',
    description: 'text',
    metadata: 'json',
    secret: 'int4',
    previous_until: 'timestamptz',
    failing_since: 'timestamptz',
  },
  { key: ['tenant', 'id'] },
);

export function findEndpoint(reads: Reads, tenant: Tenant, id: EndpointId): Promise<WebhookEndpoint | undefined> {
  return reads.one(webhookEndpointsTable, tenant, id);
}

/** The endpoint with this URL and these events, of which there is one at most. */
export async function findTwin(
  reads: Reads,
  tenant: Tenant,
  { url, enabled_events }: Pick<WebhookEndpoint, 'url' | 'enabled_events'>,
): Promise<EndpointId | undefined> {
  const [twin] = await reads.rows<{ id: EndpointId }>(
    `select id from webhook_endpoints
      where tenant = $1 and md5(url || ' ' || enabled_events::text) = md5($2::text || ' ' || $3::jsonb::text)`,
    [tenant, url, JSON.stringify(enabled_events)],
  );
  return twin?.id;
}

/** The endpoints that an event of this type goes to. */
export async function findSubscribed(reads: Reads, tenant: Tenant, type: EventType): Promise<EndpointId[]> {
  const rows = await reads.rows<{ id: EndpointId }>(
    `select id from webhook_endpoints
      where tenant = $1 and status = 'enabled' and ${subscribes('enabled_events', '$2::text')} order by id`,
    [tenant, type],
  );
  return rows.map(({ id }) => id);
}

export function addEndpoint(endpoint: WebhookEndpoint): Write {
  return insert(webhookEndpointsTable, endpoint);
}

export function replaceEndpoint(endpoint: WebhookEndpoint): Write {
  return update(webhookEndpointsTable, endpoint);
}

export function removeEndpoint(endpoint: WebhookEndpoint): Write {
  return remove(webhookEndpointsTable, endpoint);
}

export function findDelivery(reads: Reads, tenant: Tenant, id: DeliveryId): Promise<Delivery | undefined> {
  return reads.one(deliveriesTable, tenant, id);
}

const attemptsShownMax = 20; // two rounds: whoever resends for weeks sees the latest

/** The latest attempts of each of these deliveries, oldest first. */
export function findAttempts(
  reads: Reads,
  tenant: Tenant,
  deliveries: readonly DeliveryId[],
): Promise<DeliveryAttempt[]> {
  return reads.rows<DeliveryAttempt>(
    `select a.tenant, a.delivery, a.at, a.duration_ms, a.status, a.error, a.response
       from unnest($2::text[]) as x (delivery)
      cross join lateral (
        select * from delivery_attempts t where t.tenant = $1 and t.delivery = x.delivery
         order by t.id desc limit ${attemptsShownMax}) a
      order by a.id`,
    [tenant, deliveries],
  );
}

/** An event, and what has become of it on the way to one endpoint: nothing so far, or a delivery. */
export type Passage = { event: Id<'evt'>; version: number | null; state: Delivery['state'] | null };

/** The events of these types from an id on, oldest first, as seen by one endpoint. */
export function findPassages(
  reads: Reads,
  tenant: Tenant,
  wanted: { endpoint: EndpointId; types: readonly EventType[]; from: string; limit: number },
): Promise<Passage[]> {
  return reads.rows<Passage>(
    `select e.id as event, d.version, d.state
       from (select id from events where tenant = $1 and id >= $2 and type = any ($3) order by id limit $4) e
       left join deliveries d on d.tenant = $1 and d.id = ${idExpression('e.id', '$5::text')}
      order by e.id`,
    [tenant, wanted.from, wanted.types, wanted.limit, wanted.endpoint],
  );
}
