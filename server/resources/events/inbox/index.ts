import type { MaintenanceTask } from '../../../operations/job.ts';
import { purgeOlderThan } from '../../../operations/purge.ts';
import { resource } from '../../../operations/resource.ts';
import { endpointRemovals } from '../webhook_endpoints/points.ts';
import { inboxOperations, inboxRequestOperations, withItsEndpoint } from './operations.ts';
import { daysKept, inboxRequestsTable } from './store.ts';

const purge: MaintenanceTask['run'] = (sql, _, tenants) =>
  purgeOlderThan(sql, daysKept, { table: inboxRequestsTable, id: 'id', prefix: 'ibr' }, tenants);

export const inbox = resource({
  name: 'inbox',
  about: 'Built-in receivers of webhooks, to look at deliveries without a receiver of your own. In test mode only.',
  place: { group: 'Webhooks', position: 40 },
  operations: ({ eventTypes }) => inboxOperations(eventTypes),
  extensions: [endpointRemovals.with(withItsEndpoint)],
  maintenance: [{ name: 'old requests of inboxes', home: 'tenant', run: purge }],
});

export const inboxRequests = resource({
  name: 'inbox_requests',
  about: 'Webhooks that inboxes have received.',
  place: { group: 'Webhooks', position: 50 },
  operations: inboxRequestOperations,
});
