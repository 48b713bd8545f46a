import { dependents } from '../customers/operations.ts';
import { eventsOf, resource } from '../resource.ts';
import { invoiceItemErrors } from './errors.ts';
import { invoiceItemEvents } from './invoice_item.ts';
import { invoiceItemOperations, itemSubscriptions, itemsOfCustomers } from './operations.ts';
import { DeletedInvoiceItemOutput, InvoiceItemOutput } from './schema.ts';

export const invoiceItems = resource({
  name: 'invoice_items',
  about: 'Amounts that wait for the next invoice of a customer: one-off charges and deductions.',
  scopes: ['invoices'],
  errors: invoiceItemErrors,
  events: { ...eventsOf(invoiceItemEvents, InvoiceItemOutput), 'invoice_item.deleted': DeletedInvoiceItemOutput },
  occasions: {
    'invoice_item.created': 'An invoice item was created.',
    'invoice_item.deleted': 'An invoice item was deleted, also by the deletion of its customer.',
  },
  operations: (declared) => invoiceItemOperations(declared.extensionsOf(itemSubscriptions)),
  extensions: [dependents.with(itemsOfCustomers)],
});
