import { discard, insert, remove, type Table, table, update, type Write } from '../../../base/commit/index.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import { type Pool, query } from '../../../base/sql.ts';
import { rowsPerStep } from '../../../operations/purge.ts';
import { destroySecretsSql } from '../../../vault/index.ts';
import { subscribes } from './deliveries/delivery.ts';
import { webhookHealthTable } from './deliveries/health.ts';
import type { EndpointId, WebhookEndpoint } from './webhook_endpoint.ts';

/** With its URL in a normalized spelling for comparison. The URL that is shown and sent to is as the owner wrote it. */
export type StoredEndpoint = WebhookEndpoint & { href: string | null };

export const webhookEndpointsTable: Table<StoredEndpoint> = table('webhook_endpoints', {
  int4: 'tenant version secret',
  text: 'id url href status disabled_reason description',
  json: 'enabled_events metadata',
  timestamptz: 'disabled_at previous_until',
});

function stored(endpoint: WebhookEndpoint): StoredEndpoint {
  return { ...endpoint, href: hrefOf(endpoint) };
}

/** https://a.com, https://A.com/ and https://a.com:443/ are the same address. */
function hrefOf({ url }: Pick<WebhookEndpoint, 'url'>): string {
  return new URL(url).href;
}

/** The endpoint with this address and these events; there is at most one. */
export async function findTwin(reads: Reads, endpoint: WebhookEndpoint): Promise<EndpointId | undefined> {
  const [twin] = await reads.rows<{ id: EndpointId }>(
    `select id from webhook_endpoints
      where tenant = $1
        and md5(coalesce(href, url) || ' ' || enabled_events::text) = md5($2::text || ' ' || $3::jsonb::text)`,
    [endpoint.tenant, hrefOf(endpoint), JSON.stringify(endpoint.enabled_events)],
  );
  return twin?.id;
}

/** An endpoint that fails, or was disabled because of failures. */
export type Troubled = Pick<WebhookEndpoint, 'id' | 'url' | 'disabled_reason'> & { since: Date };

/** The longest first. A tenant has few endpoints. */
export function findTroubled(reads: Reads, tenant: Tenant, limit: number): Promise<Troubled[]> {
  return reads.rows<Troubled>(
    `select e.id, e.url, e.disabled_reason, coalesce(e.disabled_at, h.failing_since) as since
       from webhook_endpoints e left join webhook_health h on h.tenant = e.tenant and h.endpoint = e.id
      where e.tenant = $1 and (e.disabled_at is not null or (e.status = 'enabled' and h.failing_since is not null))
      order by since, e.id limit $2`,
    [tenant, limit],
  );
}

/** Whether there are this many endpoints already. */
export async function hasEndpoints(reads: Reads, tenant: Tenant, count: number): Promise<boolean> {
  const rows = await reads.rows('select from webhook_endpoints where tenant = $1 limit $2', [tenant, count]);
  return rows.length === count;
}

export async function findEndpointIds(reads: Reads, tenant: Tenant): Promise<EndpointId[]> {
  const rows = await reads.rows<{ id: EndpointId }>('select id from webhook_endpoints where tenant = $1', [tenant]);
  return rows.map(({ id }) => id);
}

/** The enabled endpoints that are subscribed to a type of event. */
export async function findSubscribed(reads: Reads, tenant: Tenant, type: string): Promise<EndpointId[]> {
  const rows = await reads.rows<{ id: EndpointId }>(
    `select id from webhook_endpoints
      where tenant = $1 and status = 'enabled' and ${subscribes('enabled_events', '$2::text')} order by id`,
    [tenant, type],
  );
  return rows.map(({ id }) => id);
}

export const addEndpoint = (endpoint: WebhookEndpoint): Write => insert(webhookEndpointsTable, stored(endpoint));
export const replaceEndpoint = (endpoint: WebhookEndpoint): Write => update(webhookEndpointsTable, stored(endpoint));
export const removeEndpoint = (endpoint: WebhookEndpoint): Write => remove(webhookEndpointsTable, stored(endpoint));

/** Earlier failures no longer count. */
export function forgetFailures({ tenant, id }: WebhookEndpoint): Write {
  return discard(webhookHealthTable, { tenant, endpoint: id });
}

/** Destroys the previous secret when the overlap of a rotation is over. */
export async function destroyOldSecrets(pool: Pool): Promise<void> {
  await query(
    pool,
    `with over as (
       update webhook_endpoints set previous_until = null, version = version + 1
        where ctid = any (array(select ctid from webhook_endpoints where previous_until <= now() limit ${rowsPerStep}
                                   for update skip locked)) returning tenant, id || '/' || (secret - 1) as id)
     ${destroySecretsSql('over')}`,
    [],
  );
}
