import { dependents } from '../customers/operations.ts';
import { resource } from '../resource.ts';
import { destroyDetached, usesOfMethods } from './duties.ts';
import { paymentMethodErrors } from './errors.ts';
import { methodsOfCustomers, paymentMethodOperations } from './operations.ts';

export const paymentMethods = resource({
  name: 'payment_methods',
  scopes: ['payment_methods'],
  errors: paymentMethodErrors,
  events: ['payment_method.attached', 'payment_method.detached', 'payment_method.updated'],
  operations: paymentMethodOperations,
  duties: (services, declared) => [destroyDetached(services, declared.extensionsOf(usesOfMethods))],
  extensions: [dependents.with(methodsOfCustomers)],
});
