import { insert, remove, table, update, type Write } from '../../base/commit/index.ts';
import type { Reads, Tenant } from '../../base/reads.ts';
import type { Customer, CustomerId } from './customer.ts';

export const customersTable = table<Customer>(
  'customers',
  {
    tenant: 'int4',
    id: 'text',
    version: 'int4',
    email: 'text',
    name: 'text',
    phone: 'text',
    metadata: 'json',
    default_payment_method: 'text',
  },
  { key: ['tenant', 'id'] },
);

type DeletedCustomer = { tenant: Tenant; id: CustomerId; deleted_at: Date };

const deletedCustomersTable = table<DeletedCustomer>(
  'deleted_customers',
  { tenant: 'int4', id: 'text', deleted_at: 'timestamptz' },
  { key: ['tenant', 'id'], identity: [] }, // another server may have deleted the same customer
);

export function findCustomer(reads: Reads, tenant: Tenant, id: CustomerId): Promise<Customer | undefined> {
  return reads.one(customersTable, tenant, id);
}

export function addCustomer(customer: Customer): Write {
  return insert(customersTable, customer);
}

export function replaceCustomer(customer: Customer): Write {
  return update(customersTable, customer);
}

/** The person goes; that there was a customer stays. */
export function eraseCustomer(customer: Customer, now: number): Write[] {
  const { tenant, id } = customer;
  return [remove(customersTable, customer), insert(deletedCustomersTable, { tenant, id, deleted_at: new Date(now) })];
}
