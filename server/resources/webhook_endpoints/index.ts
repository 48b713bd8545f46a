import { deliveriesOf } from '../../outbox/delivery.ts';
import { eventsTable } from '../../outbox/event.ts';
import { resource } from '../resource.ts';
import { webhookEndpointErrors } from './errors.ts';
import { webhookEndpointOperations } from './operations.ts';

export const webhookEndpoints = resource({
  name: 'webhook_endpoints',
  scopes: ['webhook_endpoints'],
  errors: webhookEndpointErrors,
  events: ['webhook_endpoint.disabled', 'webhook_endpoint.test'],
  derived: [{ from: eventsTable, statement: deliveriesOf, wakes: 'deliveries' }],
  operations: ({ eventTypes }) => webhookEndpointOperations(eventTypes),
});
