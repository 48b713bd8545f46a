import { discard, insert, remove, table, update, type Write } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import {
  type Delivery,
  type DeliveryAttempt,
  type DeliveryId,
  deliveriesTable,
  type EndpointId,
  subscribes,
} from '../../outbox/delivery.ts';
import { webhookHealthTable } from '../../outbox/health.ts';
import type { WebhookEndpoint } from './webhook_endpoint.ts';

/** With its address in the one spelling that is compared; what is shown and dialled is what was sent. */
type StoredEndpoint = WebhookEndpoint & { href: string | null };

export const webhookEndpointsTable = table<StoredEndpoint>(
  'webhook_endpoints',
  {
    tenant: 'int4',
    id: 'text',
    version: 'int4',
    url: 'text',
    href: 'text',
    enabled_events: 'json',
    status: 'text',
    description: 'text',
    metadata: 'json',
    secret: 'int4',
    previous_until: 'timestamptz',
  },
  { key: ['tenant', 'id'] },
);

export function findEndpoint(reads: Reads, tenant: Tenant, id: EndpointId): Promise<WebhookEndpoint | undefined> {
  return reads.one(webhookEndpointsTable, tenant, id);
}

function stored(endpoint: WebhookEndpoint): StoredEndpoint {
  return { ...endpoint, href: hrefOf(endpoint) };
}

/** https://a.com, https://A.com/ and https://a.com:443/ are one address. */
function hrefOf({ url }: Pick<WebhookEndpoint, 'url'>): string {
  return new URL(url).href;
}

/** The endpoint with this address and these events, of which there is one at most. */
export async function findTwin(
  reads: Reads,
  tenant: Tenant,
  endpoint: Pick<WebhookEndpoint, 'url' | 'enabled_events'>,
): Promise<EndpointId | undefined> {
  const [twin] = await reads.rows<{ id: EndpointId }>(
    `select id from webhook_endpoints
      where tenant = $1
        and md5(coalesce(href, url) || ' ' || enabled_events::text) = md5($2::text || ' ' || $3::jsonb::text)`,
    [tenant, hrefOf(endpoint), JSON.stringify(endpoint.enabled_events)],
  );
  return twin?.id;
}

/** Whether there are so many endpoints already. */
export async function hasEndpoints(reads: Reads, tenant: Tenant, count: number): Promise<boolean> {
  const rows = await reads.rows('select from webhook_endpoints where tenant = $1 limit $2', [tenant, count]);
  return rows.length === count;
}

/** The endpoints that an event of this type goes to. */
export async function findSubscribed(reads: Reads, tenant: Tenant, type: string): Promise<EndpointId[]> {
  const rows = await reads.rows<{ id: EndpointId }>(
    `select id from webhook_endpoints
      where tenant = $1 and status = 'enabled' and ${subscribes('enabled_events', '$2::text')} order by id`,
    [tenant, type],
  );
  return rows.map(({ id }) => id);
}

export function addEndpoint(endpoint: WebhookEndpoint): Write {
  return insert(webhookEndpointsTable, stored(endpoint));
}

export function replaceEndpoint(endpoint: WebhookEndpoint): Write {
  return update(webhookEndpointsTable, stored(endpoint));
}

export function removeEndpoint(endpoint: WebhookEndpoint): Write {
  return remove(webhookEndpointsTable, stored(endpoint));
}

/** What failed before does not count any more. */
export function forgetFailures({ tenant, id }: WebhookEndpoint): Write {
  return discard(webhookHealthTable, { tenant, endpoint: id });
}

export function findDelivery(reads: Reads, tenant: Tenant, id: DeliveryId): Promise<Delivery | undefined> {
  return reads.one(deliveriesTable, tenant, id);
}

const attemptsShownMax = 10; // a round: whoever resends for weeks sees the latest
const earlierBytesShown = 256;

/**
 * The latest attempts of each of these deliveries, oldest first. What was answered is whole for the latest of all and the beginning
 * for those before it: a page of 100 would otherwise be tens of megabytes.
 */
export function findAttempts(
  reads: Reads,
  tenant: Tenant,
  deliveries: readonly DeliveryId[],
): Promise<DeliveryAttempt[]> {
  return reads.rows<DeliveryAttempt>(
    `select a.tenant, a.delivery, a.at, a.duration_ms, a.status, a.error,
            case when a.place = 1 then a.response else substr(a.response, 1, ${earlierBytesShown}) end as response
       from unnest($2::text[]) as x (delivery)
      cross join lateral (
        select t.*, row_number() over (order by t.id desc) as place
          from delivery_attempts t where t.tenant = $1 and t.delivery = x.delivery
         order by t.id desc limit ${attemptsShownMax}) a
      order by a.id`,
    [tenant, deliveries],
  );
}
