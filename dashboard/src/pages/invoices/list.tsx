import type { Invoice } from '@tollgate/node';
import { invoiceColumns } from '../../kit/invoice_columns.tsx';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import { NewInvoice } from './create.tsx';

const invoices: ListDescriptor<Invoice> = {
  name: 'invoices',
  title: 'Invoices',
  icon: 'invoices',
  columns: invoiceColumns,
  filters: [
    { kind: 'choice', name: 'status', title: 'Status', choices: ['open', 'paid', 'draft', 'void', 'uncollectible'] },
    { kind: 'text', name: 'customer', title: 'Customer', placeholder: 'cus_…' },
    { kind: 'text', name: 'subscription', title: 'Subscription', placeholder: 'sub_…' },
    { kind: 'days', name: 'created', title: 'Created' },
  ],
  load: (api, params, options) => api.invoices.list(params, options),
  empty: (mode) => ({
    title: `No ${mode} invoices yet`,
    text: 'Subscriptions make them by themselves. For a single one, add an item to a customer first:',
    command: `curl ${location.origin}/v1/invoice_items \\\n  -H 'Authorization: Bearer sk_${mode}_tg_…' \\\n  -d customer=cus_… -d amount=2500 -d currency=eur -d description=Setup`,
  }),
  actions: <NewInvoice />,
};

export function InvoicesPage() {
  return <ListPage list={invoices} />;
}
