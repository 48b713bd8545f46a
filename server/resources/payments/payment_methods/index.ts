import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { needsAttention } from '../../../operations/extension_points/needs_attention.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { timelineKinds, timelineOf, timelineRelations } from '../../../operations/extension_points/timeline.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { dependents } from '../customers/operations.ts';
import { usesOfProcessorAccounts } from '../processor_accounts/operations.ts';
import { leftAtProcessors } from './attention.ts';
import { kindOf } from './by_kind.ts';
import { methodsOfCustomers } from './dependents.ts';
import { paymentMethodErrors } from './errors.ts';
import { destroyDetached, usesOfMethods } from './jobs.ts';
import { kinds } from './kinds.ts';
import { dismissLeftover } from './leftovers.ts';
import { methodDescriptor, paymentMethodOperations } from './operations.ts';
import { paymentMethodEvents } from './payment_method.ts';
import { PaymentMethodOutput } from './schema.ts';
import { findMethodIdsOf, hasMethodsAt, paymentMethodsTable } from './store.ts';

export const paymentMethods = resource({
  name: 'payment_methods',
  about: 'What payments charge, by its id: cards whose numbers are in the vault, or that a processor keeps.',
  place: { group: 'Payments', position: 20 },
  scopes: ['payment_methods'],
  errors: Object.assign({}, ...kinds.map(({ errors }) => errors), paymentMethodErrors),
  events: eventsOf(paymentMethodEvents, PaymentMethodOutput),
  operations: [...paymentMethodOperations, dismissLeftover],
  jobs: (services, declared) => [destroyDetached(services, declared.extensionsOf(usesOfMethods))],
  maintenance: kinds.flatMap(({ maintenance = [] }) => maintenance),
  extensions: [
    expandables.with(expandable(methodDescriptor)),
    needsAttention.with(leftAtProcessors),
    dependents.with(methodsOfCustomers),
    usesOfProcessorAccounts.with({ noun: 'payment methods', isUsed: hasMethodsAt }),
    timelineKinds.with(timelineOf(methodDescriptor)),
    timelineRelations.with({ of: 'cus', scope: 'payment_methods:read', find: findMethodIdsOf }),
    searchables.with(
      searchable(
        methodDescriptor,
        // Not by the cardholder: a name stays in as few places as possible, and the customer has it.
        (method) => ({
          ...kindOf(method).describe(method),
          texts: textsOf({ card: method.last4 }),
          belongsTo: method.customer === null ? [] : [method.customer],
        }),
        {
          foundBy: 'words',
          columns: { card: 'last4' },
          owners: [{ prefix: 'cus', table: paymentMethodsTable, column: 'customer' }],
        },
      ),
    ),
  ],
});
