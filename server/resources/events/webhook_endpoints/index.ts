import type { Pool } from '../../../base/sql.ts';
import { type AttentionSource, needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { type Outstanding, outstandingWork } from '../../../operations/extension_points/outstanding.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import type { ResourceGauge } from '../../../operations/gauge.ts';
import type { TenantsThere } from '../../../operations/job.ts';
import { purgeOlderThan } from '../../../operations/purge.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import type { Retention } from '../../../operations/retention.ts';
import { timestampOf } from '../../../operations/schemas.ts';
import { eventsTable } from '../../../outbox/event.ts';
import { Deliverer, delivererName } from './deliveries/deliverer.ts';
import { deliveriesOf, deliveriesTable, deliveryAttemptsTable } from './deliveries/delivery.ts';
import { countDue, countedDueMax } from './deliveries/due.ts';
import { cancelOrphans } from './deliveries/orphans.ts';
import { countUndelivered } from './deliveries/store.ts';
import { webhookEndpointErrors } from './errors.ts';
import { recoverMissed } from './jobs.ts';
import { endpointDescriptor, endpointsMax, webhookEndpointOperations } from './operations.ts';
import { endpointRemovals } from './points.ts';
import { EndpointOutput } from './schema.ts';
import { destroyOldSecrets, findTroubled, type Troubled } from './store.ts';
import { webhookEndpointEvents } from './webhook_endpoint.ts';

/** The webhooks that should have been sent by now. Those that wait for their next attempt after a failure are not among them. */
const deliveryGauges: readonly ResourceGauge[] = [
  {
    name: 'tollgate_webhooks_due',
    help: `Webhooks that are due and not sent yet; ${countedDueMax} stands for that many or more.`,
    read: async (pool) => Number((await countDue(pool)).webhooks),
  },
  {
    name: 'tollgate_webhooks_due_oldest_seconds',
    help: 'How long the oldest of these webhooks has been due; 0 without any.',
    read: async (pool) => Number((await countDue(pool)).oldest_seconds ?? 0),
  },
];

/** What is not delivered after ten attempts, or to an endpoint that is disabled, is not counted: nothing more happens to it. */
const outstandingDeliveries: Outstanding = {
  kind: 'webhooks_undelivered',
  fate: 'are sent until they are delivered, at most ten times each',
  count: countUndelivered,
};

const troubledEndpoints: AttentionSource = {
  kind: 'webhook_endpoint',
  about: 'deliveries to a webhook endpoint fail, or it was disabled because they did',
  scope: 'webhook_endpoints:read',
  right: 'change',
  operations: ['webhook_endpoints.list_deliveries', 'webhook_endpoints.update'],
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

/** Deliveries and their attempts are kept for as long as their event; their ids begin with its time. */
async function purgeDeliveries(pool: Pool, { eventDays }: Retention, tenants: TenantsThere): Promise<void> {
  await purgeOlderThan(pool, eventDays, { table: deliveriesTable, id: 'id', prefix: 'whd' }, tenants);
  await purgeOlderThan(pool, eventDays, { table: deliveryAttemptsTable, id: 'delivery', prefix: 'whd' }, tenants);
}

export const webhookEndpoints = resource({
  name: 'webhook_endpoints',
  about: 'Receivers of events: their addresses, their secrets, and what was delivered to them.',
  place: { group: 'Webhooks', position: 10 },
  scopes: ['webhook_endpoints'],
  errors: webhookEndpointErrors,
  events: eventsOf(webhookEndpointEvents, EndpointOutput),
  operations: ({ eventTypes, extensionsOf }) => webhookEndpointOperations(eventTypes, extensionsOf(endpointRemovals)),
  derived: [{ from: eventsTable, statement: deliveriesOf, rowsMax: endpointsMax, wakes: delivererName }],
  jobs: (services) => [recoverMissed(services)],
  loops: (services) => {
    const deliverer = new Deliverer(services);
    return [deliverer, deliverer.leaseRenewal()];
  },
  maintenance: [
    { name: 'webhook secrets whose overlap is over', home: 'tenant', run: destroyOldSecrets },
    { name: 'deliveries to deleted endpoints', home: 'tenant', run: cancelOrphans },
    { name: 'old deliveries', home: 'tenant', isLong: true, run: purgeDeliveries },
  ],
  gauges: deliveryGauges,
  extensions: [
    needsAttention.with(troubledEndpoints),
    outstandingWork.with(outstandingDeliveries),
    searchables.with(
      searchable(
        endpointDescriptor,
        ({ url, status, description }) => ({
          summary: () => ({ title: url, subtitle: status }),
          texts: textsOf({ url, description }),
        }),
        { foundBy: 'few' },
      ),
    ),
  ],
});
