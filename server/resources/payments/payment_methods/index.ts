import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { searchable, searchables } from '../../../operations/extension_points/search.ts';
import { timelineKinds, timelineRelations } from '../../../operations/extension_points/timeline.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { sweepCvcs } from '../../../vault/index.ts';
import { dependents } from '../customers/operations.ts';
import { usesOfProcessorAccounts } from '../processor_accounts/operations.ts';
import { cardsLeft } from './attention.ts';
import { methodsOfCustomers } from './dependents.ts';
import { paymentMethodErrors } from './errors.ts';
import { destroyDetached, usesOfMethods } from './jobs.ts';
import { dismissLeftover } from './leftovers.ts';
import { methodDescriptor, paymentMethodOperations, requirePaymentMethod } from './operations.ts';
import { paymentMethodEvents } from './payment_method.ts';
import { PaymentMethodOutput } from './schema.ts';
import { findMethodIdsOf, hasCardsAt } from './store.ts';

export const paymentMethods = resource({
  name: 'payment_methods',
  about:
    'Stored cards that payments name by their ids: numbers in the vault, or tokens of cards that a processor keeps.',
  scopes: ['payment_methods'],
  errors: paymentMethodErrors,
  events: eventsOf(paymentMethodEvents, PaymentMethodOutput),
  operations: [...paymentMethodOperations, dismissLeftover],
  jobs: (services, declared) => [destroyDetached(services, declared.extensionsOf(usesOfMethods))],
  maintenance: [
    {
      name: 'expired security codes',
      run: sweepCvcs,
      isApart: true, // no other maintenance task may delay the deletion of a code
      alarm: 'could not delete expired security codes; next try in a minute',
    },
  ],
  extensions: [
    needsAttention.with(cardsLeft),
    dependents.with(methodsOfCustomers),
    usesOfProcessorAccounts.with({ noun: 'payment methods', isUsed: hasCardsAt }),
    timelineKinds.with({ prefix: 'pm', scope: 'payment_methods:read', require: requirePaymentMethod }),
    timelineRelations.with({ of: 'cus', scope: 'payment_methods:read', find: findMethodIdsOf }),
    searchables.with(
      searchable(methodDescriptor, ({ brand, last4, exp_month, exp_year }) => ({
        title: `${brand} ${last4}`,
        subtitle: `until ${exp_month}/${exp_year}`,
      })),
    ),
  ],
});
