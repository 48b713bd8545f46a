import type { Once } from '../../../operations/executor.ts';
import { customerFigures } from '../../../operations/extension_points/customer_summary.ts';
import { copies } from '../../../operations/extension_points/erasure.ts';
import { expandable, expandables } from '../../../operations/extension_points/expand.ts';
import { contactsIn, mailContacts } from '../../../operations/extension_points/mail_contacts.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { timelineKinds, timelineOf, timelineRelations } from '../../../operations/extension_points/timeline.ts';
import { findByExternalId } from '../../../operations/external_id.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { takeWithinBytes } from '../../../operations/take_within_bytes.ts';
import { notables } from '../../people/notes/notables.ts';
import { type ClockWork, clockWork } from '../test_clocks/work.ts';
import { customerEvents } from './customer.ts';
import { finishDeletions } from './jobs.ts';
import { notesOfCustomers, notesOnCustomers } from './notes.ts';
import { customerDescriptor, customerOperations, dependents } from './operations.ts';
import { CustomerOutput, DeletedCustomerOutput } from './schema.ts';
import { customersTable, findCreditOf, findCustomersOf, findNamedCustomersOf, replaceCustomer } from './store.ts';
import { summaryOperation } from './summary.ts';

/** Deleted in one step with their clock. */
const customersPerStep = 32;

/** Of those that give their external ids up in the commit that deletes their clock. */
const namedPerCommit = 1_000;

/** A deletion guards the row of its customer. After a conflict it is decided again. */
const guarded: Once<never> = { claim: () => [], finish: () => [], stored: async () => undefined };

/** Nothing becomes due on a customer. When a clock is deleted, its customers are deleted with it, as if by a request each. */
const customersOfClocks: ClockWork = {
  earliest: async () => undefined,
  run: async () => {},
  /** Another customer can have their external ids then. Beyond the first so many, this is after the next steps. */
  async deleted({ reads }, tenant, clock) {
    const named = await findNamedCustomersOf(reads, tenant, clock, namedPerCommit);
    return takeWithinBytes(named, ({ metadata }) => metadata).map((one) =>
      replaceCustomer({ ...one, version: one.version + 1, external_id: null }),
    );
  },
  async release({ executor, reads }, declared, { tenant, id: clock, now }) {
    const customers = await findCustomersOf(reads, tenant, clock, customersPerStep);
    const operation = declared.operation('customers.delete');
    const caller = { kind: 'job', tenant, mode: 'test', name: 'deleted test clocks' } as const;
    const call = { operation, caller, requestId: null, parameters: {}, clock: { id: clock, now } };
    const outcomes = await Promise.all(customers.map((id) => executor.change({ ...call, id }, guarded)));
    // A request may have deleted one at the same moment.
    const refused = outcomes.find(({ error }) => error !== undefined && error.status !== 404)?.error;
    if (refused !== undefined) throw refused;
    return customers.length < customersPerStep;
  },
};

export const customers = resource({
  name: 'customers',
  about: 'The people and companies that pay you, with their payment methods and their credit.',
  place: { group: 'Payments', position: 60 },
  scopes: ['customers'],
  events: eventsOf(customerEvents, CustomerOutput, { 'customer.deleted': DeletedCustomerOutput }),
  operations: (declared) => [
    ...customerOperations(declared.extensionsOf(dependents)),
    summaryOperation(declared.extensionsOf(customerFigures)),
  ],
  jobs: (services, declared) => [
    finishDeletions(services, declared.extensionsOf(dependents), declared.extensionsOf(copies)),
  ],
  extensions: [
    mailContacts.with(
      contactsIn({
        prefix: 'cus',
        table: customersTable,
        contactIn: (customer) => customer,
        changedBy: 'customer.updated' satisfies keyof typeof customerEvents,
      }),
    ),
    notables.with(notesOnCustomers),
    dependents.with(notesOfCustomers),
    expandables.with(expandable(customerDescriptor)),
    clockWork.with(customersOfClocks),
    timelineKinds.with(timelineOf(customerDescriptor)),
    timelineRelations.with({ of: 'cus', scope: 'customers:read', find: findCreditOf }),
    searchables.with(
      searchable(
        customerDescriptor,
        ({ id, name, email, phone, external_id }) => ({
          summary: () => ({ title: name ?? email ?? id, subtitle: name === null ? null : email }),
          texts: textsOf({ name, email, phone, external_id }),
        }),
        {
          foundBy: 'words',
          columns: { created: { column: 'created_at', isSeconds: false } },
          exact: findByExternalId(customerDescriptor),
        },
      ),
    ),
  ],
});
