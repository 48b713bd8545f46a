import { searchable, searchables } from '../../../operations/extension_points/search.ts';
import { timelineKinds, timelineRelations } from '../../../operations/extension_points/timeline.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { clockWork } from '../test_clocks/work.ts';
import { customersOfClocks } from './clock_work.ts';
import { customerEvents } from './customer.ts';
import { finishDeletions } from './jobs.ts';
import { customerDescriptor, customerOperations, dependents, requireCustomer } from './operations.ts';
import { CustomerOutput, DeletedCustomerOutput } from './schema.ts';
import { findCreditOf, findCustomersByEmail } from './store.ts';

export const customers = resource({
  name: 'customers',
  about: 'The people and companies that pay you, with their payment methods and their credit.',
  scopes: ['customers'],
  events: eventsOf(customerEvents, CustomerOutput, { 'customer.deleted': DeletedCustomerOutput }),
  operations: (declared) => customerOperations(declared.extensionsOf(dependents)),
  jobs: (services, declared) => [finishDeletions(services, declared.extensionsOf(dependents))],
  extensions: [
    clockWork.with(customersOfClocks),
    timelineKinds.with({ prefix: 'cus', scope: 'customers:read', require: requireCustomer }),
    timelineRelations.with({ of: 'cus', scope: 'customers:read', find: findCreditOf }),
    searchables.with(
      searchable(
        customerDescriptor,
        ({ id, name, email }) => ({ title: name ?? email ?? id, subtitle: name === null ? null : email }),
        findCustomersByEmail,
      ),
    ),
  ],
});
