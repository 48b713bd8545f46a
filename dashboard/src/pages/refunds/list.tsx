import type { Refund } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { currencyFilter } from '../../kit/filters.ts';
import { IdLink } from '../../kit/id_link.tsx';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { Moment } from '../../kit/moment.tsx';
import { formatMoney } from '../../kit/money.ts';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { RowLink } from '../../kit/row_link.tsx';
import { Status, wordsOf } from '../../kit/status.tsx';

export const refundColumns: readonly Column<Refund>[] = [
  {
    id: 'amount',
    title: 'Amount',
    align: 'right',
    cell: ({ id, amount, currency }) => <RowLink id={id}>{formatMoney(amount, currency)}</RowLink>,
  },
  { id: 'status', title: 'Status', cell: ({ status }) => <Status status={status} /> },
  { id: 'reason', title: 'Reason', isWideOnly: true, cell: ({ reason }) => reason && wordsOf(reason) },
  {
    id: 'failure',
    title: 'Why it failed',
    isWideOnly: true,
    cell: ({ failure_reason }) => failure_reason && wordsOf(failure_reason),
  },
  { id: 'payment', title: 'Payment', isWideOnly: true, cell: ({ payment }) => <IdLink id={payment} /> },
  { id: 'id', title: 'Id', isHidden: true, isWideOnly: true, cell: ({ id }) => <IdLink id={id} canCopy /> },
  { id: 'created', title: 'Created', align: 'right', cell: ({ created }) => <Moment seconds={created} /> },
];

const refunds: ListDescriptor<Refund> = {
  name: 'refunds',
  title: 'Refunds',
  icon: 'refunds',
  columns: refundColumns,
  filters: [
    { kind: 'choice', name: 'status', title: 'Status', choices: filterChoices['refunds.list'].status },
    { kind: 'text', name: 'payment', title: 'Payment', placeholder: 'py_…' },
    currencyFilter,
    { kind: 'days', name: 'created', title: 'Created' },
  ],
  load: (api, params, options) => api.refunds.list(params, options),
  csv: (api, params) => api.refunds.listCsv(params),
  empty: (mode) =>
    nothingYet(mode, {
      noun: 'refunds',
      here: 'Open a payment that has succeeded, and refund it.',
      event: 'refund.created',
      path: '/v1/refunds',
      parameters: { payment: 'py_…' },
    }),
};

export function Page() {
  return <ListPage list={refunds} />;
}
