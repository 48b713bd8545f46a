import type { Static } from 'typebox';
import { createdSeconds, type Id } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { eventsAbout } from '../../outbox/event.ts';
import { type Metadata, mergeMetadata } from '../metadata.ts';
import type { Input } from '../operation.ts';
import type { CustomerInput, NewCustomerInput } from './schema.ts';

export type CustomerId = Id<'cus'>;

export const customerEvents = [
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'customer.credit_balance_updated',
] as const;

/** What the next invoices use before anything is charged: amounts above 0, by currency. */
export type CreditBalance = Readonly<Record<string, number>>;

export type Customer = {
  tenant: Tenant;
  id: CustomerId;
  version: number;
  email: string | null;
  name: string | null;
  phone: string | null;
  metadata: Metadata;
  default_payment_method: string | null;
  /** Null when there is none. */
  credit_balance: CreditBalance | null;
};

export function newCustomer(tenant: Tenant, id: CustomerId, input: Static<typeof NewCustomerInput>): Customer {
  const nothing = { email: null, name: null, phone: null, default_payment_method: null, credit_balance: null };
  const empty = { ...nothing, metadata: {} };
  return { tenant, id, version: 1, ...empty, ...changeCustomer(empty, input) };
}

/** Null clears. */
export function changeCustomer(
  before: Pick<Customer, 'metadata'>,
  { metadata, ...change }: Input<typeof CustomerInput, 'clear'>,
): Partial<Customer> {
  return { ...change, metadata: mergeMetadata(before.metadata, metadata) };
}

/** Members that were never supplied are left out. */
export function presentCustomer(customer: Customer): object {
  const { id, email, name, phone, metadata, default_payment_method, credit_balance } = customer;
  return {
    id,
    object: 'customer',
    ...(email === null ? {} : { email }),
    ...(name === null ? {} : { name }),
    ...(phone === null ? {} : { phone }),
    metadata,
    created: createdSeconds(id),
    ...(default_payment_method === null ? {} : { default_payment_method }),
    ...(credit_balance === null ? {} : { credit_balance }),
  };
}

export const customerEvent = eventsAbout<(typeof customerEvents)[number], Customer>(presentCustomer);
