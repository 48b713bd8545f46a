import { insert, remove, type Table, table, update, type Write } from '../../base/commit/index.ts';
import type { Leasable } from '../../base/lease.ts';
import type { Customer, CustomerId } from './customer.ts';

export const customersTable: Table<Customer> = table('customers', {
  int4: 'tenant version',
  text: 'id email name phone default_payment_method',
  json: 'metadata',
});

/** The tombstone of a customer. It is due until everything that goes with the customer is released. */
export type DeletedCustomer = Leasable & { id: CustomerId; deleted_at: Date };

export const deletedCustomersTable: Table<DeletedCustomer> = table('deleted_customers', {
  int4: 'tenant version',
  text: 'id',
  timestamptz: 'deleted_at due_at lease_until',
  identity: [], // another server may have deleted the same customer
});

export const addCustomer = (customer: Customer): Write => insert(customersTable, customer);
export const replaceCustomer = (customer: Customer): Write => update(customersTable, customer);

/** The personal data is deleted; a tombstone stays. `isReleased`: nothing is left for the duty. */
export function eraseCustomer(customer: Customer, now: number, isReleased = true): Write[] {
  const { tenant, id } = customer;
  const [deleted_at, due_at] = [new Date(now), isReleased ? null : new Date(now)];
  const tombstone: DeletedCustomer = { tenant, id, version: 1, deleted_at, due_at, lease_until: null };
  return [remove(customersTable, customer), insert(deletedCustomersTable, tombstone)];
}

export const replaceTombstone = (tombstone: DeletedCustomer): Write => update(deletedCustomersTable, tombstone);
