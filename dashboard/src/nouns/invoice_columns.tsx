import type { Invoice, Tollgate } from '@tollgate/node';
import { createdColumn, idColumn } from '../kit/columns.tsx';
import { IdLink } from '../kit/id_link.tsx';
import type { Column } from '../kit/list_table.tsx';
import { Moment } from '../kit/moment.tsx';
import { formatMoney } from '../kit/money.ts';
import { RowLink } from '../kit/row_link.tsx';
import { Status, toneOf } from '../kit/status.tsx';
import { CustomerName } from './names.tsx';

/** Why there is an invoice. */
export const reasonWords: Readonly<Record<Invoice['billing_reason'], string>> = {
  subscription_create: 'New subscription',
  subscription_cycle: 'New period',
  subscription_update: 'Changed subscription',
  manual: 'One-off items',
};

/** With who owes each. */
export function listInvoices(api: Tollgate, params: Record<string, unknown>, options: { signal: AbortSignal }) {
  return api.invoices.list({ ...params, expand: ['customer'] }, options);
}

/** Of the list of invoices, and of those of a customer or a subscription. */
export const invoiceColumns: readonly Column<Invoice>[] = [
  {
    id: 'total',
    title: 'Total',
    cell: ({ id, total, currency }) => <RowLink id={id}>{formatMoney(total, currency)}</RowLink>,
  },
  { id: 'status', title: 'Status', cell: (invoice) => <InvoiceStatus invoice={invoice} /> },
  { id: 'number', title: 'Number', isWideOnly: true, cell: ({ number }) => number },
  {
    id: 'customer',
    title: 'Customer',
    isText: true,
    isBelow: true,
    cell: ({ customer, expanded }) => <CustomerName id={customer} customer={expanded?.customer} />,
  },
  {
    id: 'reason',
    title: 'Reason',
    room: 10,
    isWideOnly: true,
    cell: ({ billing_reason }) => reasonWords[billing_reason],
  },
  {
    id: 'next',
    title: 'Next attempt',
    room: 9,
    isWideOnly: true,
    cell: ({ next_payment_attempt: at }) => at !== undefined && <Moment seconds={at} />,
  },
  {
    id: 'subscription',
    title: 'Subscription',
    room: 14,
    isHidden: true,
    isWideOnly: true,
    cell: ({ subscription }) => subscription && <IdLink id={subscription} />,
  },
  {
    id: 'failure',
    title: 'Failure',
    isText: true,
    isHidden: true,
    isWideOnly: true,
    cell: ({ last_failure, status }) => status !== 'paid' && last_failure?.message,
  },
  idColumn,
  createdColumn,
];

/** An open invoice whose charge has failed is worth knowing at a glance. */
export function InvoiceStatus({ invoice: { status, last_failure } }: { invoice: Invoice }) {
  return <Status status={status} tone={status === 'open' && last_failure !== undefined ? 'bad' : toneOf(status)} />;
}
