import type { Refund } from '@tollgate/node';
import { filterChoices } from '../../generated/catalog.ts';
import { amountColumn, createdColumn, idColumn, statusColumn } from '../../kit/columns.tsx';
import { createdFilter, currencyFilter } from '../../kit/filters.ts';
import { IdLink } from '../../kit/id_link.tsx';
import { type ListDescriptor, ListPage } from '../../kit/list_page.tsx';
import type { Column } from '../../kit/list_table.tsx';
import { nothingYet } from '../../kit/nothing_yet.ts';
import { wordsOf } from '../../kit/status.tsx';

export const refundColumns: readonly Column<Refund>[] = [
  amountColumn,
  statusColumn,
  { id: 'reason', title: 'Reason', isWideOnly: true, cell: ({ reason }) => reason && wordsOf(reason) },
  {
    id: 'failure',
    title: 'Why it failed',
    isWideOnly: true,
    cell: ({ failure_reason }) => failure_reason && wordsOf(failure_reason),
  },
  { id: 'payment', title: 'Payment', isWideOnly: true, cell: ({ payment }) => <IdLink id={payment} /> },
  idColumn,
  createdColumn,
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
    createdFilter,
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
