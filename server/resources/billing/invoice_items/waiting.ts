import type { Write } from '../../../base/commit/index.ts';
import type { Id } from '../../../base/id.ts';
import type { Reads, Tenant } from '../../../base/reads.ts';
import type { CustomerId } from '../../payments/customers/customer.ts';
import type { InvoiceItem, InvoiceItemId } from './invoice_item.ts';
import {
  addInvoiceItem,
  discardInvoiceItem,
  findItemsForInvoice,
  hasWaitingItems,
  replaceInvoiceItem,
} from './store.ts';

/**
 * The items that the next invoice of a customer takes, oldest first, `max` at most. An invoice of a subscription takes the items of that
 * subscription and those that wait for any invoice; an invoice without one (null) only the latter. Without a currency: of every
 * currency.
 */
export async function waitingItems(
  ...[reads, tenant, customer, currency, subscription, max]: [
    reads: Reads,
    tenant: Tenant,
    customer: CustomerId,
    currency: string | undefined,
    subscription: Id<'sub'> | null,
    max: number,
  ]
): Promise<InvoiceItem[]> {
  if (!(await hasWaitingItems(reads, tenant, customer))) return [];
  return findItemsForInvoice(reads, tenant, { customer, currency, subscription }, max);
}

/** Gives a waiting item to an invoice. It conflicts when the item was taken or deleted since it was read. */
export function takeItem(item: InvoiceItem, invoice: Id<'in'>): Write {
  return replaceInvoiceItem({ ...item, version: item.version + 1, invoice });
}

/** Adds an item that its invoice has from the start. */
export function addTaken(item: InvoiceItem & { invoice: Id<'in'> }): Write {
  return addInvoiceItem(item);
}

/** The item goes with its invoice, which was deleted with a test clock. */
export function dropItem(tenant: Tenant, id: string): Write {
  return discardInvoiceItem(tenant, id as InvoiceItemId);
}

/** The item waits again: its invoice was a draft, and is given up. */
export function releaseItem(item: InvoiceItem): Write {
  return replaceInvoiceItem({ ...item, version: item.version + 1, invoice: null });
}
