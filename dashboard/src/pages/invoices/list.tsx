import type { Invoice } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { createdFilter, wordsFilter } from '../../kit/filters.ts';
import { listPage } from '../../kit/list_page.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { invoiceColumns, listInvoices } from '../../nouns/invoice_columns.tsx';
import { customerFilter, subscriptionFilter } from '../../nouns/object_filters.tsx';
import { NewInvoice } from './create.tsx';

export const Page = listPage<Invoice>({
  name: 'invoices',
  title: 'Invoices',
  icon: 'invoices',
  columns: invoiceColumns,
  filters: [
    wordsFilter('invoice'),
    { kind: 'choices', name: 'status', title: 'Status', choices: filterChoices['invoices.list'].status },
    customerFilter(),
    subscriptionFilter,
    createdFilter,
  ],
  load: listInvoices,
  csv: { operation: 'invoices.list', read: (api, params) => api.invoices.listCsv(params) },
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'invoices',
      here: 'Subscriptions create invoices automatically. Create a one-off invoice with the button above.',
      event: 'invoice.created',
      path: '/v1/invoice_items',
      parameters: { customer: 'cus_…', amount: 2500, currency: 'eur', description: 'Setup' },
    }),
  actions: <NewInvoice />,
});
