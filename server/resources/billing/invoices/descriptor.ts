import { type Descriptor, findRows, requireRow } from '../../../operations/descriptor.ts';
import type { Context } from '../../../operations/operation.ts';
import { guardedByClock } from '../../payments/test_clocks/time.ts';
import type { SubscriptionId } from '../subscription_state/subscription.ts';
import type { Invoice } from './invoice.ts';
import { InvoiceOutput, invoiceEvent, serializeInvoice } from './schema.ts';
import { findOpenInvoices, findOpenOfCustomer, findUnsettled, invoicesTable } from './store.ts';

export const invoiceDescriptor: Descriptor<Invoice> = {
  resource: 'invoices',
  noun: 'invoice',
  prefix: 'in',
  table: invoicesTable,
  serialize: serializeInvoice,
  output: InvoiceOutput,
  notes: { update: 'Only the metadata can be changed.' },
  customer: 'customer',
  isHidden: ({ number }) => number === null,
  changeGuard: guardedByClock,
  csv: `id created number status customer subscription currency subtotal discount
    amount_due amount_paid payment paid_at voided_at subtotal_decimal discount_decimal amount_due_decimal amount_paid_decimal`,
  event: invoiceEvent as Descriptor<Invoice>['event'] & {},
};

export const requireInvoice = requireRow(invoiceDescriptor);
export const findInvoices = findRows(invoiceDescriptor);

/** The open invoices of a subscription, oldest first. */
export function findOpenOf({ reads, tenant }: Pick<Context, 'reads' | 'tenant'>, id: SubscriptionId, max: number) {
  return findOpenInvoices(reads, tenant, id, max);
}

/** The drafts and open invoices of a customer that are not being closed, oldest first. */
export function findUnsettledOf({ reads, tenant }: Pick<Context, 'reads' | 'tenant'>, customer: string, max: number) {
  return findUnsettled(reads, tenant, customer, max);
}

/** The open invoices of a customer's subscriptions, oldest first. */
export function findOpenBy({ reads, tenant }: Pick<Context, 'reads' | 'tenant'>, customer: string, max: number) {
  return findOpenOfCustomer(reads, tenant, customer, max);
}
