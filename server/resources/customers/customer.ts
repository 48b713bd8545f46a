import { createdSeconds, type Id } from '../../base/id.ts';
import { type Metadata, type MetadataPatch, mergeMetadata } from '../../base/metadata.ts';
import type { Tenant } from '../../base/reads.ts';

export type CustomerId = Id<'cus'>;

export type Customer = {
  tenant: Tenant;
  id: CustomerId;
  version: number;
  email: string | null;
  name: string | null;
  phone: string | null;
  metadata: Metadata;
  clock: string | null;
};

/** What a caller may set. Undefined leaves as it is, null clears. */
export type CustomerChange = {
  email?: string | null;
  name?: string | null;
  phone?: string | null;
  metadata?: MetadataPatch | null;
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
    clock: null,
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
  };
}

/** The customer as the API shows it: what was never supplied is not there. */
export function presentCustomer(customer: Customer): object {
  const { id, email, name, phone, metadata } = customer;
  return {
    id,
    object: 'customer',
    ...(email === null ? {} : { email }),
    ...(name === null ? {} : { name }),
    ...(phone === null ? {} : { phone }),
    metadata,
    created: createdSeconds(id),
  };
}

/** What changed, as it was before; undefined when nothing did. A key that did not exist before shows as null. */
export function previousAttributes(before: Customer, after: Customer): object | undefined {
  const previous: Record<string, unknown> = {};
  for (const field of ['email', 'name', 'phone'] as const) {
    if (before[field] !== after[field]) previous[field] = before[field];
  }
  const metadata = previousMetadata(before.metadata, after.metadata);
  if (metadata !== undefined) previous.metadata = metadata;
  return Object.keys(previous).length === 0 ? undefined : previous;
}

function previousMetadata(before: Metadata, after: Metadata): object | undefined {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  // Only what the object has itself: every object also answers to "constructor".
  const valueIn = (metadata: Metadata, key: string) => (Object.hasOwn(metadata, key) ? metadata[key]! : null);
  const changed = [...keys].filter((key) => valueIn(before, key) !== valueIn(after, key));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((key) => [key, valueIn(before, key)]));
}
