import { resource } from '../resource.ts';
import { customerEvents } from './customer.ts';
import { finishDeletions } from './duties.ts';
import { customerOperations, dependents } from './operations.ts';

export const customers = resource({
  name: 'customers',
  scopes: ['customers'],
  events: customerEvents,
  operations: (declared) => customerOperations(declared.extensionsOf(dependents)),
  duties: (services, declared) => [finishDeletions(services, declared.extensionsOf(dependents))],
});
