import { dependents } from '../customers/operations.ts';
import { resource } from '../resource.ts';
import { invoiceItemErrors } from './errors.ts';
import { invoiceItemEvents } from './invoice_item.ts';
import { invoiceItemOperations, itemSubscriptions, itemsOfCustomers } from './operations.ts';

export const invoiceItems = resource({
  name: 'invoice_items',
  scopes: ['invoices'],
  errors: invoiceItemErrors,
  events: invoiceItemEvents,
  operations: (declared) => invoiceItemOperations(declared.extensionsOf(itemSubscriptions)),
  extensions: [dependents.with(itemsOfCustomers)],
});
