import { insert, remove, type Table, table, update, type Write } from '../../base/commit/index.ts';
import type { Tenant } from '../../base/reads.ts';
import type { Customer, CustomerId } from './customer.ts';

export const customersTable: Table<Customer> = table('customers', {
  int4: 'tenant version',
  text: 'id email name phone default_payment_method',
  json: 'metadata',
});

type DeletedCustomer = { tenant: Tenant; id: CustomerId; deleted_at: Date };

const deletedCustomersTable: Table<DeletedCustomer> = table('deleted_customers', {
  int4: 'tenant',
  text: 'id',
  timestamptz: 'deleted_at',
  identity: [], // another server may have deleted the same customer
});

export const addCustomer = (customer: Customer): Write => insert(customersTable, customer);
export const replaceCustomer = (customer: Customer): Write => update(customersTable, customer);

/** The personal data is deleted; a tombstone stays. */
export function eraseCustomer(customer: Customer, now: number): Write[] {
  const { tenant, id } = customer;
  return [remove(customersTable, customer), insert(deletedCustomersTable, { tenant, id, deleted_at: new Date(now) })];
}
