import { resource } from '../resource.ts';
import { webhookEndpointErrors } from './errors.ts';
import { webhookEndpointOperations } from './operations.ts';

export const webhookEndpoints = resource({
  name: 'webhook_endpoints',
  scopes: ['webhook_endpoints'],
  errors: webhookEndpointErrors,
  events: ['webhook_endpoint.disabled', 'webhook_endpoint.test'],
  operations: ({ eventTypes }) => webhookEndpointOperations(eventTypes),
});
