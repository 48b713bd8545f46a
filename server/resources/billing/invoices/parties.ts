import type { Customer } from '../../payments/customers/customer.ts';
import type { SellerDetails } from '../../people/branding/shown.ts';

/** The customer as an invoice names it. */
export type BuyerDetails = Partial<Pick<Customer, 'name' | 'email' | 'address' | 'tax_id' | 'locale'>>;

/** Who sells, and who buys: an invoice keeps both as they are when it is finalized. */
export type Parties = { seller: SellerDetails; buyer: BuyerDetails | null };

export function partiesOf(seller: SellerDetails, customer: Customer | undefined): Parties {
  return { seller, buyer: customer === undefined ? null : buyerOf(customer) };
}

export function buyerOf({ name, email, address, tax_id, locale }: Customer): BuyerDetails {
  const details = Object.entries({ name, email, address, tax_id, locale });
  return Object.fromEntries(details.filter(([, value]) => value !== null));
}
