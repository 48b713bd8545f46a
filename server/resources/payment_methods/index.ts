import { sweepCvcs } from '../../vault/index.ts';
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
  chores: [
    {
      name: 'expired security codes',
      run: sweepCvcs,
      isApart: true, // that a code is gone in time must not depend on anything else
      alarm: 'expired security codes could not be deleted; next try in a minute',
    },
  ],
  extensions: [dependents.with(methodsOfCustomers)],
});
