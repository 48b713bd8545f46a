import { moneyText } from '../../../base/currency.ts';
import { searchable, searchables, textsOf } from '../../../operations/extension_points/search.ts';
import { eventsOf, resource } from '../../../operations/resource.ts';
import { dependents } from '../../payments/customers/operations.ts';
import { invoiceItemErrors } from './errors.ts';
import { invoiceItemEvents } from './invoice_item.ts';
import { invoiceItemOperations, itemDescriptor, itemSubscriptions, itemsOfCustomers } from './operations.ts';
import { DeletedInvoiceItemOutput, InvoiceItemOutput } from './schema.ts';
import { invoiceItemsTable } from './store.ts';

export const invoiceItems = resource({
  name: 'invoice_items',
  about: 'Amounts that wait for the next invoice of a customer: one-off charges and deductions.',
  place: { group: 'Billing', position: 40 },
  scopes: ['invoices'],
  errors: invoiceItemErrors,
  events: eventsOf(invoiceItemEvents, InvoiceItemOutput, { 'invoice_item.deleted': DeletedInvoiceItemOutput }),
  operations: (declared) => invoiceItemOperations(declared.extensionsOf(itemSubscriptions)),
  extensions: [
    dependents.with(itemsOfCustomers),
    searchables.with(
      searchable(
        itemDescriptor,
        ({ description, amount, currency, customer }) => ({
          summary: () => ({ title: description, subtitle: moneyText({ amount, currency }) }),
          texts: [{ field: 'amount', money: { amount, currency } }, ...textsOf({ description })],
          belongsTo: [customer],
        }),
        {
          foundBy: 'words',
          columns: { amount: 'amount', created: { column: 'created', isSeconds: false } },
          owners: [{ prefix: 'cus', table: invoiceItemsTable, column: 'customer' }],
        },
      ),
    ),
  ],
});
