import type { Id } from '../../../base/id.ts';
import type { Tenant } from '../../../base/reads.ts';
import type { CustomerId } from '../../payments/customers/customer.ts';

export type InvoiceItemId = Id<'ii'>;

export const invoiceItemEvents = {
  'invoice_item.created': 'An invoice item was created.',
  'invoice_item.deleted': 'An invoice item was deleted, also by the deletion of its customer.',
} as const;

/** The most that an item can add to an invoice or take from it, in the smallest unit of its currency. */
export const itemAmountMax = 999_999_999_999;

export type InvoiceItem = {
  tenant: Tenant;
  id: InvoiceItemId;
  version: number;
  customer: CustomerId;
  /** Below 0 it is a deduction; never 0. */
  amount: number;
  currency: string;
  description: string;
  /** Whose invoice it waits for; null: any next one of the customer. */
  subscription: Id<'sub'> | null;
  /** The invoice that has taken it; null while it waits. */
  invoice: Id<'in'> | null;
  /** The time of the test clock that the customer lives in; null: the time in the id. */
  created: Date | null;
};
