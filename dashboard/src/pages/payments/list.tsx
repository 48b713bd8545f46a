import type { Payment } from '@tollgate/node';
import { lazy } from 'react';
import { filterChoices } from '../../generated/catalog.ts';
import { amountColumn, createdColumn, idColumn } from '../../kit/columns.tsx';
import { CreateButton } from '../../kit/create_button.tsx';
import { createdFilter, currencyFilter } from '../../kit/filters.ts';
import { IdLink } from '../../kit/id_link.tsx';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { formatMoney } from '../../kit/money.ts';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { Status } from '../../kit/status.tsx';
import { shownStatus } from '../../nouns/payment_status.ts';

/** Not part of the first page. */
const NewPaymentDialog = lazy(async () => ({ default: (await import('./new_payment.tsx')).NewPaymentDialog }));

export const paymentColumns: readonly Column<Payment>[] = [
  amountColumn,
  { id: 'status', title: 'Status', cell: (payment) => <Status {...shownStatus(payment)} /> },
  { id: 'description', title: 'Description', isWideOnly: true, cell: ({ description }) => description },
  { id: 'customer', title: 'Customer', isWideOnly: true, cell: ({ customer }) => customer && <IdLink id={customer} /> },
  idColumn,
  { id: 'refunded', title: 'Refunded', align: 'right', isHidden: true, isWideOnly: true, cell: refunded },
  { id: 'failure', title: 'Failure', isHidden: true, isWideOnly: true, cell: ({ failure_message }) => failure_message },
  createdColumn,
];

function refunded({ amount_refunded = 0, currency }: Payment) {
  return amount_refunded > 0 && formatMoney(amount_refunded, currency);
}

const payments: ListDescriptor<Payment> = {
  name: 'payments',
  title: 'Payments',
  icon: 'payments',
  columns: paymentColumns,
  filters: [
    {
      kind: 'choice',
      name: 'status',
      title: 'Status',
      choices: filterChoices['payments.list'].status,
    },
    { kind: 'text', name: 'customer', title: 'Customer', placeholder: 'cus_…' },
    { kind: 'text', name: 'invoice', title: 'Invoice', placeholder: 'in_…' },
    currencyFilter,
    createdFilter,
  ],
  actions: (
    <CreateButton right="change" title="Create payment" dialog={(onClose) => <NewPaymentDialog onClose={onClose} />} />
  ),
  load: (api, params, options) => api.payments.list(params, options),
  csv: (api, params) => api.payments.listCsv(params),
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'payments',
      here: 'Charge a stored card with the button above.',
      event: 'payment.succeeded',
      path: '/v1/payments',
      parameters: { amount: 2000, currency: 'eur', payment_method: 'pm_…' },
    }),
};

export function Page() {
  return <ListPage list={payments} />;
}
