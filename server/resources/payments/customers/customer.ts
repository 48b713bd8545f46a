import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { LocaleTag } from '../../../locales/index.ts';
import { type Metadata, type MetadataPatch, mergeMetadata } from '../../../operations/metadata.ts';
import type { TestClockId } from '../test_clocks/test_clock.ts';

export type CustomerId = Id<'cus'>;

export const customerEvents = {
  'customer.created': 'A customer was created.',
  'customer.updated': 'A customer was changed; not if an update changed nothing.',
  'customer.deleted': 'A customer was deleted.',
  'customer.credit_balance_updated': 'The credit of a customer changed; not if the customer was deleted.',
} as const;

/** The credit that the next invoices use before anything is charged: amounts above 0, by currency. */
export type CreditBalance = Readonly<Record<string, number>>;

export type Customer = {
  tenant: Tenant;
  id: CustomerId;
  version: number;
  email: string | null;
  name: string | null;
  phone: string | null;
  address: CustomerAddress | null;
  tax_id: string | null;
  /** In which language documents and mails are written to it. */
  locale: LocaleTag | null;
  /** Its id in another system. */
  external_id: string | null;
  metadata: Metadata;
  default_payment_method: string | null;
  /** Null when there is none. */
  credit_balance: CreditBalance | null;
  /** The test clock that the customer lives by. */
  test_clock: TestClockId | null;
  /** When it was created, by its test clock; null: the time in the id. */
  created_at: Date | null;
};

/** The postal address, as far as it was supplied. */
export type CustomerAddress = Readonly<Partial<Record<(typeof addressParts)[number], string>>>;

export const addressParts = ['line1', 'line2', 'city', 'state', 'postal_code', 'country'] as const;

/** The members that an update does not set; a new customer gets a test clock with its time. */
type Managed = 'tenant' | 'id' | 'version' | 'credit_balance' | 'test_clock' | 'created_at';
/** The members that a request can set. Null clears. */
type CustomerDetails = Partial<Omit<Customer, Managed | 'metadata' | 'address'>> & {
  metadata?: MetadataPatch | null;
  address?: { readonly [Part in keyof CustomerAddress]?: string | null } | null;
};

/** An address is replaced as a whole. Without any part there is none. */
function wholeAddress(address: CustomerDetails['address']): CustomerAddress | null {
  const parts = Object.entries(address ?? {}).filter(([, value]) => value !== null && value !== '');
  return parts.length === 0 ? null : (Object.fromEntries(parts) as CustomerAddress);
}

/** In real time, unless a clock is given. */
export function newCustomer(
  tenant: Tenant,
  id: CustomerId,
  { test_clock: _, ...details }: CustomerDetails & { test_clock?: string },
  time: Pick<Customer, 'test_clock' | 'created_at'> = { test_clock: null, created_at: null },
): Customer {
  const empty = {
    email: null,
    name: null,
    phone: null,
    address: null,
    tax_id: null,
    locale: null,
    external_id: null,
    metadata: {},
    default_payment_method: null,
    credit_balance: null,
  };
  return { tenant, id, version: 1, ...empty, ...changeCustomer(empty, details), ...time };
}

export function changeCustomer(
  before: Pick<Customer, 'metadata'>,
  { metadata, address, ...change }: CustomerDetails,
): Partial<Customer> {
  return {
    ...change,
    ...(address !== undefined && { address: wholeAddress(address) }),
    metadata: mergeMetadata(before.metadata, metadata),
  };
}
