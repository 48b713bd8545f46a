import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { type Outstanding, outstandingWork } from '../../../operations/extension_points/outstanding.ts';
import { searchable, searchables } from '../../../operations/extension_points/search.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { eventsTable } from '../../../outbox/event.ts';
import { troubledEndpoints } from './attention.ts';
import { Deliverer, delivererName } from './deliveries/deliverer.ts';
import { deliveriesOf } from './deliveries/delivery.ts';
import { deliveryGauges } from './deliveries/gauges.ts';
import { webhookEndpointErrors } from './errors.ts';
import { recoverMissed } from './jobs.ts';
import { webhookEndpointMaintenance } from './maintenance.ts';
import { endpointDescriptor, endpointsMax, webhookEndpointOperations } from './operations.ts';
import { endpointRemovals } from './points.ts';
import { EndpointOutput } from './schema.ts';
import { webhookEndpointEvents } from './webhook_endpoint.ts';

/** What is not delivered after ten attempts, or to an endpoint that is disabled, is not counted: nothing more happens to it. */
const outstandingDeliveries: Outstanding = {
  kind: 'webhooks_undelivered',
  fate: 'are sent until they are delivered, at most ten times each',
  async count(reads, tenant) {
    const [row] = await reads.rows<{ count: number }>(
      'select count(*) as count from deliveries where tenant = $1 and due_at is not null',
      [tenant],
    );
    return row!.count;
  },
};

export const webhookEndpoints = resource({
  name: 'webhook_endpoints',
  about: 'Receivers of events: their addresses, their secrets, and what was delivered to them.',
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
  maintenance: webhookEndpointMaintenance,
  gauges: deliveryGauges,
  extensions: [
    needsAttention.with(troubledEndpoints),
    outstandingWork.with(outstandingDeliveries),
    searchables.with(searchable(endpointDescriptor, ({ url, status }) => ({ title: url, subtitle: status }))),
  ],
});
