import { createdSeconds, type Id } from '../../base/id.ts';
import type { Tenant } from '../../base/reads.ts';
import { type Metadata, type MetadataPatch, mergeMetadata } from '../metadata.ts';

export type CustomerId = Id<'cus'>;

export type Customer = {
  tenant: Tenant;
  id: CustomerId;
  version: number;
  email: string | null;
  name: string | null;
  phone: string | null;
  metadata: Metadata;
  default_payment_method: string | null;
};

/** What a caller may set. Undefined leaves as it is, null clears. */
export type CustomerChange = {
  email?: string | null;
  name?: string | null;
  phone?: string | null;
  metadata?: MetadataPatch | null;
  default_payment_method?: string | null;
};

export function newCustomer(tenant: Tenant, id: CustomerId, change: CustomerChange): Customer {
  return {
    tenant,
    id,
    version: 1,
    email: change.email ?? null,
    name: change.name ?? null,
    phone: change.phone ?? null,
    metadata: mergeMetadata({}, change.metadata),
    default_payment_method: null, // a new customer has no methods yet
  };
}

export function changeCustomer(before: Customer, change: CustomerChange): Customer {
  return {
    ...before,
    version: before.version + 1,
    email: change.email === undefined ? before.email : change.email,
    name: change.name === undefined ? before.name : change.name,
    phone: change.phone === undefined ? before.phone : change.phone,
    metadata: mergeMetadata(before.metadata, change.metadata),
    default_payment_method:
      change.default_payment_method === undefined ? before.default_payment_method : change.default_payment_method,
  };
}

/** The customer as the API shows it: what was never supplied is not there. */
export function presentCustomer(customer: Customer): object {
  const { id, email, name, phone, metadata, default_payment_method } = customer;
  return {
    id,
    object: 'customer',
    ...(email === null ? {} : { email }),
    ...(name === null ? {} : { name }),
    ...(phone === null ? {} : { phone }),
    metadata,
    created: createdSeconds(id),
    ...(default_payment_method === null ? {} : { default_payment_method }),
  };
}
