import { resource } from '../resource.ts';
import { customerOperations, dependents } from './operations.ts';

export const customers = resource({
  name: 'customers',
  scopes: ['customers'],
  events: ['customer.created', 'customer.updated', 'customer.deleted'],
  operations: (declared) => customerOperations(declared.extensionsOf(dependents)),
});
